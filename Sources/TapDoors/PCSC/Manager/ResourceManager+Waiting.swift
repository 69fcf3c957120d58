import TapWire

extension ResourceManager {
    /// The last version at which the request to wait is answered with the states.
    private static let lastMinorWithStates: Int32 = 5

    /// Notes who is to be told of the next change.
    ///
    /// The states go out as a notice, so that no word of a change can come before them.
    mutating func wait(_ client: ClientID) -> ServiceStep {
        if !waiting.contains(client) { waiting.append(client) }
        if let minor = clients[client]?.minor, minor <= Self.lastMinorWithStates {
            notices.append((client, readerStates))
        }
        return .answer([])
    }

    /// Ends the waiting; whoever was told of a change meanwhile takes that for the answer.
    mutating func stopWaiting(_ client: ClientID) -> ServiceStep {
        endWaiting(of: client, with: .success)
        return .answer([])
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
        for client in waiting { endWaiting(of: client, with: .success) }
    }

    @discardableResult
    private mutating func endWaiting(of client: ClientID, with code: PCSCReturnCode) -> Bool {
        guard let index = waiting.firstIndex(of: client) else { return false }
        waiting.remove(at: index)
        notices.append((client, CountMessage(code).bytes))
        return true
    }
}
