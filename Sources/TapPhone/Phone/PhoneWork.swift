import TapDoors
import TapField
import TapScenario
import TapWire

/// What the thread of a phone has in hand.
struct PhoneWork: Sendable {
    struct OpenSession: Sendable {
        let session: any PhoneSession
        let request: PhoneSessionRequest
        /// What it looks for now.
        var current: PhoneSessionRequest
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

    func record(_ number: Int, _ change: (inout SessionRecord) -> Void) {
        state.withLock { change(&$0.records[number]) }
        state.wakeAll()
    }
}

/// How sessions begin and end.
extension PhoneWork {
    /// How many sessions may wait for the one that is open; one more hears that the system is busy.
    private static let longestQueue = 16
    /// The note of a session for which not even system codes were assumed.
    private static let noInfoPlist =
        "No Info.plist was given, so NFCReaderUsageDescription counts as declared. A device ends an app that begins a "
        + "session without it."

    func isOpen(_ session: (any PhoneSession)?) -> Bool {
        guard let open, let session else { return false }
        return open.session === session
    }

    mutating func begin(_ session: any PhoneSession, _ request: PhoneSessionRequest) {
        guard !isOpen(session) else { return }
        if open != nil, settings.policy.secondSession == .queue, waiting.count < Self.longestQueue {
            waiting.append((session, request))
            return
        }
        let number = addRecord()
        do {
            try admit(request)
        } catch {
            refuse(session, number, error)
            return
        }
        // A session that does not come about has no sheet.
        record(number) { $0.show(request.alert) }
        let discovery = reader.discovery
        reader = PhoneReader(declarations: declarations(of: request), policy: settings.policy)
        // Tags of a session before are none of this one.
        reader.discovery = discovery
        let (began, exchange) = host.perform { ($0.now, $0.exchangeCount) }
        open = OpenSession(
            session: session, request: request, current: request, number: number, began: began, beganAt: .now,
            firstExchange: exchange)
        session.phoneDidActivate()
        follow(.activated)
    }

    private func addRecord() -> Int {
        state.withLock { state in
            state.records.append(SessionRecord())
            return state.records.count - 1
        }
    }

    /// Whether the phone opens a session at all.
    private mutating func admit(_ request: PhoneSessionRequest) throws(PhoneError) {
        guard open == nil else {
            throw PhoneError(.systemIsBusy, reason: "another session is open; a phone has one at a time")
        }
        if let fault = host.perform({ $0.faults(at: .began) }).first(where: \.keepsSessionFromBeginning) {
            throw PhoneError(fault.code(in: .began))
        }
        guard request.isSupported else {
            throw PhoneError(.unsupportedFeature, reason: "sessions of this kind are not simulated")
        }
        guard state.withLock({ $0.isRadioOn }) else { throw PhoneError(.radioDisabled) }
        try declarations(of: request).check(request.technologies)
    }

    /// What holds for a session: what it declares itself, else what the app does.
    ///
    /// The sentence for the user stands in Info.plist alone.
    func declarations(of request: PhoneSessionRequest) -> PhoneDeclarations {
        guard let own = request.declarations, settings.declarations.isGiven else {
            return request.declarations ?? settings.declarations
        }
        return PhoneDeclarations(
            feliCaSystemCodes: own.feliCaSystemCodes, iso7816SelectIdentifiers: own.iso7816SelectIdentifiers,
            usageDescription: settings.declarations.usageDescription)
    }

    /// Shows what the reader has become to who asks from another thread.
    func publish() {
        let reader = open == nil ? nil : reader
        state.withLock { $0.reader = reader }
    }

    /// Ends a session that was never open.
    func refuse(_ session: any PhoneSession, _ number: Int, _ error: PhoneError) {
        record(number) { $0.error = error }
        tell(session, number, error)
    }

    private func tell(_ session: any PhoneSession, _ number: Int, _ error: PhoneError) {
        let state = state
        session.phoneDidInvalidate(error) {
            state.withLock { $0.records[number].isTold = true }
            state.wakeAll()
        }
    }

    mutating func setAlert(_ text: String, of session: any PhoneSession) {
        guard isOpen(session), let open else { return }
        record(open.number) { $0.show(text) }
        follow(.alert)
    }

    mutating func invalidate(_ session: any PhoneSession, message: String?) {
        if let place = waiting.firstIndex(where: { $0.session === session }) {
            refuse(waiting.remove(at: place).session, addRecord(), PhoneError(.userCanceled))
        }
        guard isOpen(session), let open else { return }
        record(open.number) { record in
            record.errorMessage = message
            record.isEndedByApp = true
        }
        end(PhoneError(.userCanceled))
    }

    mutating func setRadio(on isOn: Bool) {
        state.withLock { $0.isRadioOn = isOn }
        if !isOn { end(PhoneError(.radioDisabled)) }
    }

