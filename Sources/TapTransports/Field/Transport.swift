/// A way for a foreign program to reach the field; open until it is closed.
public protocol Transport: AnyObject, Sendable {
    /// The name of the transport in scenario files and reports.
    var name: String { get }
    /// The variables that tell a client where the transport is, the most common first; empty if clients need none.
    var environment: [(name: String, value: String)] { get }
    /// Where clients reach it: a path, or a port of 127.0.0.1; `nil` where it has no such place of its own.
    var address: String? { get }
    /// Whether a client has used it.
    var wasUsed: Bool { get }
    /// Activity of its clients that the field does not show.
    var activity: TransportActivity { get }
    /// Waits, at most until `limit`, until a new client would find the cards that are present.
    func settle(within limit: Duration)
    /// Whether the service of the system that the transport needs, if any, is running.
    var isReachable: Bool { get }
    /// Lets no new client in and has nothing to tell those that are there, who may still end what they have begun.
    ///
    /// The transport is closed as well then.
    func retire()
    /// The name of a reader of the world as clients see it; `nil` where the transport has no names, or while it is
    /// unplugged.
    func name(ofReader number: Int) -> String?
    /// Plugs readers in, unplugs and refreshes them to match the world now; otherwise clients see it a moment later.
    func follow()
    /// How many clients are connected, where a transport can tell.
    var clientCount: Int { get }
    /// Closes the transport and ends its threads.
    func close()
}

extension Transport {
    public var address: String? { nil }
    public var activity: TransportActivity { TransportActivity() }
    public func settle(within limit: Duration) {}
    public var isReachable: Bool { true }
    public func retire() { close() }
    public func name(ofReader number: Int) -> String? { nil }
    public func follow() {}
    public var clientCount: Int { 0 }
}

/// What the clients of a transport do: use a card, or only wait for one to arrive or leave.
public struct TransportActivity: Hashable, Sendable {
    /// How many checks in a row show that a client only waits.
    private static let enoughChecks = 10

    /// Whether a client is in a call that returns when a card arrives or leaves.
    public var isWaiting = false
    /// Whether clients wait for a card to come: none has been shown to them.
    public var awaitsArrival = false
    /// How often in a row clients have only asked whether a card is present.
    public var checks = 0
    /// How many other requests they have made.
    public var actions = 0

    public init(isWaiting: Bool = false, awaitsArrival: Bool = false, checks: Int = 0, actions: Int = 0) {
        (self.isWaiting, self.awaitsArrival) = (isWaiting, awaitsArrival)
        (self.checks, self.actions) = (checks, actions)
    }

    /// The activity at a chip that answers a search once a card arrives.
    init(isSearching: Bool) { self.init(isWaiting: isSearching, awaitsArrival: isSearching) }

    /// Whether clients only ask again and again whether a card is present.
    public var isPolling: Bool { checks >= Self.enoughChecks }

    /// Adds the activity of another transport.
    public mutating func add(_ other: TransportActivity) {
        isWaiting = isWaiting || other.isWaiting
        awaitsArrival = awaitsArrival || other.awaitsArrival
        checks += other.checks
        actions += other.actions
    }
}
