/// A way for a foreign program to reach the field; open until closed.
public protocol Transport: AnyObject, Sendable {
    /// The name of the transport in scenario files and reports.
    var name: String { get }
    /// The environment variables that lead a client to the transport, the most common first; empty if clients need none.
    var environment: [(name: String, value: String)] { get }
    /// The address for clients: a path, or a port of 127.0.0.1; `nil` if the transport has no address of its own.
    var address: String? { get }
    /// A Boolean value that indicates whether a client has used the transport.
    var wasUsed: Bool { get }
    /// Client activity that the field does not show.
    var activity: TransportActivity { get }
    /// Waits up to `limit` until a new client would find the cards that are present.
    func settle(within limit: Duration)
    /// A Boolean value that indicates whether the system service that the transport needs, if any, is running.
    var isReachable: Bool { get }
    /// Stops admitting clients and reporting to connected ones, who may still finish what they have begun.
    ///
    /// The transport must still be closed afterwards.
    func retire()
    /// The name of a reader of the world as clients see it; `nil` if the transport has no names or the reader is unplugged.
    func name(ofReader number: Int) -> String?
    /// Plugs in, unplugs and refreshes readers to match the world now; otherwise clients see the changes a moment later.
    func follow()
    /// The number of connected clients, for transports that know it.
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

/// The activity of a transport's clients: using a card, or only waiting for one to arrive or leave.
public struct TransportActivity: Hashable, Sendable {
    /// The number of consecutive checks after which a client counts as only waiting.
    private static let enoughChecks = 10

    /// A Boolean value that indicates whether a client is in a call that returns when a card arrives or leaves.
    public var isWaiting = false
    /// A Boolean value that indicates whether clients wait for a first card: none has been shown to them.
    public var awaitsArrival = false
    /// The number of consecutive requests that only asked whether a card is present.
    public var checks = 0
    /// The number of other requests.
    public var actions = 0

    public init(isWaiting: Bool = false, awaitsArrival: Bool = false, checks: Int = 0, actions: Int = 0) {
        (self.isWaiting, self.awaitsArrival) = (isWaiting, awaitsArrival)
        (self.checks, self.actions) = (checks, actions)
    }

    /// Creates the activity of a chip that answers a search once a card arrives.
    init(isSearching: Bool) { self.init(isWaiting: isSearching, awaitsArrival: isSearching) }

    /// A Boolean value that indicates whether clients do nothing but ask whether a card is present.
    public var isPolling: Bool { checks >= Self.enoughChecks }

    public mutating func add(_ other: TransportActivity) {
        isWaiting = isWaiting || other.isWaiting
        awaitsArrival = awaitsArrival || other.awaitsArrival
        checks += other.checks
        actions += other.actions
    }
}
