import TapWire

extension ResourceManager {
    /// The scopes there are; they all mean the same.
    private static let scopes: ClosedRange<UInt32> = 0...3

    /// Takes a connection to the service in.
    mutating func admit(_ client: ClientID) {
        clients[client] = Client()
    }

    /// Gives a client a context; the readers look for cards from the first one on.
    mutating func establish(_ message: EstablishMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        guard Self.scopes.contains(message.scope) else {
            answer.context = 0
            answer.result = .invalidValue
            return .answer(answer.bytes)
        }
        return .start { manager in
            answer.context = UInt32(manager.newHandle())
            answer.result = .success
            manager.clients[client]?.context = answer.context
            return .answer(answer.bytes)
        }
    }

    /// Takes a context back, with all connections to cards.
    mutating func release(_ message: ContextMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        let context = clients[client]?.context ?? 0
        answer.result = context == 0 ? .invalidHandle : context == message.context ? .success : .invalidValue
        guard answer.result == .success else { return .answer(answer.bytes) }
        countOpen(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client]?.context = 0
            return .answer(answer.bytes)
        }
    }

    /// Lets a connection to the service go that has ended.
    mutating func dismiss(_ client: ClientID) -> ServiceStep {
        waiting.removeAll { $0 == client }
        countContext(of: client)
        countOpen(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client] = nil
            return .close
        }
    }

    /// Ends all connections to cards; one that has locked its reader leaves the card reset.
    private mutating func disconnectAll(
        _ client: ClientID, then: @escaping (inout ResourceManager) -> ServiceStep
    ) -> ServiceStep {
        guard let card = clients[client]?.cards.first else { return then(&self) }
        clients[client]?.cards.removeFirst()
        guard let entry = cards[card] else { return disconnectAll(client, then: then) }
        let isLocked = readers[entry.reader]?.lockHolder == card
        let disposition = isLocked && entry.event == .none ? PCSCDisposition.reset : .leave
        return disconnect(card, disposition) { manager, _ in manager.disconnectAll(client, then: then) }
    }
}
