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
    /// The time that a client may neither end nor reach its card, by the clock of the machine.
    public static let patience = Duration.seconds(2)

    /// Performs every run that is asked for.
    ///
    /// A run with a fault has to return what the baseline runs return, or to throw.
    ///
    /// - Parameters:
    ///   - card: As `tapsim serve --card` takes it: a template or an IC, and keys.
    ///   - only: Patterns of names of faults and runs, such as `rf.*` and `rf.silence@7`; without any, all faults.
    ///   - except: Patterns of what is left out.
    ///   - known: Causes that do not count.
    ///   - guidedRuns: How many runs of several faults follow, drawn by the seed and led by what the client did in others.
    ///   - seed: Of all that is drawn, such as the identifier of the card.
    ///   - client: Called for each run; what it returns is compared, as lists, properties and texts.
    /// - Throws: ``FuzzError`` if the card, the patterns or the baseline runs give no campaign.
    public static func run<Value>(
        _ card: String, only: [String] = [], except: [String] = [], known: KnownCauses = [],
        guidedRuns: Int = 0, seed: UInt64 = ScenarioLoader.defaultSeed, patience: Duration = patience,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport {
        let settings = try Campaign.Settings(only: only, except: except, known: known, guidedRuns: guidedRuns)
        return try await report(scenarioCase(of: card, seed: seed), settings, patience: patience, client)
    }

    /// A campaign whose runs are performed one by one, as a fuzzer of bytes does.
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

    /// Names the run under way on standard error if the process ends in it, from here to its end, as a
    /// whole campaign does by itself.
    public static func nameRuns() async { await RunNote.shared.take() }

    /// Performs a campaign on the cards of a case.
    package static func report<Value>(
        _ scenarioCase: ScenarioCase, _ settings: Campaign.Settings, patience: Duration,
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport {
        // Readers are behind the link, so that their faults cannot happen.
        try await report(
            scenarioCase.withoutReaders, settings, on: FunctionRunner(patience: patience, function: client))
    }

    /// Performs a campaign on a client in this process.
    ///
    /// - Throws: ``FuzzError`` if the baseline runs give no campaign or the selection names no run, and what the runner throws.
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
    /// - Throws: ``FuzzError`` for a pattern that names no fault.
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
