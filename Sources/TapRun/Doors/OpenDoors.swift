import TapDoors

/// The doors that are open on one field.
///
/// The first that a client comes through owns the field; none touches it before.
public struct OpenDoors: Sendable {
    /// The doors, in the order in which reports name them.
    public let doors: [any Door]

    /// Opens every door that needs no root.
    ///
    /// - Throws: ``RunError`` if the machine does not give what one needs; none stays open then.
    public init(on host: FieldHost) throws(RunError) {
        do {
            doors = [try NfcpyDoor(host: host)]
        } catch {
            throw RunError(.environment, "the door for nfcpy cannot be opened: \(error)")
        }
    }

    /// The variables that tell a client where the doors are.
    public var variables: [(name: String, value: String)] { doors.compactMap(\.environment) }

    /// The door a client has come through, if one has.
    public var used: (any Door)? { doors.first { $0.wasUsed } }

    /// Closes all of them; a second call does nothing.
    public func close() {
        for door in doors { door.close() }
    }
}
