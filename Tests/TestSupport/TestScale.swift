import Foundation

/// How much a random test does: as usual, or many times as much with `Tools/test --long`.
public enum TestScale {
    /// Whether tests do many times as much.
    public static let isLong = ProcessInfo.processInfo.environment["TAPSIM_LONG"] != nil
    private static let factor = isLong ? 20 : 1

    /// A usual count, scaled.
    public static func count(_ usual: Int) -> Int { usual * factor }
}
