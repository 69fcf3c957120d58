import TapDocument
import TapDoors
import TapHost
import TapSystem
import TapField
import TapJudge
import TapReport
import TapScenario
import TapServe

/// A case whose cards lie before open doors until it is closed; it can be steered meanwhile.
public struct ServedField: Sendable {
    public let field: SteeredField
    private let doors: OpenDoors

    /// - Parameters:
    ///   - scenarioCase: The case; its client is not started.
    ///   - place: Where the socket of the PC/SC service is.
    ///   - terminalLink: A path that leads to the pseudo-terminal of libnfc.
    ///   - again: The command line that serves it again, for reports.
    ///   - origin: Where it comes from, for what is kept of it.
    ///   - tellExhausted: Called with the limit, on a thread of the field, when the case's limit of frames is used up,
    ///     and again after each reset.
    public init(
        _ scenarioCase: ScenarioCase, at place: PCSCDoor.Place = .ownFolder, terminalLink: String? = nil,
        again: [String], origin: CaseOrigin,
        observer: (any TraceObserver)? = nil, tellExhausted: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(RunError) {
        if let obstacle = scenarioCase.obstacle(to: .elsewhere) {
            throw RunError(.client, obstacle.text)
        }
        let host = scenarioCase.makeHost(observer: observer)
        do {
            // The timeline advances even if no client comes.
            try host.watch(Self.exhaustionWatcher(of: host, tellExhausted))
        } catch {
            throw RunError(.environment, "the cards cannot be moved: \(error)")
        }
        do {
            doors = try OpenDoors(on: host, scenarioCase, at: place, terminalLink: terminalLink)
        } catch {
            host.close()
            throw error
        }
        doors.settle()
        field = SteeredField(
            scenarioCase, on: host, usedBy: DoorUser(doors, scenarioCase.readersOrDefault), again: again, origin: origin
        ) { scenarioCase.makeDoorWorld(observer: observer) }
    }

    /// Reports once that the limit is used up, until a reset.
    private static func exhaustionWatcher(
        of host: FieldHost, _ tell: @escaping @Sendable (Int) -> Void
    ) -> FieldHost.Watcher {
        let wasExhausted = Lock(false)
        return { [weak host] in
            guard let world = host?.snapshot else { return }
            let isNew = wasExhausted.withLock { wasExhausted in
                defer { wasExhausted = world.isExhausted }
                return world.isExhausted && !wasExhausted
            }
            if isNew { tell(world.exchangeLimit) }
        }
    }

    public var variables: [(name: String, value: String)] { doors.variables + field.original.clientVariables }

    public var world: World { field.host.snapshot }

    /// How many clients are connected, at doors that can tell.
    public var clientCount: Int { doors.clientCount }

    /// Closes the doors, but lets clients that are connected end what they have begun.
    public func retire() {
        doors.retire()
    }

    public func close() {
        doors.close()
        field.host.close()
    }
}

struct DoorUser: FieldUser {
    private let doors: OpenDoors
    private let readers: [NamedReader]

    init(_ doors: OpenDoors, _ readers: [NamedReader]) {
        self.doors = doors
        self.readers = readers
    }

    var status: (rows: [[String]], entries: [(key: String, value: Node)]) {
        let names = readers.indices.flatMap { number in doors.doors.compactMap { $0.name(ofReader: number) } }
        return (
            rows: doors.doors.map(\.columns) + names.map { ["reader", $0] },
            entries: [
                ("doors", .list(doors.doors.map(\.node))), ("readers", .list(names.map(Node.text))),
                ("clients", .number(doors.clientCount)),
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

    /// Plugs a reader in or unplugs it; the first where none is named.
    private func plug(
        _ name: String?, isPlugged: Bool, on field: SteeredField
    ) throws(ControlRefusal) -> ControlAnswer {
        guard let reader = readers.first(where: { $0.name == name ?? readers[0].name }),
            [.pcsc, .usb].contains(reader.spec.door ?? .pcsc)
        else {
            throw ControlRefusal(
                "only readers of the PC/SC service and those on the USB can be unplugged, and those doors are closed")
        }
        let hasChanged = field.host.perform { isPlugged ? $0.plug(reader.name) : $0.unplug(reader.name) }
        doors.follow()
        let subject = readers.count == 1 ? "the reader" : reader.name
        return ControlAnswer("\(subject) is \(isPlugged ? "there" : "away")", ["changed": .boolean(hasChanged)])
    }

    var hasPhone: Bool { false }
    var clientCount: Int { doors.clientCount }

    func cardsHaveMoved() {
        doors.follow()
    }

    func fieldHasRestarted() {
        doors.follow()
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
