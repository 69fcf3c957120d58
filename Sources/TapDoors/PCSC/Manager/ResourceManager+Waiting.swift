import TapWire

extension ResourceManager {
    /// The last version at which the request to wait is answered with the states.
    private static let lastMinorWithStates: Int32 = 5

    /// Notes who is to be told of the next change.
    ///
    /// The states go out as a notice, so that no word of a change can come before them. At 4.6 the client asks for them
    /// after this, and word of a change is held back until it has them: it would take it for their number.
    mutating func wait(_ client: ClientID) -> ServiceStep {
        if !waiting.contains(client) { waiting.append(client) }
        guard let minor = clients[client]?.minor, minor > Self.lastMinorWithStates else {
            notices.append((client, readerStates))
            return .answer([])
        }
        clients[client]?.held = []
        return .answer([])
    }

    /// The states of all places, and behind them what was held back until the client has them.
    mutating func readerArray(_ client: ClientID) -> ServiceStep {
        guard let held = clients[client]?.held else { return .answer(readerStates) }
        clients[client]?.held = nil
        notices.append((client, readerStates + held))
        return .answer([])
    }

    /// Ends the waiting; whoever was told of a change meanwhile takes that for the answer.
    mutating func stopWaiting(_ client: ClientID) -> ServiceStep {
        stopHolding(client)
        endWaiting(of: client, with: .success)
        return .answer([])
    }

    /// Whether word of a change is held back from a client until it has asked for the states.
    func holdsBack(from client: ClientID) -> Bool { clients[client]?.held != nil }

    /// Sends what is held back, to a client that does not ask for the states.
    mutating func stopHolding(_ client: ClientID) {
        guard let held = clients[client]?.held else { return }
        clients[client]?.held = nil
        if !held.isEmpty { notices.append((client, held)) }
    }

    /// Ends the waiting of the client of another connection.
    mutating func cancel(_ message: ContextMessage) -> ServiceStep {
        var answer = message
        let target = clients.first { $0.value.context == message.context && message.context != 0 }?.key
        answer.result = target.map { endWaiting(of: $0, with: .cancelled) } == true ? .success : .invalidHandle
        return .answer(answer.bytes)
    }

    /// Tells all who wait that something has changed.
    mutating func tellChange() {
        guard !losesNextEvent else { return losesNextEvent = false }
        for client in waiting { endWaiting(of: client, with: .success) }
    }

    /// Ends the waiting of a client.
    ///
    /// - Returns: Whether it waited.
    @discardableResult
    mutating func endWaiting(of client: ClientID, with code: PCSCReturnCode) -> Bool {
        guard let index = waiting.firstIndex(of: client) else { return false }
        waiting.remove(at: index)
        let bytes = CountMessage(code).bytes
        if clients[client]?.held == nil { notices.append((client, bytes)) } else { clients[client]?.held = bytes }
        return true
    }
}
