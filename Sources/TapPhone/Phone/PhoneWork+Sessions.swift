import TapDoors
import TapField

/// How sessions begin and end.
extension PhoneWork {
    /// How many sessions may wait for the one that is open; one more hears that the system is busy.
    private static let longestQueue = 16
    /// The note of a session for which not even system codes were assumed.
    private static let noInfoPlist =
        "No Info.plist was given, so NFCReaderUsageDescription counts as declared. A device ends an app that begins a "
        + "session without it."

    /// Whether a session is the one that is open.
    func isOpen(_ session: (any PhoneSession)?) -> Bool {
        guard let open, let session else { return false }
        return open.session === session
    }

    mutating func begin(_ session: any PhoneSession, _ request: PhoneSessionRequest) {
        guard !isOpen(session) else { return }
        if open != nil, settings.policy.secondSession == .queued, waiting.count < Self.longestQueue {
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

    /// Begins a record.
    ///
    /// - Returns: Its number.
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

    /// Ends all sessions, those that wait among them.
    mutating func endAll(_ error: PhoneError) {
        let left = waiting
        waiting = []
        end(error)
        for next in left { refuse(next.session, addRecord(), error) }
    }
}
