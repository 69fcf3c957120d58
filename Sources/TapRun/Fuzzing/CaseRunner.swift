import TapSystem
import TapFuzz
import TapJudge
import TapScenario

/// A runner that performs the runs of a campaign on a program or on a built-in client.
public struct CaseRunner: Runner {
    public let client: ClientKind
    /// A Boolean value that indicates whether a program that can be copied is started only once instead of for each run.
    private let startsOnce: Bool
    private let surroundings: Surroundings
    private var caseRun: CaseRun

    /// - Parameters:
    ///   - scenarioCase: A case with the client of all runs.
    ///   - surroundings: The working directory and the environment of programs.
    ///   - deadline: The time at which runs that have not ended are abandoned.
    public init(
        _ scenarioCase: ScenarioCase, in surroundings: Surroundings = Surroundings(),
        before deadline: ContinuousClock.Instant? = nil, startsOnce: Bool = true
    ) {
        client = ClientKind(CaseRun.client(of: scenarioCase))
        self.startsOnce = startsOnce
        self.surroundings = surroundings
        caseRun = CaseRun(in: surroundings)
        caseRun.deadline = deadline
    }

    public func record(of run: CampaignRun) async throws -> RunRecord {
        var caseRun = caseRun
        caseRun.measuresCoverage = run.countsEdges
        do throws(RunError) {
            return try await caseRun.run(run.scenarioCase)
        } catch {
            throw error.code == .abandoned ? RunAbandoned() : error
        }
    }

    public func quicker(for clean: CampaignRun) async throws(NoQuickRunner) -> QuickRunner {
        guard startsOnce, case .program(let program) = CaseRun.client(of: clean.scenarioCase) else {
            throw NoQuickRunner("--start-each asks for it")
        }
        do {
            let starts = try StartedClients(
                clean.scenarioCase, program, isInstrumented: clean.countsEdges, in: surroundings,
                before: caseRun.deadline)
            var copying = self
            copying.caseRun.starts = starts
            return QuickRunner(copying, startTime: starts.time)
        } catch {
            throw NoQuickRunner(error.description)
        }
    }
}
