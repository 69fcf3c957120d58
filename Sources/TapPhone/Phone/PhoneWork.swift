import TapHost
import TapSystem
import TapField
import TapScenario
import TapWire

/// The state of the phone's thread.
struct PhoneWork: Sendable {
    struct OpenSession: Sendable {
        let session: any PhoneSession
        let request: PhoneSessionRequest
        var current: PhoneSessionRequest
        let number: Int
        let began: Duration
        let beganAt: ContinuousClock.Instant
        let firstExchange: Int
        var search = Search.looking(sweeps: 0)
        /// The world's presence count at the last look.
        var seen: Int?
    }

    /// The phone's search for tags between calls.
    enum Search: Hashable {
        /// The phone has found tags and waits for the app.
        case over
        /// The phone is looking; it has looked `sweeps` times in vain since a card last came or left.
        case looking(sweeps: Int)
        /// The phone waits for cards to come or leave.
        case resting
        /// The phone looks again when the found tags have left.
        case untilLeft
    }

    let host: FieldHost
    let settings: PhoneSettings
    let state: Condition<VirtualPhone.State>
    var reader: PhoneReader
    var open: OpenSession?
    /// The error that ends the session after the handler of the current call.
    var pendingEnd: PhoneError?
    var waiting: [(session: any PhoneSession, request: PhoneSessionRequest)] = []
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

    /// The deadline of the next wait for calls: the end of the session, or the next step of silence.
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

extension PhoneWork {
    /// The number of sessions that may wait for the open one; further sessions fail with "system is busy".
    private static let longestQueue = 16
    /// The note for a session that assumes a usage description and no system codes.
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
        // A session that does not begin has no sheet.
        record(number) { $0.show(request.alert) }
        let discovery = reader.discovery
        reader = PhoneReader(declarations: declarations(of: request), policy: settings.policy)
        // Tags of earlier sessions are not valid here.
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

    /// Checks whether the phone may open a session.
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

    /// Returns the declarations for a session: the app's, as the session uses them.
    func declarations(of request: PhoneSessionRequest) -> PhoneDeclarations {
        request.isForNDEF
            ? settings.declarations.forNDEF : settings.declarations.choosing(request.feliCaSystemCodes)
    }

    /// Publishes the reader for other threads.
    func publish() {
        let reader = open == nil ? nil : reader
        state.withLock { $0.reader = reader }
    }

    /// Ends a session that never opened.
    func refuse(_ session: any PhoneSession, _ number: Int, _ error: PhoneError) {
        record(number) { $0.error = error }
        report(session, number, error)
    }

