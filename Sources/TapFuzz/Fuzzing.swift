import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// Fuzzing of a function that reads cards over a ``TapWire/TagLink``, in this process and by card time.
///
/// ```swift
/// let report = try await Fuzzing.run("suica:balance=3120") { link in try await Balance.read(from: &link) }
/// for issue in report.issues { print(issue) }
/// ```
public enum Fuzzing {
    /// How long a client may neither end nor reach its card, by the clock of the machine.
    public static let patience = Duration.seconds(2)

    /// Makes every run that is asked for.
    ///
    /// A run with a fault has to return what the clean runs return, or to throw.
    ///
    /// - Parameters:
    ///   - card: As `tapsim serve --card` takes it: a template or an IC, and keys.
    ///   - only: Patterns of names of faults and runs, such as `rf.*` and `rf.silence@7`; without any, all faults.
    ///   - except: Patterns of what is left out.
    ///   - known: Causes that do not count.
    ///   - guidedRuns: How many runs of several faults follow, drawn by the seed and led by what the client did in others.
    ///   - seed: Of all that is drawn, such as the identifier of the card.
    ///   - client: Called for each run; what it returns is compared, as lists, properties and texts.
    /// - Throws: ``FuzzError`` if the card, the patterns or the clean runs give no campaign.
    public static func run<Value>(
        _ card: String, only: [String] = [], except: [String] = [], known: KnownCauses = [],
        guidedRuns: Int = 0, seed: UInt64 = ScenarioLoader.defaultSeed, patience: Duration = patience,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport {
        let selection = try RunSelection.checked(only: only, except: except)
        return try await campaign(card, selection, seed: seed, patience: patience, client)
            .report(guidedRuns: guidedRuns, known: known)
    }

    /// A campaign whose runs are made one by one, as a fuzzer of bytes does.
    public static func campaign<Value>(
        _ card: String, _ selection: RunSelection = .all, seed: UInt64 = ScenarioLoader.defaultSeed,
        patience: Duration = patience, _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> ClientCampaign {
        try await campaign(scenarioCase(of: card, seed: seed), selection, patience: patience, client)
    }

    /// A campaign on the cards of a case.
    public static func campaign<Value>(
        _ scenarioCase: ScenarioCase, _ selection: RunSelection = .all, patience: Duration = patience,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> ClientCampaign {
        try await ClientCampaign(scenarioCase, selection, for: .builtin) { scenarioCase in
            await record(of: scenarioCase, patience, client)
        }
    }

    private static func scenarioCase(of card: String, seed: UInt64) throws -> ScenarioCase {
        let document: Node
        do { document = try CardArgument.scenario([card]) } catch { throw FuzzError("the card: \(error)") }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(from: document, file: "card", .init(seed: seed), into: &diagnostics)
        guard let scenarioCase = scenario?.cases.first else {
            let problem = diagnostics.sorted.first
            throw FuzzError("the card: \(problem?.message ?? "there is none")\(problem.map { "; \($0.hint)" } ?? "")")
        }
        return scenarioCase
    }

    private static func record<Value>(
        of scenarioCase: ScenarioCase, _ patience: Duration,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async -> RunRecord {
        let end = ClientEnd(patience: patience)
        let field = FuzzedField(scenarioCase.makeWorld(trace: Trace(bound: .run))) { end.take(.exchangeLimit) }
        var report = await end.report(progress: { field.exchangeCount }) {
            var link = FuzzedLink(field: field)
            return try await client(&link)
        }
        let world = field.world
        // A client that reports the limit as an error would have gone on without it.
        if field.isOverLimit { report.end = .limit(of: world) }
        return RunRecord(world: world, client: report)
    }
}

extension RunSelection {
    /// - Throws: ``FuzzError`` for a pattern that names no fault.
    package static func checked(only: [String], except: [String]) throws(FuzzError) -> RunSelection {
        do throws(Problem) { return try RunSelection(only: only, except: except) } catch { throw FuzzError(error) }
    }
}
