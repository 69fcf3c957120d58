import TapDocument
import TapTransports
import TapHost
import TapSystem
import TapField
import TapJudge
import TapReport
import TapScenario
import TapServe

/// A case whose cards are presented to open transports until it is closed; it can be controlled in the meantime.
public struct ServedField: Sendable {
    public let field: SteeredField
    private let transports: OpenTransports

    /// - Parameters:
    ///   - scenarioCase: The case; its client is not started.
    ///   - place: The location of the PC/SC service's socket.
    ///   - terminalLink: A path to create as a link to the pseudo-terminal of libnfc.
    ///   - reproduceCommand: The command line that serves the case again, for reports.
    ///   - origin: The origin of the case, for saved files.
    ///   - tellExhausted: Called with the limit, on a thread of the field, when the case's frame limit is used up, and again
    ///     after each reset.
    public init(
        _ scenarioCase: ScenarioCase, at place: PCSCTransport.Place = .ownFolder, terminalLink: String? = nil,
        reproduceCommand: [String], origin: CaseOrigin,
        observer: (any TraceObserver)? = nil, tellExhausted: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(RunError) {
        if let obstacle = scenarioCase.obstacle(to: .elsewhere) {
            throw RunError(.client, obstacle.text)
        }
        let host = scenarioCase.makeHost(observer: observer)
        do {
            // The timeline advances even if no client connects.
            try host.watch(Self.exhaustionWatcher(of: host, tellExhausted))
        } catch {
            throw RunError(.environment, "cannot move the cards: \(error)")
        }
        do {
            transports = try OpenTransports(on: host, scenarioCase, at: place, terminalLink: terminalLink)
        } catch {
            host.close()
            throw error
        }
        transports.settle()
        field = SteeredField(
            scenarioCase, on: host, usedBy: TransportUser(transports, scenarioCase.readersOrDefault),
            reproduceCommand: reproduceCommand,
            origin: origin
        ) { scenarioCase.makeTransportWorld(observer: observer) }
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

    public var variables: [(name: String, value: String)] { transports.variables + field.original.clientVariables }

    public var world: World { field.host.snapshot }

    /// The number of clients that are connected, at transports that know.
    public var clientCount: Int { transports.clientCount }

    /// Closes the transports, but lets connected clients finish.
    public func retire() {
        transports.retire()
    }

    public func close() {
        transports.close()
        field.host.close()
    }
}

struct TransportUser: FieldUser {
    private let transports: OpenTransports
    private let readers: [NamedReader]

    init(_ transports: OpenTransports, _ readers: [NamedReader]) {
        self.transports = transports
        self.readers = readers
    }

    var status: (rows: [[String]], status: UserStatus) {
        let names = readers.indices.flatMap { number in transports.transports.compactMap { $0.name(ofReader: number) } }
        return (
            rows: transports.transports.map(\.columns) + names.map { ["reader", $0] },
            status: UserStatus(
                transports.transports.map { ($0.name, $0.wasUsed, $0.environment) }, readers: names,
                clients: transports.clientCount)
        )
    }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        switch request {
        case .plug(let name): try plug(name, isPlugged: true, on: field)
        case .unplug(let name): try plug(name, isPlugged: false, on: field)
        default:
            throw ControlRefusal(
                "tapsim serve has no phone; an app built on VirtualCoreNFC has one, and prints where to control it"
            )
        }
    }

    /// Plugs in or unplugs a reader; the first one if none is named.
    private func plug(
        _ name: String?, isPlugged: Bool, on field: SteeredField
    ) throws(ControlRefusal) -> ControlAnswer {
        guard let reader = readers.first(where: { $0.name == name ?? readers[0].name }),
            [.pcsc, .usb].contains(reader.spec.transport ?? .pcsc)
        else {
            throw ControlRefusal(
                "only PC/SC and USB readers can be unplugged, and neither of these transports is open"
            )
        }
        let hasChanged = field.host.perform { isPlugged ? $0.plug(reader.name) : $0.unplug(reader.name) }
        transports.follow()
        let subject = readers.count == 1 ? "the reader" : reader.name
        return ControlAnswer(
            "\(subject) is \(isPlugged ? "plugged in" : "unplugged")", ServiceOutput.plugged.node(hasChanged))
    }

    var hasPhone: Bool { false }
    var clientCount: Int { transports.clientCount }

    func cardsHaveMoved() {
        transports.follow()
    }

    func fieldHasRestarted() {
        transports.follow()
    }

    func record(of world: World) -> RunRecord {
        RunRecord(
            world: world, client: ClientReport(end: .elsewhere),
            transportsOpened: transports.transports.map { .init(name: $0.name, variable: $0.environment.first?.name) },
            transportUsed: transports.used?.name)
    }
}

extension Transport {
    fileprivate var columns: [String] {
        let variables = environment.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return ["transport \(name)", variables, "", wasUsed ? "used" : "not used"]
    }
}
