import TapDoors
import TapHost
import TapSystem
import TapField
import TapReaders
import TapScenario

/// The doors that are open on one field; the first that a client uses owns the field.
public struct OpenDoors: Sendable {
    /// How long a client waits for a system service that polls for cards.
    private static let settleLimit = Duration.seconds(2)

    public let doors: [any Door]

    /// Opens the doors that the readers of a case name; without names, those that need no system service; doors at ports
    /// are not in a private place, so they open only if the client asks for them.
    ///
    /// PC/SC readers share one service; of the other doors each knows one reader, the first that does not name another
    /// door.
    ///
    /// - Parameters:
    ///   - place: Where the socket of the PC/SC service is.
    ///   - terminalLink: A path that leads to the pseudo-terminal of libnfc.
    /// - Throws: ``RunError`` if a door cannot be opened; none stays open then.
    public init(
        on host: FieldHost, _ scenarioCase: ScenarioCase, at place: PCSCDoor.Place = .ownFolder,
        terminalLink: String? = nil
    ) throws(RunError) {
        var opened: [any Door] = []
        do {
            for door in ReaderSpec.Door.allCases {
                opened += try Self.open(door, on: host, scenarioCase, at: place, terminalLink)
            }
        } catch {
            for door in opened { door.close() }
            throw error
        }
        doors = opened
    }

    private static func open(
        _ door: ReaderSpec.Door, on host: FieldHost, _ scenarioCase: ScenarioCase, at place: PCSCDoor.Place,
        _ terminalLink: String?
    ) throws(RunError) -> [any Door] {
        let readers = Array(scenarioCase.readersOrDefault.enumerated())
        let named = readers.filter { $0.element.spec.door == door }
        let free = readers.filter { $0.element.spec.door == nil }
        let asked = named.first ?? (scenarioCase.asks(for: door) ? free.first : nil)
        do {
            switch door {
            case .pcsc:
                let behind = readers.filter { $0.element.spec.door ?? .pcsc == .pcsc }
                guard !behind.isEmpty else { return [] }
                return [
                    try PCSCDoor(
                        host: host, readers: behind.map { $0.element.spec.makeReader() }, numbers: behind.map(\.offset),
                        tellsConnections: scenarioCase.waitsForConnections, at: place)
                ]
            case .nfcpy:
                guard let asked else { return [] }
                return [try NfcpyDoor(host: host, reader: asked.offset)]
            case .pn532TCP:
                guard let asked else { return [] }
                let chip = asked.element.spec.model.makeChip()
                return [try PortDoor.pn532(host: host, reader: asked.offset, chip: chip)]
            case .felicaRS:
                guard let asked else { return [] }
                return [try PortDoor.felicaRS(host: host, reader: asked.offset)]
            case .proxmark3:
                guard let asked else { return [] }
                return [try PortDoor.proxmark3(host: host, reader: asked.offset)]
            case .libnfc:
                guard let reader = named.first ?? free.first else { return [] }
                do {
                    let chip = reader.element.spec.model.makeChip()
                    return [try LibnfcDoor(host: host, reader: reader.offset, chip: chip, link: terminalLink)]
                } catch {
                    // A system without pseudo-terminals, such as a root without /dev/pts, has none; that is no harm to
                    // those who did not ask for one.
                    guard named.isEmpty, terminalLink == nil else { throw error }
                    return []
                }
            case .vpcd:
                return try named.map { number, reader throws(SystemError) in
                    let slot = ReaderSlot(reader.spec.makeReader(), at: number, on: host)
                    return try VpcdDoor(slot, on: host, port: reader.spec.port ?? ReaderSpec.defaultPort)
                }
            case .usb:
                guard !named.isEmpty else { return [] }
                return [try USBDoor(host: host, readers: named.map { ($0.offset, $0.element.spec.model) })]
            }
        } catch {
            throw RunError(.environment, "the door for \(door.rawValue) cannot be opened: \(error)")
        }
    }

    /// Waits until a client started now finds the cards.
    ///
    /// - Returns: The door whose system service does not run, if any.
    @discardableResult
    public func settle() -> (any Door)? {
        for door in doors { door.settle(within: Self.settleLimit) }
        return doors.first { !$0.isReachable }
    }

    public var variables: [(name: String, value: String)] { doors.flatMap(\.environment) }

    /// All that a client is told.
    func variables(of scenarioCase: ScenarioCase, in folder: PrivateDirectory) -> [(name: String, value: String)] {
        variables + scenarioCase.clientVariables + [(Leftovers.variable, folder.path)]
    }

    /// Where clients reach the doors, in their order; `nil` if one has no place of its own.
    var addresses: [String]? {
        let addresses = doors.compactMap(\.address)
        return addresses.count == doors.count ? addresses : nil
    }

    public var used: (any Door)? { doors.first { $0.wasUsed } }

    var activity: DoorActivity { doors.reduce(into: DoorActivity()) { $0.add($1.activity) } }

    var clientCount: Int { doors.reduce(0) { $0 + $1.clientCount } }

    func follow() {
        for door in doors { door.follow() }
    }

    func retire() {
        for door in doors { door.retire() }
    }

    public func close() {
        for door in doors { door.close() }
    }
}

extension ReaderSpec {
    func makeReader() -> any PCSCReader { model.makeReader(name: name) }
}

extension ScenarioCase {
    /// The variables that tell a program which case it runs.
    var clientVariables: [(name: String, value: String)] {
        let file = source.map { [("TAPSIM_SCENARIO", $0.file)] } ?? []
        return [("TAPSIM_SEED", "\(seed)")] + file
    }
}
