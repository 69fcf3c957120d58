/// An hour and a minute in four decimal digits, two bytes: `22 10` is 22:10.
public struct BCDTime: Hashable, Sendable, CustomStringConvertible {
    /// The two bytes, the hour high; nibbles above 9 are kept.
    public let rawValue: UInt16

    /// Creates a time from its two bytes, the hour high.
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates a time; seconds are dropped.
    public init(_ time: ClockTime) {
        let digits = [time.hour / 10, time.hour % 10, time.minute / 10, time.minute % 10]
        rawValue = digits.reduce(0) { $0 << 4 | UInt16($1) }
    }

    /// The time, if the nibbles are digits and the clock shows it.
    public var time: ClockTime? {
        ClockTime("\(self)")
    }

    /// Text such as `22:10`; a nibble above 9 prints as a letter.
    public var description: String {
        let digits = Hex.digits(rawValue, width: 4)
        return "\(digits.prefix(2)):\(digits.suffix(2))"
    }
}