    /// Ends the session that is open, if one is, and begins the next that waits.
    mutating func end(_ error: PhoneError) {
        guard let ended = open else { return }
        open = nil
        publish()
        let (now, exchanges) = host.perform { world in
            world.happened(PhoneEvent.ended)
            world.switchField(on: false)
            return (world.now, world.trace.exchanges)
        }
        record(ended.number) { record in
            record.error = error
            record.notes = reader.notes + record.notes
            if !settings.declarations.isGiven, reader.assumedCodes.isEmpty { record.notes.append(Self.noInfoPlist) }
            record.exchanges = Array(exchanges.dropFirst(ended.firstExchange))
            record.duration = settings.clock == .virtual ? now - ended.began : .now - ended.beganAt
        }
        tell(ended.session, ended.number, error)
        while open == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            begin(next.session, next.request)
        }
    }

    /// Ends the session whose end a fault has brought about in a call, behind the handler of that call.
    mutating func endPending() {
        guard let error = pendingEnd else { return }
        pendingEnd = nil
        end(error)
    }

    mutating func endAll(_ error: PhoneError) {
        let left = waiting
        waiting = []
        end(error)
        for next in left { refuse(next.session, addRecord(), error) }
    }
}

/// How the phone looks for tags, and how time passes while it does.
extension PhoneWork {
    /// How often it looks without any card having come or gone, before it waits for one to.
    ///
    /// A card that was silent once is found by the next look.
    private static let sweepsInVain = 8
    /// The pause between two looks, in card time.
    private static let pause = Duration.milliseconds(250)
    /// What passes when an app lets the phone look again, where time is virtual.
    ///
    /// Apps wait about so long by the clock of the machine before they do, for two cards to become one.
    private static let pauseOfApps = Duration.milliseconds(500)

    mutating func restartPolling(
        _ session: any PhoneSession, _ request: PhoneSessionRequest?, waitsForLeaving: Bool
    ) {
        guard isOpen(session), let open else { return }
        let request = request ?? open.request
        do {
            try declarations(of: request).check(request.technologies)
        } catch {
            end(error)
            return
        }
        reader.declarations = declarations(of: request)
        host.perform { world in
            reader.disconnect(in: &world)
            guard settings.clock == .virtual else { return }
            world.advance(by: max(.zero, min(Self.pauseOfApps, open.began + settings.sessionLimit - world.now)))
        }
        self.open?.current = request
        self.open?.search = waitsForLeaving ? .untilLeft : .looking(sweeps: 0)
        publish()
        follow(.restarted)
    }

    /// Cards have come or gone since the phone looked, or may have.
    mutating func fieldHasChanged() {
        guard let open else { return }
        switch open.search {
        case .looking, .resting:
            guard open.seen != host.perform({ $0.presenceCount }) else { return }
            self.open?.search = .looking(sweeps: 0)
        case .untilLeft:
            let isAnyLeft = host.perform { world in reader.tags.indices.contains { reader.isPresent($0, in: world) } }
            if !isAnyLeft { self.open?.search = .looking(sweeps: 0) }
        case .over: break
        }
    }

    /// Does what is to be done while nobody calls, until there is nothing left but to wait.
    mutating func moveOn() {
        if settings.clock == .virtual, let open, host.perform({ $0.now }) >= open.began + settings.sessionLimit {
            endOfTime()
        }
        fieldHasChanged()
        while case .looking(let sweeps)? = open?.search { look(sweeps) }
    }

    private mutating func look(_ sweeps: Int) {
        guard let open else { return }
        let (tags, names, faults) = host.perform { world in
            self.open?.seen = world.presenceCount
            let tags = reader.look(for: open.current.technologies, in: &world)
            let names = tags.map { world.cards[reader.tags[$0.number].card].name }
            return (tags, names, world.takePhoneFaults())
        }
        publish()
        if let fault = faults.first(where: \.endsSession) {
            end(PhoneError(fault, in: .detected))
        } else if tags.isEmpty {
            goOn(afterLooking: sweeps)
        } else {
            self.open?.search = .over
            record(open.number) { record in
                record.tags += tags
                record.cards += names
            }
            if follow(.detected) { open.session.phoneDidDetect(tags) }
        }
    }

    /// Goes on after a look that has found nothing.
    private mutating func goOn(afterLooking sweeps: Int) {
        let isAnyThere = host.perform { $0.cards.contains(where: \.isPresent) }
        if isAnyThere, sweeps < Self.sweepsInVain {
            open?.search = .looking(sweeps: sweeps + 1)
            host.perform { $0.advance(by: Self.pause) }
        } else {
            open?.search = .resting
            // What the timeline holds for later comes at once, since nobody does anything before.
            if settings.clock == .virtual { while open?.search == .resting, jump() {} }
        }
    }

    /// Lets virtual time jump to the next step of the timeline within the session.
    private mutating func jump() -> Bool {
        guard let open else { return false }
        let hasJumped = host.perform { world in
            guard let next = world.nextPlannedInstant, next < open.began + settings.sessionLimit else {
                return false
            }
            world.advance(by: max(.zero, next - world.now))
            return true
        }
        if hasJumped { fieldHasChanged() }
        return hasJumped
    }

