import TestSupport
import Testing

@testable import TapTransports

/// A failure prints its seed; `TAPSIM_TEST_SEED` with that number reproduces it as the first run.
@Suite struct `Transports under a scheduler` {
    /// The number of steps in a run.
    private static let steps = 5_000
    /// The number of runs: a million steps with `Tools/test --long`.
    private static let runs = TestScale.isLong ? 200 : 4

    @Test(.timeLimit(.minutes(30)))
    func `give every client one correct answer regardless of other clients, and leave nothing behind`() throws {
        for run in 0..<Self.runs {
            let seed = TestSeed.value &+ UInt64(run)
            var simulation = try TransportSimulation(seed: seed)
            do {
                try simulation.run(steps: Self.steps)
            } catch {
                let log = simulation.log.joined(separator: "\n")
                Issue.record("\(error)\nTAPSIM_TEST_SEED=\(seed) reproduces it; events before:\n\(log)")
                return
            }
        }
    }
}
