import TapWire

extension ResourceManager {
    /// So often a client may use a handle that it was told is no longer that of its card, before it is held to have
    /// heard it: its threads may have been on their way.
    private static let toleratedUses = 2

    /// Notes a call that no sound client makes.
    mutating func misuse(_ call: String, _ reason: String) {
        guard usage.misuses.count < ServiceUsage.maximumMisuses else { return }
        usage.misuses.append(ServiceUsage.Misuse(call: call, reason: reason))
    }

    /// Notes that a client uses a handle; one whose card was reset or removed wants SCardReconnect first.
    mutating func noteUse(of card: Int32, by call: String) {
        guard let event = cards[card]?.event, event != .none else { return }
        let uses = (cards[card]?.usesSinceEvent ?? 0) + 1
        cards[card]?.usesSinceEvent = uses
        guard uses == Self.toleratedUses + 1 else { return }
        let what = event == .removed ? "removed" : "reset by another"
        misuse(call, "on and on with a handle whose card was \(what), instead of SCardReconnect")
    }

    /// Whether a connection is in a transaction that it has begun.
    func isInTransaction(_ card: Int32) -> Bool {
        cards[card].flatMap { readers[$0.reader] }?.isInTransaction(of: card) ?? false
    }

    /// Whether a connection is in a transaction that its client could have ended.
    func hasForgottenTransaction(_ card: Int32) -> Bool {
        isInTransaction(card) && !excuses.transactions.contains(card) && !excuses.cards.contains(card)
    }

    /// Counts what a client has open when its context is released or it ends.
    mutating func countOpen(of client: ClientID) {
        guard !excuses.isStopped else { return }
        let open = clients[client]?.cards.filter { cards[$0] != nil && !excuses.cards.contains($0) } ?? []
        usage.cards += open.count
        usage.transactions += open.count(where: hasForgottenTransaction)
    }

    /// Counts the context of a client that ends without having released it.
    mutating func countContext(of client: ClientID) {
        guard clients[client]?.context ?? 0 != 0, !excuses.contexts.contains(client), !excuses.isStopped else { return }
        usage.contexts += 1
    }
}
