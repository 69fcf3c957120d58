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
        /// How often cards had come and gone when the phone looked last.
        var seen: Int?
    }

    /// What the phone does while nobody calls.
    enum Search: Hashable {
        /// It has found tags, and waits to be told.
        case over
        /// It looks; `sweeps` times in vain since cards have come or gone.
        case looking(sweeps: Int)
        /// It has looked in vain often enough, and waits for cards to come or go.
        case resting
        /// It looks again once the tags found have left.
        case untilLeft
    }

    let host: FieldHost
    let settings: PhoneSettings
    let state: Condition<VirtualPhone.State>
    var reader: PhoneReader
    var open: OpenSession?
    /// With what the open session is to end behind the handler of the call under way.
    var pendingEnd: PhoneError?
    var waiting: [(session: any PhoneSession, request: PhoneSessionRequest)] = []
    /// How far virtual time is behind the clock of the machine since the session began.
    var lag = Lag()

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
            let event = nextEvent()
            followClock()
            switch event {
            case .job(let job): job(&self)
            case .fieldChange: fieldHasChanged()
            case .silence: silenceGrew()
            case .end:
                endAll(
                    PhoneError(
                        .sessionTerminatedUnexpectedly,
                        reason: "the test or the program that held the phone ended"))
                return
            }
            moveOn()
        }
    }

    /// Waits for something to do.
    private func nextEvent() -> Event {
        let (patience, isSessionOpen) = (patience, open != nil)
        return state.waitUntilDone { state in
            if !state.jobs.isEmpty {
                state.silence.end()
                return .done(.job(state.jobs.removeFirst()))
            }
            if state.isClosed { return .done(.end) }
            if state.hasFieldChanged {
                state.hasFieldChanged = false
                state.silence.end()
                return .done(.fieldChange)
            }
            guard let patience, isSessionOpen || state.waiters > 0 else { return .wait(until: nil) }
            return ContinuousClock.now >= patience ? .done(.silence) : .wait(until: patience)
        }
    }

    /// Until when to wait for calls: to the end of the session, or of the next step of silence.
    private var patience: ContinuousClock.Instant? {
        switch settings.clock {
        case .real: open.map { $0.beganAt + settings.sessionLimit }
        case .virtual: .now + settings.step
        }
    }

    /// Changes the record of a session.
    func record(_ number: Int, _ change: (inout SessionRecord) -> Void) {
        state.withLock { change(&$0.records[number]) }
        state.wakeAll()
    }
}
