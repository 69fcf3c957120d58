import TapReport
import TapScenario

/// What a run came to.
struct RunTally {
    private(set) var passedCount = 0
    private(set) var failedCount = 0
    private(set) var skippedCount = 0
    private var hadTimeLimit = false
    private let keepsCases: Bool
    private var scenarios: [(name: String, file: String, seed: UInt64, cases: [Node])] = []

    /// Begins to count.
    ///
    /// - Parameter keepsCases: Whether ``node`` is going to be asked for: to put together what it tells of an exchange
    ///   takes longer than the exchange took.
    init(keepsCases: Bool) {
        self.keepsCases = keepsCases
    }

    /// Adds a case of a scenario.
    mutating func add(_ result: CaseResult, of scenario: SelectedScenario) {
        if result.verdict.isPassed { passedCount += 1 } else { failedCount += 1 }
        switch result.record.client.end {
        case .timeLimit, .idleLimit: hadTimeLimit = true
        default: break
        }
        guard keepsCases else { return }
        if scenarios.last?.file != scenario.file || scenarios.last?.name != scenario.name {
            scenarios.append((scenario.name, scenario.file, scenario.seed, []))
        }
        scenarios[scenarios.count - 1].cases.append(result.node)
    }

    /// Counts a case that the scenario leaves out.
    mutating func addSkipped() { skippedCount += 1 }

    /// What to leave with: a time limit outweighs a failure.
    var exitCode: ExitCode {
        if hadTimeLimit { return .timeLimit }
        return failedCount > 0 ? .failed : .passed
    }

    /// The run as a program reads it, where cases are kept.
    var node: Node {
        [
            "tapsim": .text(TapSimCommand.version),
            "passed": .number(passedCount),
            "failed": .number(failedCount),
            "skipped": .number(skippedCount),
            "scenarios": .list(
                scenarios.map { scenario in
                    [
                        "name": .text(scenario.name), "file": .text(scenario.file), "seed": .number(scenario.seed),
                        "cases": .list(scenario.cases),
                    ]
                }),
        ]
    }
}
