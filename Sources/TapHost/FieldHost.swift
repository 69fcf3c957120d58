import TapField
import TapSystem
import TapWire

/// The owner of a running world, shared by the threads of its transports.
///
/// A lock is held during each call. The timeouts of foreign clients are unknown here, so no answer counts as late and silence
/// takes no card time.
public final class FieldHost: Sendable {
    /// The time at which answers go out.
    public enum Pace: Hashable, Sendable {
        case atOnce
        /// At the time at which the card would have sent them: an exchange takes as long as its card time.
        case card
        /// At once, even if faults delay them: all time is card time.
        case virtual
    }

    /// Called on a thread of the host when cards have arrived or left, or the world has something to report outside.
    public typealias Watcher = @Sendable () -> Void

    private struct State {
        var world: World
        var started = ContinuousClock.now
        var watchers: [Int: Watcher] = [:]
        var nextWatcher = 0
        /// The thread that runs the timeline and calls the watchers.
        var thread: BlockingThread?
        var isClosed = false
    }

    private let state: Condition<State>
    private let pace: Pace
    private let aside: Lock<Aside>

    /// State kept apart from the world, so that using it never waits for a working reader.
    private struct Aside {
        /// The events that the world has not recorded yet, with the numbers of their readers.
        var notes: [(reader: Int, record: @Sendable (inout World) -> Void)]
        /// A Boolean value that indicates whether faults are planned, or calls are to be counted.
        let isDisturbed: Bool
        /// A Boolean value that indicates whether events go to an observer, which may block, as a stopped terminal does.
        let isObserved: Bool

        init(of world: World, after previous: Aside? = nil) {
            notes = previous?.notes ?? []
            isDisturbed = world.isDisturbed
            isObserved = world.trace.observer != nil
        }
    }

    /// Takes over a world, whose timeline follows the clock that the world is set to.
    ///
    /// - Parameter exchangeLimit: The number of frames to answer, so that no client runs forever; later frames meet silence.
    ///   `nil` keeps the limit of the world, by default ``World/defaultExchangeLimit``.
    public init(_ world: World, pace: Pace = .atOnce, exchangeLimit: Int? = nil) {
        var world = world
        world.limitExchanges(to: exchangeLimit)
        state = Condition(State(world: world))
        aside = Lock(Aside(of: world))
        self.pace = pace
    }

    /// Runs `body` with exclusive access to the world, after the due steps of the timeline.
    ///
    /// The call wakes threads that wait for cards if any arrived or left. At the pace of the card, it returns when its card
    /// time has passed, otherwise after the delay that faults have added.
    ///
    /// - Parameters:
    ///   - plansAhead: A Boolean value that indicates whether `body` plans something for later and so needs the current time.
    ///   - reader: The number of the reader that acts.
    public func perform<Result>(
        plansAhead: Bool = true, at reader: Int = 0, _ body: (inout World) -> Result
    ) -> Result {
        let begin = pace == .card ? ContinuousClock.now : nil
        let (result, cardTime, delay) = state.withLock { state -> (Result, Duration, Duration) in
            takeNotes(&state)
            defer { takeNotes(&state) }
            let calls = state.world.calls
            if plansAhead || state.world.hasPlans { state.world.clockReads(ContinuousClock.now - state.started) }
            let before = state.world.now
            state.world.use(reader: reader)
            let planned = state.world.nextMeasuredInstant
            let frames = state.world.exchangeCount
            let result = body(&state.world)
            if state.world.exchangeCount != frames { state.world.skipTimeWithoutCards() }
            if state.world.calls != calls || state.world.nextMeasuredInstant != planned { self.state.wakeAll() }
            return (result, state.world.now - before, state.world.takeUnpaidDelay())
        }
        if let begin {
            sleep(until: begin + cardTime)
        } else if delay > .zero, pace != .virtual {
            sleep(until: .now + delay)
        }
        return result
    }

    /// Records something in the world at once, or once the working reader has finished; the call itself never waits.
    package func note(at reader: Int, _ report: @escaping @Sendable (inout World) -> Void) {
        aside.withLock { $0.notes.append((reader, report)) }
        _ = state.withLockIfFree { takeNotes(&$0) }
    }

