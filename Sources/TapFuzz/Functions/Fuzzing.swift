import TapDocument
import TapJudge
import TapScenario

/// Fuzzing of a function that reads cards over a `TagLink`, in this process and in card time.
///
/// ```swift
/// let report = try await Fuzzing.run("suica:balance=3120") { link in try await Balance.read(from: &link) }
/// for issue in report.issues { print(issue) }
/// ```
public enum Fuzzing {
    /// The wall-clock time for which a client may neither end nor reach its card.
    public static let patience = Duration.seconds(2)

    /// Performs all requested runs.
    ///
    /// A run with a fault has to return what the baseline runs return, or to throw.
    ///
    /// - Parameters:
    ///   - card: A card as `tapsim serve --card` accepts it: a template or an IC, and keys.
    ///   - only: Patterns for names of faults and runs, such as `rf.*` and `rf.silence@7`; if empty, all faults.
    ///   - except: Patterns to exclude.
    ///   - known: Causes that do not count.
    ///   - guidedRuns: The number of additional runs with several faults, drawn with the seed and guided by the client's
    ///     behaviour in other runs.
    ///   - seed: The seed of all random choices, such as the identifier of the card.
    ///   - patience: The wall-clock time for which the client may neither end nor reach its card.
    ///   - client: A closure called for each run; the value it returns is compared, as lists, properties and texts.
    /// - Throws: ``FuzzError`` if the card, the patterns or the baseline runs make a campaign impossible.
    public static func run<Value>(
        _ card: String, only: [String] = [], except: [String] = [], known: KnownCauses = [],
        guidedRuns: Int = 0, seed: UInt64 = ScenarioLoader.defaultSeed, patience: Duration = patience,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport {
        let settings = try Campaign.Settings(only: only, except: except, known: known, guidedRuns: guidedRuns)
        return try await report(scenarioCase(of: card, seed: seed), settings, patience: patience, client)
    }

    /// Creates a campaign whose runs are performed individually, as a byte fuzzer does.
    public static func campaign<Value>(
        _ card: String, only: [String] = [], except: [String] = [], seed: UInt64 = ScenarioLoader.defaultSeed,
        patience: Duration = patience, _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> Campaign {
        let settings = try Campaign.Settings(only: only, except: except)
        let scenarioCase = try scenarioCase(of: card, seed: seed)
        return try await RunNote.during {
            do {
                return try await Campaign(
                    scenarioCase.withoutReaders, settings, on: FunctionRunner(patience: patience, function: client))
            } catch let error as BaselineError {
                throw FuzzError(error)
            }
        }
    }

    /// Prints the name of the current run to standard error if the process ends during it, from now on; a whole campaign does
    /// so by itself.
    public static func nameRuns() async { await RunNote.shared.take() }

    package static func report<Value>(
        _ scenarioCase: ScenarioCase, _ settings: Campaign.Settings, patience: Duration,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport {
        // The link bypasses readers, so their faults cannot occur.
        try await report(
            scenarioCase.withoutReaders, settings, on: FunctionRunner(patience: patience, function: client))
    }

    /// Performs a campaign on a client in this process.
    ///
    /// - Throws: ``FuzzError`` if the baseline runs make a campaign impossible or the selection names no run, and the errors
    ///   of the runner.
    package static func report(
        _ scenarioCase: ScenarioCase, _ settings: Campaign.Settings, on runner: some Runner
    ) async throws -> FuzzReport {
        try await RunNote.during {
            do {
                let campaign = try await Campaign(scenarioCase, settings, on: runner)
                if let error = FuzzError(noRunOf: campaign) { throw error }
                var limits = CampaignLimits()
                return try await campaign.report(within: &limits)
            } catch let error as BaselineError {
                throw FuzzError(error)
            }
        }
    }

    package static func scenarioCase(of card: String, seed: UInt64) throws -> ScenarioCase {
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
}

extension Campaign.Settings {
    /// - Throws: ``FuzzError`` for a pattern that matches no fault.
    package init(
        only: [String], except: [String], known: KnownCauses = [], guidedRuns: Int = 0
    ) throws(FuzzError) {
        do throws(RunSelection.Problem) {
            self.init(
                try RunSelection(only: only, except: except), known: known,
                guided: guidedRuns > 0 ? .runs(guidedRuns) : nil)
        } catch {
            throw FuzzError(error)
        }
    }
}
