/// How card time is written: milliseconds.
enum CardTimeText {
    /// With one decimal, as the rows of a table have it: `12.0`.
    static func precise(_ time: Duration) -> String {
        let tenths = nanoseconds(time) / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// With one decimal, in the width of a column.
    static func column(_ time: Duration) -> String {
        let text = precise(time)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }

    /// Rounded: `41 ms`.
    static func rounded(_ time: Duration) -> String {
        "\((nanoseconds(time) + 500_000) / 1_000_000) ms"
    }

    /// Whole nanoseconds, as traces have them.
    static func nanoseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
