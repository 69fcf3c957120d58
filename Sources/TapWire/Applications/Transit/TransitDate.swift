/// The date of a transit record, two bytes: year after 2000 (7 bits), month (4), day (5).
///
/// Zero stands for no date. Source: observation of cards, as public decoders agree on it.
public struct TransitDate: Hashable, Sendable, CustomStringConvertible {
    /// Years the seven bits can hold.
    public static let years = 2000...2127
    /// No date.
    public static let none = TransitDate(0)

    /// The bits, as the big-endian number they are stored as.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Packs a date.
    ///
    /// - Throws: ``WireError`` outside ``years``.
    public init(_ date: CalendarDate) throws(WireError) {
        try date.requireYear(in: Self.years, of: "transit date")
        var bits: UInt16 = 0
        bits[bits: 9...15] = UInt16(date.year - 2000)
        bits[bits: 5...8] = UInt16(date.month)
        bits[bits: 0...4] = UInt16(date.day)
        rawValue = bits
    }

    /// Year, 2000 to 2127.
    public var year: Int { 2000 + Int(rawValue[bits: 9...15]) }
    /// Month, 0 to 15.
    public var month: Int { Int(rawValue[bits: 5...8]) }
    /// Day, 0 to 31.
    public var day: Int { Int(rawValue[bits: 0...4]) }

    /// The date, if the calendar has it.
    public var date: CalendarDate? { CalendarDate(year: year, month: month, day: day) }

    /// The date as ISO 8601 text, or the bits in hexadecimal where they are no date.
    public var description: String { date?.description ?? Hex.digits(rawValue, width: 4) }
}

/// The time of a transit record, two bytes: hour (5 bits), minute (6), half the second (5).
///
/// Source: felica-rs; NFCReader takes the last five bits as whole seconds.
public struct TransitTime: Hashable, Sendable, CustomStringConvertible {
    /// The bits, as the big-endian number they are stored as.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Packs a time; an odd second is rounded down.
    public init(_ time: ClockTime) {
        var bits: UInt16 = 0
        bits[bits: 11...15] = UInt16(time.hour)
        bits[bits: 5...10] = UInt16(time.minute)
        bits[bits: 0...4] = UInt16(time.second / 2)
        rawValue = bits
    }

    /// The time, if the clock shows it.
    public var time: ClockTime? {
        ClockTime(
            hour: Int(rawValue[bits: 11...15]), minute: Int(rawValue[bits: 5...10]),
            second: 2 * Int(rawValue[bits: 0...4]))
    }

    /// The time as text, or the bits in hexadecimal where they are no time.
    public var description: String { time?.description ?? Hex.digits(rawValue, width: 4) }
}
