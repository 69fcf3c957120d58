import TestSupport
import Testing

@testable import TapTransports

/// A failure prints its seed: `TAPSIM_TEST_SEED` with that number does the same as the first run.
@Suite struct `Transports under a scheduler` {
    /// Steps of a run.
    private static let steps = 5_000
    /// With `Tools/test --long` a million steps.
    private static let runs = TestScale.isLong ? 200 : 4

    @Test(.timeLimit(.minutes(30)))
    func `answer every client once and rightly, whoever dies or waits, and end with nothing left`() throws {
        for run in 0..<Self.runs {
            let seed = TestSeed.value &+ UInt64(run)
            var simulation = try TransportSimulation(seed: seed)
            do {
                try simulation.run(steps: Self.steps)
            } catch {
                let log = simulation.log.joined(separator: "\n")
                Issue.record("\(error)\nTAPSIM_TEST_SEED=\(seed) does it again; what came before:\n\(log)")
                return
            }
        }
    }
}
