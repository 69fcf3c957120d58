/// What the clients of a door do while they do nothing with cards.
public struct DoorRest: Hashable, Sendable {
    /// How often in a row shows that a client does nothing but wait.
    private static let enoughChecks = 10

    /// Whether a client is in a call that returns when a card comes or goes.
    public var isWaiting = false
    /// How often in a row clients have asked for nothing but whether a card is there.
    public var checks = 0
    /// How often they have done something else.
    public var deeds = 0

    /// Creates a rest in which nothing was done.
    public init() {}

    /// Whether clients do nothing but ask again and again whether a card is there.
    public var isPolling: Bool { checks >= Self.enoughChecks }

    /// Takes what clients of another door do along.
    public mutating func add(_ other: DoorRest) {
        isWaiting = isWaiting || other.isWaiting
        checks += other.checks
        deeds += other.deeds
    }
}
