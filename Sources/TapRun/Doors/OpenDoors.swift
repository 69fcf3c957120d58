import TapDoors
import TapReaders
import TapScenario

/// The doors that are open on one field.
///
/// The first that a client comes through owns the field; none touches it before.
public struct OpenDoors: Sendable {
    /// How long a client is kept waiting for a service of the system that looks for cards now and then.
    private static let settleLimit = Duration.seconds(2)

    /// The doors, in the order in which reports name them.
    public let doors: [any Door]

    /// Opens the door that a reader names, else every door that needs no service of the system.
    ///
    /// - Parameters:
    ///   - host: The field.
    ///   - reader: The reader before which the cards lie.
    ///   - place: Where the socket of the PC/SC service is.
    /// - Throws: ``RunError`` if the machine does not give what one needs; none stays open then.
    public init(on host: FieldHost, _ reader: ReaderSpec, at place: PCSCDoor.Place = .ownFolder) throws(RunError) {
        var opened: [any Door] = []
        for door in reader.door.map({ [$0] }) ?? [.pcsc, .nfcpy] {
            do {
                opened.append(try Self.open(door, on: host, reader, at: place))
            } catch {
                for door in opened { door.close() }
                throw RunError(.environment, "the door for \(door.rawValue) cannot be opened: \(error)")
            }
        }
        doors = opened
    }

    private static func open(
        _ door: ReaderSpec.Door, on host: FieldHost, _ reader: ReaderSpec, at place: PCSCDoor.Place
    ) throws(SystemError) -> any Door {
        switch door {
        case .pcsc: try PCSCDoor(host: host, readers: [reader.makeReader()], at: place)
        case .nfcpy: try NfcpyDoor(host: host)
        case .vpcd:
            try VpcdDoor(
                ReaderSlot(reader.makeReader(), on: host), on: host, port: reader.port ?? VpcdDoor.usualPort)
        }
    }

    /// Waits until a client that is started now finds the cards that are there.
    ///
    /// - Returns: The door that leads nowhere, since the service of the system behind it does not run; usually none.
    @discardableResult
    public func settle() -> (any Door)? {
        for door in doors { door.settle(within: Self.settleLimit) }
        return doors.first { !$0.isReachable }
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

extension ReaderSpec {
    /// The model that stands before the cards.
    func makeReader() -> any PCSCReader { model.makeReader(name: name) }
}
