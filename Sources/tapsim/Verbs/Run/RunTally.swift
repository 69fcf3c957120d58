import TapReport
import TapScenario

/// What a run came to.
struct RunTally {
    private(set) var passedCount = 0
    private(set) var failedCount = 0
    private(set) var skippedCount = 0
    private var hadTimeLimit = false

    /// Counts a case.
    mutating func add(_ result: CaseResult) {
        if result.verdict.isPassed { passedCount += 1 } else { failedCount += 1 }
        switch result.record.client.end {
        case .timeLimit, .idleLimit: hadTimeLimit = true
        default: break
        }
    }

    /// Counts a case that the scenario leaves out.
    mutating func addSkipped() { skippedCount += 1 }

    /// What to leave with: a time limit outweighs a failure.
    var exitCode: ExitCode {
        if hadTimeLimit { return .timeLimit }
        return failedCount > 0 ? .failed : .passed
    }
}
