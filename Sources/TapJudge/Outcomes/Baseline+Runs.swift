import TapField
import TapScenario
import TapWire

extension Baseline {
    /// The number of times a finding is repeated before it is reported.
    private static let repetitions = 2
    /// The number of times that a client that comes to an end may send the same request, and the factor by which it may send
    /// it more often than in its baseline run.
    private static let (mostTries, triesFactor) = (16, 4)

    /// Returns the finding if repeated runs agree with it; otherwise, that the client is flaky.
    ///
    /// - Parameter perform: Performs the same run once more.
    package func confirmed<Failure>(
        _ finding: OutcomeFinding, _ perform: () async throws(Failure) -> RunRecord
    ) async throws(Failure) -> OutcomeFinding {
        for number in 2..<2 + Self.repetitions {
            let other = self.finding(of: try await perform())
            // Which limit ends a client first depends on the machine.
            guard other.outcome.ofCause == finding.outcome.ofCause else {
                return finding.flaky(
                    "\(finding.outcome.rawValue) in the first run (\(finding.reason)) and \(other.outcome.rawValue) in "
                        + "run \(number) with the same seed")
            }
        }
        return finding
    }

    /// The number of frames after which a client that was cut short is certainly in a loop: each request that it has sent,
    /// as often as a client may repeat one.
    ///
    /// - Returns: `nil` if frames did not end the run, or if a request was repeated so often already.
    package func longerBound(for record: RunRecord) -> Int? {
        guard record.world.isExhausted else { return nil }
        let most = max(Self.mostTries, Self.triesFactor * (Self.counts(in: world).values.max() ?? 0))
        let counts = Self.counts(in: record.world)
        guard counts.values.allSatisfy({ $0 < most }) else { return nil }
        return min(counts.count * most, TraceBound.run.exchanges)
    }

    /// The number of times that each request was sent.
    private static func counts(in world: World) -> [RFFrame: Int] {
        Dictionary(world.trace.exchanges.map { ($0.command, 1) }, uniquingKeysWith: +)
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
