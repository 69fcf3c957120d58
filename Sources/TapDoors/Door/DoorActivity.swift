/// What a door sees its clients do: use a card, or only wait for one to come or go.
public struct DoorActivity: Hashable, Sendable {
    /// How often in a row shows that a client does nothing but wait.
    private static let enoughChecks = 10

    /// Whether a client is in a call that returns when a card comes or goes.
    public var isWaiting = false
    /// How often in a row clients have asked for nothing but whether a card is there.
    public var checks = 0
    /// How many other requests they have made.
    public var actions = 0

    public init() {}

    /// Whether clients do nothing but ask again and again whether a card is there.
    public var isPolling: Bool { checks >= Self.enoughChecks }

    /// Adds what clients of another door do.
    public mutating func add(_ other: DoorActivity) {
        isWaiting = isWaiting || other.isWaiting
        checks += other.checks
        actions += other.actions
    }
}
