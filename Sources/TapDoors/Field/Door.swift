import TapWire

/// A way for a foreign program to reach the field, open from its making until it is closed.
public protocol Door: AnyObject, Sendable {
    /// The word by which scenario files and reports speak of the door.
    var name: String { get }
    /// The variables that tell a client where the door is, the one most clients read first; none where they find it by
    /// themselves.
    var environment: [(name: String, value: String)] { get }
    /// Whether a client has come through it.
    var wasUsed: Bool { get }
    /// What its clients do, as far as the field does not show it.
    var activity: DoorActivity { get }
    /// Waits until a client that comes now finds the cards that are there, at most so long.
    func settle(within limit: Duration)
    /// Whether what the door leads through is there; false where a service of the system is needed and does not run.
    var isReachable: Bool { get }
    /// Closes the door and ends its threads.
    func close()
}

extension Door {
    /// Nothing: every frame of a client is seen in the field.
    public var activity: DoorActivity { DoorActivity() }

    /// Does nothing: what is there is found at once.
    public func settle(within limit: Duration) {}

    /// True: the door is all there is.
    public var isReachable: Bool { true }
}

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

/// The protocol a foreign client speaks through a door, without any input or output.
///
/// Bytes go in by ``receive(_:)``; ``next()`` says what to do about them until there is nothing left; the result of an
/// exchange comes back by ``finish(_:)``.
public protocol DoorCore: Sendable {
    /// Takes bytes from the client: one datagram, or what a stream gave.
    mutating func receive(_ bytes: [UInt8])

    /// What is to be done next, or `nil` until more bytes come or an exchange is finished.
    mutating func next() -> DoorAction?

    /// Takes the answer to the exchange asked for last, or `nil` for silence.
    mutating func finish(_ answer: AirFrame?)
}

/// What a door core wants done.
public enum DoorAction: Hashable, Sendable {
    /// Send a frame into the field and finish with what comes back.
    case exchange(AirFrame)
    /// Switch the field.
    case switchField(on: Bool)
    /// Send bytes to the client.
    case send([UInt8])
}
