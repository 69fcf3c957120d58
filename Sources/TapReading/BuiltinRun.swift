import TapCards
import TapClient
import TapField
import TapJudge
import TapScenario
import TapWire

package protocol WorldLink: TagLink {
    var world: World { get }
}

extension VirtualLink: WorldLink {}

extension BuiltinClient {
    /// Reads the cards at a link, as far as the client supports them.
    package func run(over link: some WorldLink, naming stations: StationNames = StationNames()) async -> RunRecord {
        var reader = blocksAtOnce.map { CardReader(link, blocksAtOnce: $0) } ?? CardReader(link)
        if let wait = leastWait { reader.patience.felica = wait }
        let report = await report(&reader, stations)
        return RunRecord(world: reader.link.world, client: report)
    }

    private func report<Link: WorldLink>(
        _ reader: inout CardReader<Link>, _ stations: StationNames
    ) async -> ClientReport {
        do {
            let finding = try await read(&reader)
            let text = finding.lines(naming: stations).map { $0 + "\n" }.joined()
            return ClientReport(end: .exit(0), standardOutput: text, result: finding.node)
        } catch {
            let isLimit = error.code == .link(.limitReached)
            let end = isLimit ? ClientReport.End.limit(of: reader.link.world) : .exit(1)
            return ClientReport(end: end, standardError: "error: \(error.description)\n")
        }
    }

    /// The challenge of the client, the same in each run so that runs can be compared.
    private static let challenge = BlockData((1...16).map { UInt8($0) })

    private var blocksAtOnce: Int? {
        guard case .transitHistory(let count) = self else { return nil }
        return count
    }

    private var leastWait: Duration? {
        guard case .dump(_, let wait) = self else { return nil }
        return wait
    }

    private func read<Link: WorldLink>(
        _ reader: inout CardReader<Link>
    ) async throws(ClientError) -> any ClientFinding {
        switch self {
        case .session(let plan): return try await plan.run(&reader, reader.link.world.chance(for: "client"))
        case .transitHistory: return try await reader.readTransitCard()
        case .emoney: return MoneyFinding(purses: try await reader.readElectronicMoney())
        case .ndef(let password, let cardKey):
            let credentials = cardKey.map { LiteCredentials(cardKey: BlockData($0), challenge: Self.challenge) }
            return try await reader.readNDEF(password: password.map { PageData($0[...]) }, with: credentials)
        case .dump(let password, _): return try await reader.dump(password: password.map { PageData($0[...]) })
        }
    }
}

extension BuiltinClient {
    /// Returns the built-in client for a run that names none: the one that reads most of the first card, with the PWD if a tag
    /// needs it.
    public static func suiting(_ cards: [ScenarioCase.NamedCard]) -> BuiltinClient {
        switch cards.first?.definition {
        case .felica(let template, _)?:
            let codes = template.definition.systems.map(\.code)
            if codes.contains(.transit) { return .transitHistory() }
            if template.definition.hasElectronicMoney { return .emoney }
            return codes.contains(.ndef) ? .ndef(password: nil) : .dump(password: nil)
        case .lite(let template, _)?:
            let isTag = FeliCaLiteCard(template).systemCodes.contains(.ndef)
            return isTag ? .ndef(password: nil) : .dump(password: nil)
        case .ntag(let template)?:
            let container = try? CapabilityContainer(parsing: template.definition.capabilityContainer.bytes)
            let password = template.definition.passwordForReading
            return container?.announcesNDEF == true ? .ndef(password: password) : .dump(password: password)
        case nil: return .dump(password: nil)
        }
    }
}

extension FeliCaCardDefinition {
    /// A Boolean value that indicates whether the common area has a balance of Edy, nanaco or WAON, or unknown services, as on
    /// a recorded card.
    fileprivate var hasElectronicMoney: Bool {
        let balances = [EdyServices.balance, NanacoServices.balance, WAONServices.balance].map(\.code)
        return systems.contains { system in
            let services = system.services.map(\.code)
            return system.code == .commonArea && (services.isEmpty || services.contains(where: balances.contains))
        }
    }
}

extension NTAGDefinition {
    fileprivate var passwordForReading: [UInt8]? {
        let isProtected = configuration.access.prot && Int(configuration.auth0) < product.layout.pageCount
        return isProtected ? password.bytes : nil
    }
}
