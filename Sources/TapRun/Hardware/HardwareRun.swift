import TapDoors
import TapField
import TapScenario

extension CaseRun {
    /// Starts a program that reads real cards on a real reader, which it finds by itself.
    ///
    /// Nothing of what it exchanges passes through here; `TAPSIM_READER` tells it the name of the reader.
    func run(_ client: ProgramClient, _ scenarioCase: ScenarioCase, on reader: String) throws(RunError) -> RunRecord {
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

    /// A world without cards, for the trace of what happens outside.
    func emptyWorld(of scenarioCase: ScenarioCase) -> World {
        var world = World(seed: scenarioCase.seed, trace: Trace(bound: .run, observer: observer))
        world.exchangeLimit = scenarioCase.limits.exchanges
        return world
    }
}
