import TapDocument
import TapHost
import TapSystem
import TapField
import TapJudge
import TapScenario
import TapServe
import TapWire

/// An iPhone with virtual cards, used through Core NFC's sessions.
///
/// It has a field whose cards others may move, and a thread that handles all session events in order. Any thread may call it.
public final class VirtualPhone: Sendable {
    struct State {
        var jobs: [@Sendable (inout PhoneWork) -> Void] = []
        var hasFieldChanged = false
        var isClosed = false
        /// The number of calls after the phone was closed.
        var lateCalls = 0
        /// Calls of apps that keep calling a closed phone; they are never answered.
        var unanswered: [@Sendable () -> Void] = []
        var records: [SessionRecord] = [] { didSet { changes &+= 1 } }
        /// The number of changes to the records.
        private(set) var changes = 0
        /// The number of sessions that ``nextEnd(_:)`` has returned.
        var taken = 0
        var reader: PhoneReader?
        var isRadioOn = true
        var silence = Silence()
        var waiters = 0
        /// The thread on which the app last ended a session.
        var endingThread: OtherThread?
        /// The number of ended sessions that still have tasks.
        var endedSessionsAtWork = 0
    }

    /// The number of calls that a closed phone answers, and of further calls that it keeps.
    private static let mostLateCalls = 64

    public let host: FieldHost
    public let settings: PhoneSettings
    let state = Condition(State())
    private let thread = Lock<BlockingThread?>(nil)

    /// - Parameter host: The field, which the phone will close. With the real clock the field's timeline must follow real
    ///   time, too.
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

    /// Ends the open session as terminated unexpectedly, and ends the thread.
    ///
    /// Later calls get no answer, and a second close is ignored.
    public func close() {
        // The host closes first, so that no call waits for a delay to pass.
        host.close()
        state.withLock { $0.isClosed = true }
        state.wakeAll()
        thread.withLock { $0 }?.join()
    }

    deinit {
        // The phone's own thread may hold the last reference, so this must not wait for it.
        host.close()
        state.withLock { $0.isClosed = true }
        state.wakeAll()
    }

    /// A Boolean value that indicates whether the phone has NFC.
    public var isReadingAvailable: Bool {
        guard !state.withLock({ $0.isClosed }) else { return false }
        return !host.perform { $0.faults(at: .available) }.contains(.unsupported)
    }

    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// All sessions, in the order in which they began.
    public var sessions: [SessionRecord] { state.withLock { $0.records } }

    /// Submits work to the phone's thread; it is dropped if the phone is closed.
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

/// Calls from sessions; each returns at once.
extension VirtualPhone {
    /// Begins a session; returns false if the phone is closed and will not report to it.
    public func begin(_ session: any PhoneSession, _ request: PhoneSessionRequest) -> Bool {
        submit { $0.begin(session, request) }
    }

    public func setAlert(_ text: String, of session: any PhoneSession) {
        submit { $0.setAlert(text, of: session) }
    }

    /// Ends a session on behalf of its app.
    ///
    /// Does nothing if the session is not open.
    ///
    /// - Parameter message: The error text; `nil` if the session succeeded.
    public func invalidate(_ session: any PhoneSession, message: String?) {
        state.withLock { $0.endingThread = .current }
        submit { $0.invalidate(session, message: message) }
    }

    /// Ends a session on behalf of the phone, for example after the first message.
    public func end(_ session: any PhoneSession, with error: PhoneError) {
        submit { work in
            if work.isOpen(session) { work.end(error) }
        }
    }

    /// Looks for tags again, which invalidates earlier tags.
    ///
    /// Does nothing if the session is not open.
    ///
    /// - Parameters:
    ///   - request: The new search, if it changes.
    ///   - waitsForLeaving: A Boolean value that indicates whether the found tags have to leave first.
    public func restartPolling(
        _ session: any PhoneSession, _ request: PhoneSessionRequest? = nil, waitsForLeaving: Bool = false
    ) {
        submit { $0.restartPolling(session, request, waitsForLeaving: waitsForLeaving) }
    }

    public func connect(
        to tag: PhoneTag, of session: any PhoneSession,
        completion: @escaping @Sendable (Result<Bool, PhoneError>) -> Void
    ) {
        answer(completion) { $0.connect(to: tag, of: session) }
    }

    /// Adds a note for the tester to an open session.
    public func note(_ text: String, of session: any PhoneSession) {
        submit { work in
            guard work.isOpen(session), let open = work.open else { return }
            work.record(open.number) { if !$0.notes.contains(text) { $0.notes.append(text) } }
        }
    }