    private func report(_ session: any PhoneSession, _ number: Int, _ error: PhoneError) {
        let state = state
        session.phoneDidInvalidate(error) {
            state.withLock { $0.records[number].isReported = true }
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

    /// Ends the open session, if any, and begins the next.
    mutating func end(_ error: PhoneError) {
        guard let ended = open else { return }
        open = nil
        publish()
        let (now, exchanges) = host.perform { world in
            world.happened(PhoneEvent.ended)
            world.noteFunction(.phone(.ended), error.description)
            world.switchField(on: false)
            return (world.now, world.trace.exchanges)
        }
        record(ended.number) { record in
            record.error = error
            record.notes = reader.notes + record.notes
            if settings.assumesUsage, reader.assumedCodes.isEmpty { record.notes.append(Self.noInfoPlist) }
            record.exchanges = Array(exchanges.dropFirst(ended.firstExchange))
            record.duration = settings.clock == .virtual ? now - ended.began : .now - ended.beganAt
        }
        report(ended.session, ended.number, error)
        while open == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            begin(next.session, next.request)
        }
    }

    /// Ends the session that a fault ended in a call, after the handler of that call.
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

extension PhoneWork {
    /// The number of looks without a card coming or leaving, after which the phone waits for one.
    ///
    /// A card that missed one look is found by the next.
    private static let sweepsInVain = 8
    /// The pause between looks, in card time.
    private static let pause = Duration.milliseconds(250)
    /// The virtual time that passes when an app restarts polling.
    ///
    /// Apps wait about that long for one of two cards to leave.
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

    /// Handles cards that may have come or left.
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

    /// Works until the phone can only wait.
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

    /// Continues after a look that found no tag.
    private mutating func goOn(afterLooking sweeps: Int) {
        let isAnyThere = host.perform { $0.cards.contains(where: \.isPresent) }
        if isAnyThere, sweeps < Self.sweepsInVain {
            open?.search = .looking(sweeps: sweeps + 1)
            host.perform { $0.advance(by: Self.pause) }
        } else {
            open?.search = .resting
            // Later steps of the timeline happen at once, since no caller acts before them.
            if settings.clock == .virtual { while open?.search == .resting, jump() {} }
        }
    }

    /// Jumps to the next step of the timeline within the session.
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

    /// Handles an idle app or the end of a session's time.
    mutating func passTime() {
        guard open != nil else { return }
        guard settings.clock == .virtual else { return endOfTime() }
        guard !jump() else { return }
        endOfTime(
            "the app did nothing for \(settings.idle) of real time, so virtual time jumped to the end of "
                + "the session; let the app wait less, or set a longer idle time or the real clock")
    }

    private mutating func endOfTime(
        _ reason: String = "the app did not end the session within its maximum time"
    ) {
        guard let open else { return }
        if settings.clock == .virtual {
            host.perform { $0.advance(by: max(.zero, open.began + settings.sessionLimit - $0.now)) }
        }
        end(PhoneError(.sessionTimeout, reason: reason))
    }
}

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

    /// Performs an operation of the reader for the open session.
    ///
    /// A fault may make it fail or end the session.
    private mutating func call<Value: Sendable>(
        _ session: (any PhoneSession)?, as event: PhoneEvent,
        _ body: (inout PhoneReader, inout World) throws(PhoneError) -> Value
    ) -> Result<Value, PhoneError> {
        guard isOpen(session) else {
            return .failure(
                PhoneError(
                    .sessionInvalidated, reason: "the session of the tag has ended, so no command reaches the tag"))
        }
        defer { publish() }
        // A fault is injected before the call reaches the tag, or at its frames; for connecting, after the tag has answered.
        let isConnecting = event == .connected
        let (result, fault) = host.perform { world -> (Result<Value, PhoneError>?, PhoneFault?) in
            let before = world.rfCount
            if !isConnecting, let fault = world.faults(at: event).first {
                world.noteFunction(.phone(event), PhoneError(fault, in: event).description)
                return (nil, fault)
            }
            let result = Self.result(of: body, &reader, &world)
            world.noteHost(since: before)
            if isConnecting, case .success = result { world.happened(event) }
            let fault = world.takePhoneFaults().first
            if isConnecting, fault != nil { reader.disconnect(in: &world) }
            let error = fault.map { PhoneError($0, in: event) } ?? result.error
            world.noteFunction(.phone(event), error?.description ?? Self.success, since: before)
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
    /// The name of the event's command, or its bytes if it has no name; `nil` for other events.
    fileprivate var commandName: String? {
        guard case .command(let frame) = kind else { return nil }
        return CommandFacts(frame).name?.rawValue ?? Hex.text(frame.bytes)
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension PhoneWork {
    /// The result of a successful function.
    fileprivate static let success = "ok"

    /// Reports an event of the open session to the field; returns false if a fault ended the session.
    @discardableResult
    mutating func follow(_ event: PhoneEvent) -> Bool {
        guard open != nil else { return false }
        let faults = host.perform { world in
            world.noteFunction(.phone(event), Self.success)
            return world.faults(at: event)
        }
        guard let fault = faults.first(where: \.endsSession) else { return true }
        end(PhoneError(fault, in: event))
        return false
    }

    /// Applies a fault to a call, and returns the error of the call.
    mutating func fail(by fault: PhoneFault, in event: PhoneEvent) -> PhoneError {
        let error = PhoneError(fault, in: event)
        guard fault.endsSession else { return error }
        pendingEnd = error
        return PhoneError(.sessionInvalidated, reason: "the session ended in the middle of the call: \(error)")
    }
}

extension World {
    /// Counts an event, and returns the faults injected at it.
    mutating func faults(at event: PhoneEvent) -> [PhoneFault] {
        happened(event)
        return takePhoneFaults()
    }
}
