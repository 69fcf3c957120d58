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
