import TapSystem
import TapField
import TapJudge
import TapPCSC
import TapReading
import TapScenario
import TapWire

extension CaseRun {
    /// Starts a program that finds a real reader by itself.
    ///
    /// None of its exchanges pass through TapSim; `TAPSIM_READER` gives it the name of the reader.
    ///
    /// - Throws: ``RunError`` if there is no PC/SC service or no such reader, without which nothing can be read.
    func run(_ client: ProgramClient, _ scenarioCase: ScenarioCase, on reader: String) throws(RunError) -> RunRecord {
        do throws(LinkError) {
            _ = try PCSCLink.open(reader, try Self.library())
        } catch {
            throw RunError(.environment, error.description)
        }
        let folder = try Self.makeFolder()
        defer { folder.remove() }
        let variables =
            [(name: "TAPSIM_READER", value: reader)] + scenarioCase.clientVariables + [
                (Leftovers.variable, folder.path)
            ]
        clientEnvironment?(variables)
        let outcome = try start(client, variables: variables, limits: limits(of: client, scenarioCase))
        let file = client.result.file.flatMap { folder.contents(of: $0, upTo: ResultSpec.maximumFileLength) }
        let report = ClientReport(
            outcome, client, wall: scenarioCase.limits.wall, file: file, isExhausted: false)
        return RunRecord(world: emptyWorld(of: scenarioCase), client: report)
    }

    func emptyWorld(of scenarioCase: ScenarioCase) -> World {
        var world = World(seed: scenarioCase.seed, trace: Trace(bound: .run, observer: observer))
        world.exchangeLimit = scenarioCase.limits.exchanges
        return world
    }
}

extension CaseRun {
    /// The time that a built-in client waits for a person to hold a card to the reader.
    static let patienceForCard = Duration.seconds(30)

    /// Runs a built-in client on real cards; throws ``RunError`` if there is no PC/SC service or no such reader.
    func run(
        _ client: BuiltinClient, _ scenarioCase: ScenarioCase, on reader: String
    ) async throws(RunError) -> RunRecord {
        let patience = min(Self.patienceForCard, scenarioCase.limits.wall)
        var link: PCSCLink
        do throws(LinkError) {
            link = try PCSCLink.open(reader, try Self.library())
            // Without a card, the client itself reports that it found none.
            _ = try await link.awaitCard(timeout: patience)
        } catch {
            throw RunError(.environment, error.description)
        }
        let observed = ObservedLink(link, into: emptyWorld(of: scenarioCase))
        return await client.run(over: observed, naming: scenarioCase.stations)
    }

    static func library() throws(LinkError) -> PCSCLibrary {
        do { return try PCSCLibrary() } catch { throw LinkError(.closed, error.description) }
    }
}
