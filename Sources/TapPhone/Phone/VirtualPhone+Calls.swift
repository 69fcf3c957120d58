import TapDoors
import TapField

/// What sessions call; each returns at once.
extension VirtualPhone {
    /// Begins a session.
    ///
    /// - Returns: Whether the phone will tell the session what comes of it; a phone that is closed will not.
    public func begin(_ session: any PhoneSession, _ request: PhoneSessionRequest) -> Bool {
        submit { $0.begin(session, request) }
    }

    /// Changes the text on the sheet of a session.
    public func setAlert(_ text: String, of session: any PhoneSession) {
        submit { $0.setAlert(text, of: session) }
    }

    /// Ends a session for its app.
    ///
    /// - Parameters:
    ///   - session: The session; one that is not open stays as it is.
    ///   - message: The text with which it failed; without one it succeeded.
    public func invalidate(_ session: any PhoneSession, message: String?) {
        submit { $0.invalidate(session, message: message) }
    }

    /// Ends a session for the phone, as after the first message.
    public func end(_ session: any PhoneSession, with error: PhoneError) {
        submit { work in
            if work.isOpen(session) { work.end(error) }
        }
    }

    /// Looks for tags anew; those found before are not valid any more.
    ///
    /// - Parameters:
    ///   - session: The session; one that is not open stays as it is.
    ///   - request: What to look for from now on, where it is something else.
    ///   - waitsForLeaving: Whether the tags found have to leave first.
    public func restartPolling(
        _ session: any PhoneSession, _ request: PhoneSessionRequest? = nil, waitsForLeaving: Bool = false
    ) {
        submit { $0.restartPolling(session, request, waitsForLeaving: waitsForLeaving) }
    }

    /// Connects to a tag of a session.
    public func connect(
        to tag: PhoneTag, of session: any PhoneSession,
        completion: @escaping @Sendable (Result<Bool, PhoneError>) -> Void
    ) {
        let isTaken = submit { work in
            completion(work.connect(to: tag, of: session))
            work.endPending()
        }
        if !isTaken { completion(.failure(PhoneError(.sessionInvalidated))) }
    }

    /// Takes down something that whoever tests the app should know of a session that is open.
    public func note(_ text: String, of session: any PhoneSession) {
        submit { work in
            guard work.isOpen(session), let open = work.open else { return }
            work.record(open.number) { if !$0.notes.contains(text) { $0.notes.append(text) } }
        }
    }

    /// Lets a call of a tag reach it.
    ///
    /// - Parameters:
    ///   - session: The session of the tag; nothing where it is gone.
    ///   - event: What kind of call it is.
    ///   - body: What to do.
    ///   - completion: Called on the thread of the phone with what came of it; a session that is not open gives error
    ///     103.
    public func perform<Value: Sendable>(
        for session: (any PhoneSession)?, as event: PhoneEvent = .command,
        _ body: @escaping @Sendable (inout PhoneReader, inout World) throws(PhoneError) -> Value,
        completion: @escaping @Sendable (Result<Value, PhoneError>) -> Void
    ) {
        let isTaken = submit { work in
            completion(work.perform(for: session, as: event, body))
            work.endPending()
        }
        if !isTaken { completion(.failure(PhoneError(.sessionInvalidated))) }
    }

    /// The reader of the session that is open, as its last call has left it; nothing where none is.
    public var reader: PhoneReader? { state.withLock { $0.reader } }

    /// Whether a tag is the one that commands go to, and still lies there.
    public func isAvailable(_ tag: PhoneTag) -> Bool {
        guard let reader else { return false }
        return host.perform(plansAhead: false) { reader.isAvailable(tag, in: $0) }
    }
}
