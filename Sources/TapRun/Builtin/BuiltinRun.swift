import TapClient
import TapDoors
import TapField
import TapScenario
import TapWire

extension CaseRun {
    /// Lets a built-in client read the cards in this process, through the model of a reader where the case names one.
    func run(_ client: BuiltinClient, _ scenarioCase: ScenarioCase) async -> RunRecord {
        PrivateDirectory.tidyUp()
        var world = world(of: scenarioCase)
        world.exchangeLimit = scenarioCase.limits.exchanges
        guard let reader = scenarioCase.reader else {
            let link = VirtualLink(world, exchangeLimit: scenarioCase.limits.exchanges)
            return await run(client, over: PacedLink(link, isPaced: scenarioCase.isPaced))
        }
        let link = ModelLink(reader.makeReader(), in: world)
        return await run(client, over: PacedLink(link, isPaced: scenarioCase.isPaced))
    }

    /// Lets a built-in client read whatever lies behind a link.
    func run<Link: WorldLink>(_ client: BuiltinClient, over link: Link) async -> RunRecord {
        var reader = client.blocksAtOnce.map { CardReader(link, blocksAtOnce: $0) } ?? CardReader(link)
        let report = await report(of: client, &reader)
        return RunRecord(world: reader.link.world, client: report)
    }

    private func report<Link: WorldLink>(
        of client: BuiltinClient, _ reader: inout CardReader<Link>
    ) async -> ClientReport {
        do {
            let finding = try await client.read(&reader)
            let text = finding.lines.map { $0 + "\n" }.joined()
            return ClientReport(end: .exit(0), standardOutput: text, result: finding.node)
        } catch {
            let isLimit = error.code == .link(.limitReached)
            let limit = reader.link.world.stuckAfter.map(ClientReport.End.retryLimit) ?? .exchangeLimit
            return ClientReport(end: isLimit ? limit : .exit(1), standardError: "error: \(error.description)\n")
        }
    }
}

extension BuiltinClient {
    /// How many blocks the client asks for at first, where it is told.
    fileprivate var blocksAtOnce: Int? {
        guard case .transitHistory(let count) = self else { return nil }
        return count
    }

    /// Reads what the client is there for.
    fileprivate func read<Link: WorldLink>(
        _ reader: inout CardReader<Link>
    ) async throws(ClientError) -> any ClientFinding {
        switch self {
        case .transitHistory: return try await reader.readTransitCard()
        case .emoney: return MoneyFinding(purses: try await reader.readElectronicMoney())
        case .ndef(let password): return try await reader.readNDEF(password: password.map { PageData($0[...]) })
        case .dump(let password): return try await reader.dump(password: password.map { PageData($0[...]) })
        }
    }
}

extension ScenarioCase {
    /// Whether a client in this process waits as long as cards take.
    fileprivate var isPaced: Bool { settings.pace == .card || settings.clock == .real }
}
