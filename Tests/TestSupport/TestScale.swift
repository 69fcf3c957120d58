import Foundation

/// How much a random test does: as usual, or many times as much with `Tools/test --long`.
public enum TestScale {
    private static let factor = ProcessInfo.processInfo.environment["TAPSIM_LONG"] == nil ? 1 : 20

    /// A usual count, scaled.
    public static func count(_ usual: Int) -> Int { usual * factor }
}
