import TapTransports
import TapHost
import TapSystem
import TapField
import TapReaders
import TapScenario

/// The transports that are open on one field; the first one that a client uses owns the field.
public struct OpenTransports: Sendable {
    /// The time that a client waits for a system service that polls for cards.
    private static let settleLimit = Duration.seconds(2)

    public let transports: [any Transport]

    /// Opens the transports that the readers of a case name or, if they name none, the transports that need no system service.
    ///
    /// Transports at ports are not private, so they open only if the client asks for them.
    ///
    /// PC/SC readers share one service. Each of the other transports serves one reader: the first one that does not name
    /// another transport.
    ///
    /// - Parameters:
    ///   - place: The location of the PC/SC service's socket.
    ///   - terminalLink: A path to create as a link to the pseudo-terminal of libnfc.
    ///   - wanted: The only transport to open; `nil` for all.
    /// - Throws: ``RunError`` if a transport cannot be opened; none stays open then.
    public init(
        on host: FieldHost, _ scenarioCase: ScenarioCase, at place: PCSCTransport.Place = .ownFolder,
        terminalLink: String? = nil, only wanted: ReaderSpec.Transport? = nil
    ) throws(RunError) {
        var opened: [any Transport] = []
        do {
            for transport in ReaderSpec.Transport.allCases where wanted == nil || transport == wanted {
                opened += try Self.open(transport, on: host, scenarioCase, at: place, terminalLink)
            }
        } catch {
            for transport in opened { transport.close() }
            throw error
        }
        transports = opened
    }

    private static func open(
        _ transport: ReaderSpec.Transport, on host: FieldHost, _ scenarioCase: ScenarioCase,
        at place: PCSCTransport.Place,
        _ terminalLink: String?
    ) throws(RunError) -> [any Transport] {
        let readers = Array(scenarioCase.readersOrDefault.enumerated())
        let named = readers.filter { $0.element.spec.transport == transport }
        let free = readers.filter { $0.element.spec.transport == nil }
        let asked = named.first ?? (scenarioCase.asks(for: transport) ? free.first : nil)
        do {
            switch transport {
            case .pcsc:
                let served = readers.filter { $0.element.spec.transport ?? .pcsc == .pcsc }
                guard !served.isEmpty else { return [] }
                return [
                    try PCSCTransport(
                        host: host, readers: served.map { $0.element.spec.makeReader() }, numbers: served.map(\.offset),
                        reportsConnections: scenarioCase.waitsForConnections, at: place)
                ]
            case .nfcpy:
                guard let asked else { return [] }
                return [try NfcpyTransport(host: host, reader: asked.offset)]
            case .pn532TCP:
                guard let asked else { return [] }
                let chip = asked.element.spec.model.makeChip()
                return [try PortTransport.pn532(host: host, reader: asked.offset, chip: chip)]
            case .felicaRS:
                guard let asked else { return [] }
                return [try PortTransport.felicaRS(host: host, reader: asked.offset)]
            case .proxmark3:
                guard let asked else { return [] }
                return [try PortTransport.proxmark3(host: host, reader: asked.offset)]
            case .libnfc:
                guard let reader = named.first ?? free.first else { return [] }
                do {
                    let chip = reader.element.spec.model.makeChip()
                    return [try LibnfcTransport(host: host, reader: reader.offset, chip: chip, link: terminalLink)]
                } catch {
                    // Systems without pseudo-terminals, such as a root without /dev/pts, cannot open this transport; that only
                    // matters if it was requested.
                    guard named.isEmpty, terminalLink == nil else { throw error }
                    return []
                }
            case .vpcd:
                return try named.map { number, reader throws(SystemError) in
                    let slot = ReaderSlot(reader.spec.makeReader(), at: number, on: host)
                    return try VpcdTransport(slot, on: host, port: reader.spec.port ?? ReaderSpec.defaultPort)
                }
            case .usb:
                guard !named.isEmpty else { return [] }
                return [try USBTransport(host: host, readers: named.map { ($0.offset, $0.element.spec.model) })]
            }
        } catch {
            throw RunError(.environment, "cannot open the transport \(transport.rawValue): \(error)")
        }
    }

    /// Waits until a client that starts now would find the cards.
    ///
    /// - Returns: The transport whose system service does not run, if any.
    @discardableResult
    public func settle() -> (any Transport)? {
        for transport in transports { transport.settle(within: Self.settleLimit) }
        return transports.first { !$0.isReachable }
    }

    public var variables: [(name: String, value: String)] { transports.flatMap(\.environment) }

    func variables(of scenarioCase: ScenarioCase, in folder: PrivateDirectory) -> [(name: String, value: String)] {
        variables + scenarioCase.clientVariables + [(Leftovers.variable, folder.path)]
    }

    /// The addresses at which clients reach the transports, in order; `nil` if a transport has no address of its own.
    var addresses: [String]? {
        let addresses = transports.compactMap(\.address)
        return addresses.count == transports.count ? addresses : nil
    }

    public var used: (any Transport)? { transports.first { $0.wasUsed } }

    var activity: TransportActivity { transports.reduce(into: TransportActivity()) { $0.add($1.activity) } }

    var clientCount: Int { transports.reduce(0) { $0 + $1.clientCount } }

    func follow() {
        for transport in transports { transport.follow() }
    }

    func retire() {
        for transport in transports { transport.retire() }
    }

    public func close() {
        for transport in transports { transport.close() }
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
