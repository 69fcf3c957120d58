import TapWire

extension DurationRule {
    /// A duration as files write it, in the largest unit that needs no fraction.
    static func text(_ duration: Duration) -> String {
        DurationText.of(duration)
    }
}