    /// The app has done nothing for a while, or its time is over.
    mutating func passTime() {
        guard open != nil else { return }
        guard settings.clock == .virtual else { return endOfTime() }
        guard !jump() else { return }
        endOfTime(
            "the app did nothing for \(settings.idle) by the clock of the machine, so virtual time went on to the end of "
                + "the session; let it wait less, or give it a longer idle time or the real clock")
    }

    private mutating func endOfTime(
        _ reason: String = "the session was open for its longest time without an end by the app"
    ) {
        guard let open else { return }
        if settings.clock == .virtual {
            host.perform { $0.advance(by: max(.zero, open.began + settings.sessionLimit - $0.now)) }
        }
        end(PhoneError(.sessionTimeout, reason: reason))
    }
}

/// How calls of an app reach a tag.
extension PhoneWork {
    mutating func connect(to tag: PhoneTag, of session: any PhoneSession) -> Result<Bool, PhoneError> {
        call(session, as: .connected) { reader, world throws(PhoneError) in
            try reader.connect(to: tag, in: &world)
            return true
        }
    }

    mutating func perform<Value: Sendable>(
        for session: (any PhoneSession)?, as event: PhoneEvent,
        _ body: (inout PhoneReader, inout World) throws(PhoneError) -> Value
    ) -> Result<Value, PhoneError> {
        let number = open?.number
        var commands: [String] = []
        let result = call(session, as: event) { reader, world throws(PhoneError) in
            let first = world.trace.events.count
            defer {
                commands =
                    event == .command
                    ? world.trace.events.dropFirst(first).compactMap(\.commandName) : ["phone.\(event.rawValue)"]
            }
            return try body(&reader, &world)
        }
        if let number, !commands.isEmpty { record(number) { $0.commands += commands } }
        return result
    }

    /// Lets the reader do something for the session that is open; a fault may let it fail or end the session.
    private mutating func call<Value: Sendable>(
        _ session: (any PhoneSession)?, as event: PhoneEvent,
        _ body: (inout PhoneReader, inout World) throws(PhoneError) -> Value
    ) -> Result<Value, PhoneError> {
        guard isOpen(session) else {
            return .failure(
                PhoneError(
                    .sessionInvalidated, reason: "the session of the tag has ended, so that no command reaches it"))
        }
        defer { publish() }
        // A fault is injected into a call before it reaches the tag, or at its frames; into connecting, once the tag has answered.
        let isConnecting = event == .connected
        let (result, fault) = host.perform { world -> (Result<Value, PhoneError>?, PhoneFault?) in
            if !isConnecting, let fault = world.faults(at: event).first { return (nil, fault) }
            let result = Self.result(of: body, &reader, &world)
            if isConnecting, case .success = result { world.happened(event) }
            let fault = world.takePhoneFaults().first
            if isConnecting, fault != nil { reader.disconnect(in: &world) }
            return (result, fault)
        }
        guard let fault else { return result ?? .failure(PhoneError(.tagResponseError)) }
        return .failure(fail(by: fault, in: event))
    }

    private static func result<Value>(
        of body: (inout PhoneReader, inout World) throws(PhoneError) -> Value, _ reader: inout PhoneReader,
        _ world: inout World
    ) -> Result<Value, PhoneError> {
        do throws(PhoneError) {
            return .success(try body(&reader, &world))
        } catch {
            return .failure(error)
        }
    }
}

extension TraceEvent {
    /// The name of the command that the event is, or its bytes where it has none; `nil` for another event.
    fileprivate var commandName: String? {
        guard case .command(let frame) = kind else { return nil }
        return CommandFacts(frame).name?.rawValue ?? Hex.text(frame.bytes)
    }
}

/// What faults do to sessions and calls.
extension PhoneWork {
    /// Tells the field of an event of the session that is open, and ends the session where a fault has it so.
    ///
    /// - Returns: Whether the session goes on.
    @discardableResult
    mutating func follow(_ event: PhoneEvent) -> Bool {
        guard open != nil else { return false }
        guard let fault = host.perform({ $0.faults(at: event) }).first(where: \.endsSession) else { return true }
        end(PhoneError(fault, in: event))
        return false
    }

    /// Carries out a fault of a call, and gives the error that the call has.
    mutating func fail(by fault: PhoneFault, in event: PhoneEvent) -> PhoneError {
        let error = PhoneError(fault, in: event)
        guard fault.endsSession else { return error }
        pendingEnd = error
        return PhoneError(.sessionInvalidated, reason: "the session ended in the middle of the call: \(error)")
    }
}

extension World {
    /// Tells the plan of an event, and takes the faults that are injected at it.
    mutating func faults(at event: PhoneEvent) -> [PhoneFault] {
        happened(event)
        return takePhoneFaults()
    }
}

extension PhoneError {
    /// What the app hears of a fault.
    init(_ fault: PhoneFault, in event: PhoneEvent) {
        let code = fault.code(in: event)
        if case .stackError = fault {
            self.init(code, text: "Stack Error", underlying: .connectionClosed)
        } else {
            self.init(code)
        }
    }
}
