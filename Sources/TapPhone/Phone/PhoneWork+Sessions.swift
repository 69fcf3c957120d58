import TapDoors
import TapField
import TapWire

/// How sessions begin, end and are called.
extension PhoneWork {
    /// Whether a session is the one that is open.
    func isOpen(_ session: (any PhoneSession)?) -> Bool {
        guard let open, let session else { return false }
        return open.session === session
    }

    mutating func begin(_ session: any PhoneSession, _ request: PhoneSessionRequest) {
        guard !isOpen(session) else { return }
        if open != nil, settings.policy.secondSession == .queued {
            waiting.append((session, request))
            return
        }
        let number = state.withLock { state in
            state.records.append(SessionRecord())
            return state.records.count - 1
        }
        do {
            try admit(request, number)
        } catch {
            refuse(session, number, error)
            return
        }
        // A session that does not come about has no sheet.
        record(number) { $0.show(request.alert) }
        reader = PhoneReader(declarations: declarations(of: request), policy: settings.policy)
        let (began, exchange) = host.perform { ($0.now, $0.exchangeCount) }
        open = OpenSession(
            session: session, request: request, current: request, number: number, began: began, beganAt: .now,
            firstExchange: exchange)
        session.phoneDidActivate()
        follow(.activated)
    }

    /// Whether the phone opens a session at all.
    private mutating func admit(_ request: PhoneSessionRequest, _ number: Int) throws(PhoneError) {
        guard open == nil else {
            throw PhoneError(.systemIsBusy, reason: "another session is open; a phone has one at a time")
        }
        if let fault = host.faults(at: .began).first(where: \.keepsSessionFromBeginning) {
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
        waiting.removeAll { $0.session === session }
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
            record.notes = reader.notes
            record.exchanges = Array(exchanges.dropFirst(ended.firstExchange))
            record.duration = settings.clock == .virtual ? now - ended.began : .now - ended.beganAt
        }
        tell(ended.session, ended.number, error)
        if !waiting.isEmpty {
            let next = waiting.removeFirst()
            begin(next.session, next.request)
        }
    }

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
        let first = host.perform { $0.trace.events.count }
        let result = call(session, as: event, body)
        if let open {
            let commands = host.perform { $0.trace.events[first...].compactMap(\.commandName) }
            record(open.number) { $0.commands += commands }
        }
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
        // A call can be struck before it reaches the tag, and at its frames; connecting once the tag has answered.
        let isConnecting = event == .connected
        if !isConnecting, let fault = host.faults(at: event).first { return .failure(fail(by: fault, in: event)) }
        let result = host.perform { world -> Result<Value, PhoneError> in
            do throws(PhoneError) {
                return .success(try body(&reader, &world))
            } catch {
                return .failure(error)
            }
        }
        let struck = isConnecting ? host.faults(at: event) : host.takeFaults()
        return struck.first.map { .failure(fail(by: $0, in: event)) } ?? result
    }
}

extension TraceEvent {
    /// The name of the command that the event is, or its bytes where it has none; nothing for another event.
    fileprivate var commandName: String? {
        guard case .command(let frame) = kind else { return nil }
        return CommandFacts(frame).name?.rawValue ?? Hex.text(frame.bytes)
    }
}
