import TapDoors
import TapField

/// An iPhone before virtual cards: what Core NFC's sessions talk to.
///
/// It has a field, which others may move cards in, and a thread of its own on which everything of its sessions
/// happens, one thing after the other. Any thread may call it.
public final class VirtualPhone: Sendable {
    struct State {
        var jobs: [@Sendable (inout PhoneWork) -> Void] = []
        var hasFieldChanged = false
        var isClosed = false
        var records: [SessionRecord] = []
        /// How many sessions have been asked for by ``nextEnd(waiting:)``.
        var taken = 0
        /// The reader of the session that is open, as its last call has left it.
        var reader: PhoneReader?
        var isRadioOn = true
    }

    /// The field before the phone.
    public let host: FieldHost
    /// What kind of phone it is.
    public let settings: PhoneSettings
    let state = Condition(State())
    private let thread = Lock<BlockingThread?>(nil)

    /// Takes a field.
    ///
    /// - Parameters:
    ///   - host: The field; the phone closes it.
    ///   - settings: What kind of phone it is; with the real clock the timeline of the field has to follow it too.
    /// - Throws: ``SystemError`` if the system gives no thread.
    public init(_ host: FieldHost, _ settings: PhoneSettings = PhoneSettings()) throws(SystemError) {
        self.host = host
        self.settings = settings
        let state = state
        try host.watch {
            state.withLock { $0.hasFieldChanged = true }
            state.wakeAll()
        }
        let work = PhoneWork(host, settings, state)
        let thread = try BlockingThread {
            var work = work
            work.run()
        }
        self.thread.withLock { $0 = thread }
    }

    /// Ends the session that is open, unexpectedly, and the thread; nothing is answered afterwards.
    ///
    /// A second call does nothing.
    public func close() {
        state.withLock { $0.isClosed = true }
        state.wakeAll()
        thread.withLock { $0 }?.join()
        host.close()
    }

    /// Whether sessions can read: the phone has NFC.
    public var isReadingAvailable: Bool {
        guard !state.withLock({ $0.isClosed }) else { return false }
        return !host.faults(at: .available).contains(.unsupported)
    }

    /// The sessions so far, in the order they began.
    public var sessions: [SessionRecord] { state.withLock { $0.records } }

    /// Hands work to the thread of the phone; after its end, to nobody.
    ///
    /// - Returns: Whether it will be done.
    @discardableResult
    func submit(_ job: @escaping @Sendable (inout PhoneWork) -> Void) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
            return !state.isClosed
        }
        state.wakeAll()
        return isOpen
    }

    /// Waits until one more session has ended and its app has been told.
    ///
    /// - Parameter patience: How long to wait, by the clock of the machine.
    /// - Returns: What became of the session, each one once, in the order they began; nothing if none ended in time.
    public func nextEnd(waiting patience: Duration) -> SessionRecord? {
        let deadline = ContinuousClock.now + patience
        return state.waitUntilDone { state in
            if state.taken < state.records.count, state.records[state.taken].isTold {
                state.taken += 1
                return .done(state.records[state.taken - 1])
            }
            return ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }
}
