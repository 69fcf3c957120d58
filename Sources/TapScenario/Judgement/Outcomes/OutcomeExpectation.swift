import TapField
import TapWire

/// Holds what became of a client against what its case expects.
struct OutcomeExpectation {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    /// What was not met; nothing if nobody has found out what became of the client, or the case does not ask.
    ///
    /// They stand in place of failures about how the client ended, which an outcome tells as well.
    var failures: [Failure]? {
        guard case .success(let finding)? = record.outcome else { return nil }
        guard let (outcomes, item) = test.expectedOutcomes else { return breach(finding) }
        guard !record.hasMissedEveryDoor else { return nil }
        guard !outcomes.contains(finding.outcome) else { return [] }
        let expected = Self.text(outcomes)
        return [
            item.map { $0.failure(expected, got: "\(finding)", nearest: finding.exchange) }
                ?? Failure(path: "client", expected: expected, got: "\(finding)", nearest: finding.exchange)
        ]
    }

    /// A breach of the rules that the case states; how the client ends is judged beside it.
    private func breach(_ finding: OutcomeFinding) -> [Failure]? {
        guard finding.outcome == .safety else { return nil }
        let item = test.expectations.items.first { if case .safety = $0.demand { true } else { false } }
        return item.map { [$0.failure("a client that keeps to it", got: finding.reason, nearest: finding.exchange)] }
    }

    /// Outcomes for a sentence: `a right result or a clear error`.
    private static func text(_ outcomes: [Outcome]) -> String {
        ListText.choice(
            outcomes.map { outcome in
                switch outcome {
                case .correct: "the result of the clean runs"
                case .clearError: "a clear error"
                default: outcome.rawValue
                }
            })
    }
}
