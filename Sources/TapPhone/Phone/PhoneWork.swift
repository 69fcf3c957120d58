import TapDoors
import TapField

/// What the thread of a phone has in hand.
struct PhoneWork: Sendable {
    /// A session that is open.
    struct OpenSession: Sendable {
        let session: any PhoneSession
        let request: PhoneSessionRequest
        /// What it looks for now.
        var current: PhoneSessionRequest
        /// Its number among the records.
        let number: Int
        let began: Duration
        let beganAt: ContinuousClock.Instant
        let firstExchange: Int
        var search = Search.looking(sweeps: 0)
    }

    /// What the phone does while nobody calls.
    enum Search: Hashable {
        /// It has found tags, and waits to be told.
        case over
        /// It looks; `sweeps` times in vain since something has changed.
        case looking(sweeps: Int)
        /// It looks again once the tags found have left.
        case untilLeft
    }

    let host: FieldHost
    let settings: PhoneSettings
    let state: Condition<VirtualPhone.State>
    var reader: PhoneReader
    var open: OpenSession?
    var waiting: [(session: any PhoneSession, request: PhoneSessionRequest)] = []

    init(_ host: FieldHost, _ settings: PhoneSettings, _ state: Condition<VirtualPhone.State>) {
        self.host = host
        self.settings = settings
        self.state = state
        reader = PhoneReader(declarations: settings.declarations, policy: settings.policy)
    }

    private enum Event {
        case job(@Sendable (inout PhoneWork) -> Void)
        case fieldChange, silence, end
    }

    /// Works until the phone is closed.
    mutating func run() {
        while true {
            switch nextEvent() {
            case .job(let job): job(&self)
            case .fieldChange: fieldHasChanged()
            case .silence: passTime()
            case .end:
                endAll()
                return
            }
            moveOn()
        }
    }

    /// Waits for something to do.
    private func nextEvent() -> Event {
        let patience = patience
        return state.waitUntilDone { state in
            if !state.jobs.isEmpty { return .done(.job(state.jobs.removeFirst())) }
            if state.isClosed { return .done(.end) }
            if state.hasFieldChanged {
                state.hasFieldChanged = false
                return .done(.fieldChange)
            }
            guard let patience else { return .wait(until: nil) }
            return ContinuousClock.now >= patience ? .done(.silence) : .wait(until: patience)
        }
    }

    /// Until when to wait for calls: to the end of the session, or of the silence after which virtual time jumps.
    private var patience: ContinuousClock.Instant? {
        guard let open else { return nil }
        switch settings.clock {
        case .real: return open.beganAt + settings.sessionLimit
        case .virtual: return .now + settings.idle
        }
    }

    /// Ends what is open because the phone is closed.
    private mutating func endAll() {
        waiting = []
        end(PhoneError(.sessionTerminatedUnexpectedly, reason: "the test or the program that held the phone ended"))
        let left = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in left { job(&self) }
    }

    /// Changes the record of a session.
    func record(_ number: Int, _ change: (inout SessionRecord) -> Void) {
        state.withLock { change(&$0.records[number]) }
        state.wakeAll()
    }
}
