import TapWire

/// What stays open although its client did what it could.
struct Excuses: Hashable {
    /// Contexts of clients that wanted to release them, or were never told of them.
    var contexts: Set<ClientID> = []
    /// Card handles that clients wanted to disconnect, or were never told of.
    var cards: Set<Int32> = []
    /// Handles whose transaction a client wanted to end, or did not know to have begun.
    var transactions: Set<Int32> = []
    /// Whether the service itself has gone.
    var isStopped = false
}

extension ResourceManager {
    /// Notes that a client wanted to give something back and was refused by a fault.
    mutating func excuseRefused(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .release: excuses.contexts.insert(client)
        case .disconnect(let message): excuses.cards.insert(message.card)
        case .endTransaction(let message): excuses.transactions.insert(message.card)
        default: break
        }
    }

    /// Notes that a client was not told that it got something, or gave it back.
    mutating func excuseUntold(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .establish: excuses.contexts.insert(client)
        case .connect: if let card = clients[client]?.cards.last { excuses.cards.insert(card) }
        case .beginTransaction(let message): excuses.transactions.insert(message.card)
        // It asks again with a handle that is none any more, and its connection is broken for that.
        case .disconnect: excuses.contexts.insert(client)
        default: break
        }
    }
}
