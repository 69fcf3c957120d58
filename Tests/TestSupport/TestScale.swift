import Foundation

/// The amount of work in random tests: normal, or many times as much with `Tools/test --long`.
public enum TestScale {
    /// A Boolean value that indicates whether tests do many times the normal work.
    public static let isLong = ProcessInfo.processInfo.environment["TAPSIM_LONG"] != nil
    private static let factor = isLong ? 20 : 1

    /// A normal count, scaled.
    public static func count(_ usual: Int) -> Int { usual * factor }
}