    /// Performs a call on its tag.
    ///
    /// - Parameters:
    ///   - session: The session; `nil` if it is gone.
    ///   - completion: Called with the result on the phone's thread; error 103 if the session is not open.
    public func perform<Value: Sendable>(
        for session: (any PhoneSession)?, as event: PhoneEvent = .command,
        _ body: @escaping @Sendable (inout PhoneReader, inout World) throws(PhoneError) -> Value,
        completion: @escaping @Sendable (Result<Value, PhoneError>) -> Void
    ) {
        answer(completion) { $0.perform(for: session, as: event, body) }
    }

    /// Answers a call on the phone's thread.
    ///
    /// A closed phone answers that the session is over. After too many calls it stops answering, since nothing else stops an
    /// app that retries forever after its test.
    private func answer<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, PhoneError>) -> Void,
        _ call: @escaping @Sendable (inout PhoneWork) -> Result<Value, PhoneError>
    ) {
        let isTaken = submit { work in
            completion(call(&work))
            work.endPending()
        }
        guard !isTaken else { return }
        let refusal = { @Sendable in completion(.failure(PhoneError(.sessionInvalidated))) }
        let isHeld = state.withLock { state in
            state.lateCalls += 1
            guard state.lateCalls > Self.mostLateCalls else { return false }
            // If dropped, it would look like a mistake of the caller that waits for it.
            if state.unanswered.count < Self.mostLateCalls { state.unanswered.append(refusal) }
            return true
        }
        if !isHeld { refusal() }
    }

    /// The reader of the open session after its last call, if any.
    public var reader: PhoneReader? { state.withLock { $0.reader } }

    /// Returns whether a tag is connected and still present.
    public func isAvailable(_ tag: PhoneTag) -> Bool {
        guard let reader else { return false }
        return host.perform(plansAhead: false) { reader.isAvailable(tag, in: $0) }
    }
}

extension VirtualPhone {
    /// Waits for the next session that has ended and whose app was informed, in the order in which they began; `nil` after
    /// too long.
    public func nextEnd(_ wait: PhoneWait) -> SessionRecord? {
        wait.value { state in
            guard state.taken < state.records.count, state.records[state.taken].isReported else { return nil }
            state.taken += 1
            return state.records[state.taken - 1]
        }
    }

    /// Waits until `isMet`, which is called after each change, is true for the last session; `nil` after too long.
    public func session(_ wait: PhoneWait, until isMet: (SessionRecord) -> Bool) -> SessionRecord? {
        var seen: Int?
        while true {
            let change = wait.value { state in
                state.changes == seen ? nil : (state.changes, state.records.last)
            }
            guard let change else { return nil }
            seen = change.0
            // Called outside the lock, since it may use the phone.
            if let last = change.1, isMet(last) { return last }
        }
    }

    /// Advances virtual time: sessions end and steps of the timeline happen.
    ///
    /// Does nothing with the real clock, since real time passes by itself.
    public func pass(_ time: Duration) {
        guard settings.clock == .virtual else { return }
        submit { $0.pass(time) }
    }

    /// Waits until the phone has completed earlier requests and has seen the current field.
    public func catchUp() {
        let isDone = Condition(false)
        let isTaken = submit { work in
            work.moveOn()
            isDone.withLock { $0 = true }
            isDone.wakeAll()
        }
        guard isTaken else { return }
        isDone.waitUntilDone { $0 ? .done(()) : .wait(until: nil) }
    }
}

extension VirtualPhone {
    /// Creates a phone with the cards of a case, whose client is not started.
    public convenience init(
        _ scenarioCase: ScenarioCase, _ settings: PhoneSettings = PhoneSettings(),
        observer: (any TraceObserver)? = nil
    ) throws(SystemError) {
        let world = Self.makeWorld(of: scenarioCase, settings, observer: observer)
        let pace: FieldHost.Pace =
            switch (settings.clock, scenarioCase.pace) {
            case (.virtual, _): .virtual
            case (.real, .card): .card
            case (.real, .asap): .atOnce
            }
        try self.init(FieldHost(world, pace: pace), settings)
    }

    static func makeWorld(
        of scenarioCase: ScenarioCase, _ settings: PhoneSettings, observer: (any TraceObserver)? = nil
    ) -> World {
        var world = scenarioCase.makeQuietWorld(trace: Trace(observer: observer))
        if settings.clock == .real { world.followMeasuredClock() }
        scenarioCase.beginVisit(in: &world)
        return world
    }
}

extension VirtualPhone {
    /// The phone of the current task and its child tasks.
    @TaskLocal public static var current: VirtualPhone?

    private static let standard = Lock<VirtualPhone?>(nil)
    private static let lender = Lock(Lender())

