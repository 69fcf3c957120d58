import TapField
import TapWire

/// The owner of a running world, shared by the threads of its doors.
///
/// One lock, held for one call at a time. A door is served by a client outside, whose patience nobody here knows, so
/// no answer comes too late for it and silence takes no card time.
public final class FieldHost: Sendable {
    /// When answers go out.
    public enum Pace: Hashable, Sendable {
        /// At once.
        case atOnce
        /// When the card would have sent them: an exchange takes as long as its card time.
        case card
        /// At once, those too that faults have delayed: time is card time alone.
        case virtual
    }

    /// Is told that cards have come or gone, or that the world calls for somebody outside, on a thread of the host.
    public typealias Watcher = @Sendable () -> Void

    private struct State {
        var world: World
        var started = ContinuousClock.now
        var watchers: [Int: Watcher] = [:]
        var nextWatcher = 0
        var isClosed = false
    }

    private let state: Condition<State>
    private let pace: Pace
    private let watching = Lock<BlockingThread?>(nil)
    /// Beside the world, so that who asks does not wait for a reader that works.
    private let manner: Lock<Manner>

    /// What may make whoever does something in a world wait.
    private struct Manner {
        /// Whether anything goes wrong in the run, or calls are to be counted.
        let isDisturbed: Bool
        /// Whether somebody is told of events, who may take his time, as a terminal does that has stopped.
        let isObserved: Bool

        init(of world: World) {
            isDisturbed = world.isDisturbed
            isObserved = world.trace.observer != nil
        }
    }

    /// Takes a world over.
    ///
    /// - Parameters:
    ///   - world: The world; its timeline follows the clock it is set to.
    ///   - pace: When answers go out.
    ///   - exchangeLimit: How many frames are let into the field; what comes after meets silence, so that no client
    ///     runs for ever. Without it as many as the world allows, which is ``World/defaultExchangeLimit`` where it has
    ///     no limit.
    public init(_ world: World, pace: Pace = .atOnce, exchangeLimit: Int? = nil) {
        var world = world
        world.limitExchanges(to: exchangeLimit)
        state = Condition(State(world: world))
        manner = Lock(Manner(of: world))
        self.pace = pace
    }

    /// Does something in the world, alone, after what the timeline holds for now.
    ///
    /// Threads that wait for cards are woken if any came or went. With the pace of the card the call returns when the
    /// card time it took has passed, otherwise when the time has passed by which faults have delayed answers.
    ///
    /// - Parameters:
    ///   - plansAhead: Whether `body` plans something for later, so that it has to know what time it is.
    ///   - reader: The reader that acts, by its number in the world.
    ///   - body: What to do.
    public func perform<Result>(
        plansAhead: Bool = true, at reader: Int = 0, _ body: (inout World) -> Result
    ) -> Result {
        let begin = pace == .card ? ContinuousClock.now : nil
        let (result, cardTime, delay) = state.withLock { state -> (Result, Duration, Duration) in
            let calls = state.world.calls
            if plansAhead || state.world.hasPlans { state.world.clockReads(ContinuousClock.now - state.started) }
            let before = state.world.now
            state.world.use(reader: reader)
            let planned = state.world.nextMeasuredInstant
            let result = body(&state.world)
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

    /// Lets the calling thread sleep until an instant, or until the host is closed.
    private func sleep(until instant: ContinuousClock.Instant) {
        state.waitUntilDone { state in
            state.isClosed || ContinuousClock.now >= instant ? .done(()) : .wait(until: instant)
        }
    }

    /// Begins anew with another world.
    ///
    /// Its timeline starts now, and to every reader all cards have left and those of the new world have come. The limit
    /// of exchanges stays.
    public func restart(_ world: World) {
        state.withLock { state in
            var world = world
            world.exchangeLimit = state.world.exchangeLimit
            world.succeed(state.world)
            state.world = world
            manner.withLock { $0 = Manner(of: world) }
            state.started = .now
            self.state.wakeAll()
        }
    }

    /// Sends a frame into the field as a reader that takes one card.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - reader: The reader, by its number in the world.
    /// - Returns: The answer, or `nil` for silence.
    public func exchange(_ frame: AirFrame, at reader: Int = 0) -> AirFrame? {
        perform(plansAhead: false, at: reader) { world in
            let before = world.airCount
            defer { world.noteHost(since: before) }
            return world.exchangeWithOneCard(frame, waiting: nil)
        }
    }

    /// Whether anything goes wrong in the run, or calls are to be counted.
    var isDisturbed: Bool { manner.withLock { $0.isDisturbed } }

    /// Whether whoever does something in the world never has to wait, until time has passed or for an observer.
    var isPrompt: Bool { pace != .card && manner.withLock { !$0.isDisturbed && !$0.isObserved } }

    /// Whether a client wanted more frames than the limit lets it have.
    public var isExhausted: Bool { snapshot.isExhausted }

    /// The world as it is now, a copy.
    public var snapshot: World {
        state.withLock { $0.world }
    }

    /// Lets the timeline go on by itself, at its instants, and tells `watcher` each time cards have come or gone or the
    /// world calls for somebody outside.
    ///
    /// - Returns: A number by which ``forget(_:)`` ends the telling.
    /// - Throws: ``SystemError`` if the system gives no thread.
    @discardableResult
    public func watch(_ watcher: @escaping Watcher) throws(SystemError) -> Int {
        let seen = state.withLock { $0.world.calls }
        try watching.withLock { thread throws(SystemError) in
            if thread == nil { thread = try BlockingThread { [self] in runWatch(since: seen) } }
        }
        return state.withLock { state in
            defer { state.nextWatcher += 1 }
            state.watchers[state.nextWatcher] = watcher
            return state.nextWatcher
        }
    }

    /// Tells a watcher no more; one that is just being told may still run.
    public func forget(_ watcher: Int) {
        state.withLock { $0.watchers[watcher] = nil }
    }

    /// Ends the thread that watches the timeline, and what waits for time to pass; the world stays as it is.
    ///
    /// A second call does nothing.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            self.state.wakeAll()
        }
        watching.withLock { $0 }?.join()
    }

    /// Sleeps until there is something to tell or the timeline is due, and tells the watchers.
    private func runWatch(since first: Int) {
        var seen = first
        while let (count, watchers) = awaitChange(since: seen) {
            seen = count
            for watcher in watchers { watcher() }
        }
    }

    /// Waits until there is something to tell, performing what the timeline holds meanwhile; `nil` once closed.
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
    /// What watchers are told of, counted.
    fileprivate var calls: Int { presenceCount &+ callCount }
}
