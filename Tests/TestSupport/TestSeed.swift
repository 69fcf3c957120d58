import Foundation

/// The seed of all property tests of a run: `TAPSIM_TEST_SEED`, or drawn once and printed.
public enum TestSeed {
    /// The seed.
    ///
    /// Include it in the comment of every expectation that depends on it.
    public static let value: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TAPSIM_TEST_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
        print("property tests: TAPSIM_TEST_SEED=\(seed)")
        return seed
    }()
}
