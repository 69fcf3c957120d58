import TapField
import TapScenario
import TapWire

extension Baseline {
    /// The number of times a finding is repeated before it is reported.
    private static let repetitions = 2

    /// Returns the finding if repeated runs agree with it; otherwise, that the client is flaky.
    ///
    /// - Parameter perform: Performs the same run once more.
    package func confirmed<Failure>(
        _ finding: OutcomeFinding, _ perform: () async throws(Failure) -> RunRecord
    ) async throws(Failure) -> OutcomeFinding {
        for number in 2..<2 + Self.repetitions {
            let other = self.finding(of: try await perform())
            guard other.outcome == finding.outcome else {
                return finding.flaky(
                    "\(finding.outcome.rawValue) in the first run (\(finding.reason)) and \(other.outcome.rawValue) in "
                        + "run \(number) with the same seed")
            }
        }
        return finding
    }
}

extension ScenarioCase {
    private static let shortestWall = Duration.seconds(2)
    /// The factor by which a client may run longer than its baseline run before it counts as hanging.
    private static let wallFactor = 10

    /// Returns the case with enough time and frames for its baseline runs, but with limits that stop a client that never ends.
    package func bounded(by baseline: Baseline) -> ScenarioCase {
        // Rounded because the limit may appear in a scenario that a person reads.
        let tenths = ((baseline.runTime ?? .zero) * Self.wallFactor).wholeNanoseconds / 100_000_000 + 1
        return bounded(
            wall: max(Self.shortestWall, .milliseconds(100 * tenths)), exchanges: baseline.mostExchanges)
    }
}
