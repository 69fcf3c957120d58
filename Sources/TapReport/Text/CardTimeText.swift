import TapWire

/// How card time is written: milliseconds.
enum CardTimeText {
    /// With one decimal, as the rows of a table have it: `12.0`.
    static func precise(_ time: Duration) -> String {
        let tenths = time.wholeNanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// With one decimal, in the width of a column.
    static func column(_ time: Duration) -> String {
        precise(time).leftPadded(to: 9)
    }

    /// Rounded: `41 ms`.
    static func rounded(_ time: Duration) -> String {
        "\((time.wholeNanoseconds + 500_000) / 1_000_000) ms"
    }
}
