import TapDoors
import TapField
import TapScenario
import TapServe

/// Programs that come to a steered field through its doors.
struct DoorUser: FieldUser {
    private let doors: OpenDoors
    private let readers: [NamedReader]
    /// The private PC/SC service, unless that door is closed.
    private let service: PCSCDoor?

    /// - Parameters:
    ///   - doors: The doors.
    ///   - readers: The readers behind them, in the order of the world.
    init(_ doors: OpenDoors, _ readers: [NamedReader]) {
        self.doors = doors
        self.readers = readers
        service = doors.doors.lazy.compactMap { $0 as? PCSCDoor }.first
    }

    var status: (rows: [[String]], entries: [(key: String, value: Node)]) {
        let names = readers.indices.compactMap { service?.name(ofReader: $0) }
        return (
            rows: doors.doors.map(\.columns) + names.map { ["reader", $0] },
            entries: [
                ("doors", .list(doors.doors.map(\.node))), ("readers", .list(names.map(Node.text))),
                ("clients", .number(service?.clientCount ?? 0)),
            ]
        )
    }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        switch request {
        case .plug(let name): try plug(name, isPlugged: true, on: field)
        case .unplug(let name): try plug(name, isPlugged: false, on: field)
        default:
            throw ControlRefusal(
                "tapsim serve has no phone; an app that is built on VirtualCoreNFC has one, and says where it is steered"
            )
        }
    }

    /// Plugs a reader in or unplugs it, the first where none is named.
    private func plug(
        _ name: String?, isPlugged: Bool, on field: SteeredField
    ) throws(ControlRefusal) -> ControlAnswer {
        guard let service, let reader = readers.first(where: { $0.name == name ?? readers[0].name }),
            reader.spec.door ?? .pcsc == .pcsc
        else {
            throw ControlRefusal("only readers of the PC/SC service can be unplugged, and that door is closed")
        }
        let hasChanged = field.host.perform { isPlugged ? $0.plug(reader.name) : $0.unplug(reader.name) }
        service.follow()
        let subject = readers.count == 1 ? "the reader" : reader.name
        return ControlAnswer("\(subject) is \(isPlugged ? "there" : "away")", ["changed": .boolean(hasChanged)])
    }

    var hasPhone: Bool { false }

    func cardsHaveMoved() {
        service?.follow()
    }

    func fieldHasRestarted() {
        service?.follow()
    }

    func record(of world: World) -> RunRecord {
        RunRecord(
            world: world, client: ClientReport(end: .elsewhere),
            doorsOpened: doors.doors.map { .init(name: $0.name, variable: $0.environment.first?.name) },
            doorUsed: doors.used?.name)
    }
}

extension Door {
    fileprivate var columns: [String] {
        let variables = environment.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return ["door \(name)", variables, "", wasUsed ? "used" : "not used"]
    }

    fileprivate var node: Node {
        .map([
            "name": .text(name), "used": .boolean(wasUsed),
            "variables": .map(environment.map { (key: $0.name, value: .text($0.value)) }),
        ])
    }
}
