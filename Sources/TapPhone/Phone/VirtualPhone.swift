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
        var records: [SessionRecord] = [] { didSet { changes &+= 1 } }
        /// How often something has happened to a session.
        private(set) var changes = 0
        /// How many sessions have been asked for by ``nextEnd(_:)``.
        var taken = 0
        /// The reader of the session that is open, as its last call has left it.
        var reader: PhoneReader?
        var isRadioOn = true
        var silence = Silence()
        /// How many threads wait for something to happen.
        var waiters = 0
        /// How many sessions have ended whose tasks go on.
        var endedSessionsAtWork = 0
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
        // First of all, so that no call waits for its time any more.
        host.close()
        state.withLock { $0.isClosed = true }
        state.wakeAll()
        thread.withLock { $0 }?.join()
    }

    deinit {
        // Its own thread may be the last to hold it, so that nobody waits for that here.
        host.close()
        state.withLock { $0.isClosed = true }
        state.wakeAll()
    }

    /// Whether sessions can read: the phone has NFC.
    public var isReadingAvailable: Bool {
        guard !state.withLock({ $0.isClosed }) else { return false }
        return !host.perform { $0.faults(at: .available) }.contains(.unsupported)
    }

    /// Whether nothing is answered any more.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

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

}
