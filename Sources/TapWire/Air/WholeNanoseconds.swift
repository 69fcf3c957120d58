extension Duration {
    /// The duration in whole nanoseconds, as traces and scenario files have it; the rest is cut off.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
