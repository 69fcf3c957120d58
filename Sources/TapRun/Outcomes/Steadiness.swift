import TapScenario

extension CaseRun {
    /// How often a run that failed is made again, to see whether it always fails.
    static let repetitions = 2

    /// What was found of a client, if the same run comes to it again each time; else that the client is flaky.
    ///
    /// A built-in client lives in this process, where the same run always comes to the same.
    ///
    /// - Throws: ``RunError`` if a run could not be made.
    func steadied(
        _ finding: OutcomeFinding, of scenarioCase: ScenarioCase, _ baseline: Baseline
    ) async throws(RunError) -> OutcomeFinding {
        guard case .program? = scenarioCase.client else { return finding }
        for number in 2..<2 + Self.repetitions {
            let other = baseline.finding(of: try await run(scenarioCase))
            guard other.outcome == finding.outcome else {
                return OutcomeFinding(
                    .flaky, at: finding.exchange,
                    "\(finding.outcome.rawValue) in the first run (\(finding.reason)) and \(other.outcome.rawValue) in "
                        + "run \(number) of the same seed")
            }
        }
        return finding
    }
}
