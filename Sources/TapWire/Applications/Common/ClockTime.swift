/// A time of day in whole seconds.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds a day has.
    public static let secondsPerDay = 86_400

    /// Seconds since midnight, below ``secondsPerDay``.
    public let secondOfDay: Int

    /// Creates a time, or nothing if the clock does not show it.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        secondOfDay = (hour * 60 + minute) * 60 + second
    }

    /// Creates a time from seconds since midnight, or nothing if a day is shorter than that.
    public init?(secondOfDay: Int) {
        guard (0..<Self.secondsPerDay).contains(secondOfDay) else { return nil }
        self.secondOfDay = secondOfDay
    }

    /// Reads text such as `07:44` or `07:44:30`, or nothing if it is not that.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.number($0, width: 2) }
        guard numbers.count == parts.count, (2...3).contains(parts.count) else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: parts.count == 3 ? numbers[2] : 0)
    }

    /// Hour, 0 to 23.
    public var hour: Int { secondOfDay / 3_600 }
    /// Minute, 0 to 59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// Second, 0 to 59.
    public var second: Int { secondOfDay % 60 }

    /// Text such as `07:44`, with seconds where they are not zero.
    public var description: String {
        (second == 0 ? [hour, minute] : [hour, minute, second])
            .map { DecimalText.digits($0, width: 2) }.joined(separator: ":")
    }

    /// Whether `left` is earlier in the day.
    public static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.secondOfDay < right.secondOfDay
    }
}
