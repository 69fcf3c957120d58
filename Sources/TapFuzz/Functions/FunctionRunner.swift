import TapField
import TapJudge
import TapScenario

/// A runner that calls a function in this process, which reads over a link.
struct FunctionRunner<Value>: Runner {
    /// The wall-clock time for which the function may neither end nor reach its card.
    let patience: Duration
    let function: @Sendable (inout FuzzedLink) async throws -> Value

    var client: ClientKind { .builtin }

    func record(of run: CampaignRun) async -> RunRecord {
        await RunNote.shared.set(run.name)
        let (end, function) = (ClientEnd(patience: patience), function)
        let field = FuzzedField(run.scenarioCase.makeWorld(trace: Trace(bound: .run))) {
            await end.take(.exchangeLimit)
        }
        var report = await end.report(progress: { await field.exchangeCount }) {
            var link = FuzzedLink(field: field)
            return try await function(&link)
        }
        let world = await field.world
        // A client that reports the limit as an error would have continued without it.
        if await field.isOverLimit { report.end = .limit(of: world) }
        return RunRecord(world: world, client: report)
    }
}