    /// The phone for code outside such tasks, for example on a queue of the app.
    public static var processDefault: VirtualPhone? {
        get { standard.withLock { $0 } }
        set { standard.withLock { $0 = newValue } }
    }

    /// A closure that returns whether the calling code, outside such tasks, may use the process's phone.
    ///
    /// It always may at first. Among parallel tests, a test without a phone must not use another test's phone.
    public static var lendsProcessDefault: @Sendable () -> Bool {
        get { lender.withLock { $0 }.lends }
        set { lender.withLock { $0.lends = newValue } }
    }

    /// The phone for a session that begins here: the task's, else the process's.
    public static var inEffect: VirtualPhone? {
        if let current { return current }
        return lendsProcessDefault() ? processDefault : nil
    }
}

/// The check that decides who may use the process's phone.
///
/// A lock around the bare closure would wrap it once more at each call.
private struct Lender {
    var lends: @Sendable () -> Bool = { true }
}

/// Actions of the person who holds the phone.
extension VirtualPhone {
    /// Presses the Cancel button on the sheet.
    public func cancel() {
        submit { $0.end(PhoneError(.userCanceled)) }
    }

    /// Sends the app to the background, which ends its session.
    public func sendToBackground() {
        submit { $0.end(PhoneError(.sessionTerminatedUnexpectedly)) }
    }

    /// Switches NFC on or off; switching it off ends the session.
    public func setRadio(on isOn: Bool) {
        submit { $0.setRadio(on: isOn) }
    }
}

/// A phone controlled from outside: its sessions use the cards, and its user acts on request.
struct PhoneUser: FieldUser {
    let phone: VirtualPhone
    /// The number of sessions that had begun at the last reset.
    private let forgotten = Lock(0)

    init(_ phone: VirtualPhone) {
        self.phone = phone
    }

    /// The sessions since the last reset.
    private var sessions: ArraySlice<SessionRecord> { phone.sessions.dropFirst(forgotten.withLock { $0 }) }

    private var openSession: SessionRecord? { phone.sessions.last.flatMap { $0.error == nil ? $0 : nil } }

    var status: (rows: [[String]], status: UserStatus) {
        // Includes the app's latest calls.
        phone.catchUp()
        let (session, connected) = (openSession, phone.reader?.connectedTag)
        let state: UserStatus.Session = session == nil ? .none : connected == nil ? .polling : .connected
        let radio = phone.state.withLock { $0.isRadioOn }
        let (sessions, last) = (sessions, sessions.last { $0.error != nil })
        let tag = session == nil ? nil : connected?.identifier
        let status = UserStatus(
            (
                state, session?.alerts.last, tag, radio, sessions.count, last?.error?.code.rawValue, last?.errorMessage
            ))
        let words = session == nil ? "no session" : tag.map { "connected to \($0)" } ?? state.rawValue
        let row = ["phone", radio ? "NFC on" : "NFC off", words, session?.alerts.last ?? last?.error?.text ?? ""]
        return (rows: [row.map(PrintableText.visible)], status: status)
    }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        guard case .phone(let act) = request else {
            throw ControlRefusal(
                "a phone has no reader to plug in or unplug; `phone radio off` switches its NFC off")
        }
        switch act {
        case .cancel: return try end("the user cancels the session") { $0.cancel() }
        case .background:
            return try end("the app goes to the background, and the session ends") { $0.sendToBackground() }
        case .radio(let isOn):
            phone.setRadio(on: isOn)
            phone.catchUp()
            return ControlAnswer("NFC is \(isOn ? "on" : "off")", ServiceOutput.radio.node(isOn))
        }
    }

    private func end(_ words: String, _ act: (VirtualPhone) -> Void) throws(ControlRefusal) -> ControlAnswer {
        guard openSession != nil else { throw ControlRefusal("no session is open; the app has to begin one first") }
        act(phone)
        phone.catchUp()
        return ControlAnswer(words, ServiceOutput.ended.node(()))
    }

    var hasPhone: Bool { true }

    func cardsHaveMoved() {
        phone.catchUp()
    }

    func fieldHasRestarted() {
        phone.sendToBackground()
        phone.setRadio(on: true)
        phone.catchUp()
        forgotten.withLock { $0 = phone.sessions.count }
    }

    func record(of world: World) -> RunRecord {
        phone.catchUp()
        var record = RunRecord(world: world, client: ClientReport(end: .elsewhere))
        record.phone = PhoneReport(sessions.map(\.report))
        return record
    }
}

extension PhoneTag {
    /// The IDm or the UID in hexadecimal.
    fileprivate var identifier: String {
        switch kind {
        case .feliCa(let idm, _, _): "\(idm)"
        case .miFare(let uid, _, _): "\(uid)"
        }
    }
}