    private func takeNotes(_ state: inout State) {
        let taken = aside.withLock { aside in
            defer { aside.notes = [] }
            return aside.notes
        }
        guard !taken.isEmpty else { return }
        let calls = state.world.calls
        state.world.clockReads(ContinuousClock.now - state.started)
        for note in taken {
            state.world.use(reader: note.reader)
            note.record(&state.world)
        }
        if state.world.calls != calls { self.state.wakeAll() }
    }

    /// Sleeps until an instant, or until the host is closed.
    private func sleep(until instant: ContinuousClock.Instant) {
        state.waitUntilDone { state in
            state.isClosed || ContinuousClock.now >= instant ? .done(()) : .wait(until: instant)
        }
    }

    /// Replaces the world.
    ///
    /// The timeline of the new world starts now. For every reader, the old cards have left and the new ones have arrived. The
    /// exchange limit stays.
    public func restart(_ world: World) {
        state.withLock { state in
            var world = world
            world.exchangeLimit = state.world.exchangeLimit
            world.succeed(state.world)
            state.world = world
            aside.withLock { $0 = Aside(of: world, after: $0) }
            state.started = .now
            self.state.wakeAll()
        }
    }

    /// Sends a frame into the field as a reader that handles one card.
    ///
    /// - Returns: The answer, or `nil` for silence.
    public func exchange(_ frame: RFFrame, at reader: Int = 0) -> RFFrame? {
        perform(plansAhead: false, at: reader) { world in
            let before = world.rfCount
            defer { world.noteHost(since: before) }
            return world.exchangeWithOneCard(frame, waiting: nil)
        }
    }

    /// A Boolean value that indicates whether faults are planned, or calls are to be counted.
    package var isDisturbed: Bool { aside.withLock { $0.isDisturbed } }

    /// A Boolean value that indicates whether a call into the world never waits, neither for time to pass nor for an observer.
    package var isPrompt: Bool { pace != .card && aside.withLock { !$0.isDisturbed && !$0.isObserved } }

    /// A Boolean value that indicates whether a client exceeded the exchange limit.
    public var isExhausted: Bool { snapshot.isExhausted }

    public var snapshot: World {
        state.withLock { state in
            takeNotes(&state)
            return state.world
        }
    }

    /// Runs the timeline on its own thread, and calls `watcher` whenever cards have arrived or left or the world has something
    /// to report outside.
    ///
    /// - Returns: A number for ``forget(_:)``.
    /// - Throws: ``SystemError`` if the system provides no thread.
    @discardableResult
    public func watch(_ watcher: @escaping Watcher) throws(SystemError) -> Int {
        try state.withLock { state throws(SystemError) in
            let seen = state.world.calls
            if state.thread == nil { state.thread = try BlockingThread { [self] in runWatch(since: seen) } }
            defer { state.nextWatcher += 1 }
            state.watchers[state.nextWatcher] = watcher
            return state.nextWatcher
        }
    }

    /// Removes a watcher; a call in progress may still be running.
    public func forget(_ watcher: Int) {
        state.withLock { $0.watchers[watcher] = nil }
    }

    /// Ends the thread of the timeline and all sleeping calls; the world stays as it is.
    ///
    /// A second call does nothing.
    public func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            self.state.wakeAll()
            return state.thread
        }
        thread?.join()
    }

    private func runWatch(since first: Int) {
        var seen = first
        while let (count, watchers) = awaitChange(since: seen) {
            seen = count
            for watcher in watchers { watcher() }
        }
    }

    /// Waits for a change, performing steps of the timeline meanwhile; returns `nil` once closed.
    private func awaitChange(since seen: Int) -> (count: Int, watchers: [Watcher])? {
        state.waitUntilDone { state in
            state.world.clockReads(ContinuousClock.now - state.started)
            guard !state.isClosed else { return .done(nil) }
            guard state.world.calls == seen else {
                let watchers = state.watchers.sorted { $0.key < $1.key }.map(\.value)
                return .done((state.world.calls, watchers))
            }
            return .wait(until: state.world.nextMeasuredInstant.map { state.started + $0 })
        }
    }
}

extension World {
    /// The number of events that watchers are called for.
    fileprivate var calls: Int { presenceCount &+ callCount }
}
