/// Date and time of a WAON history record, 25 bits: year after 2005 (5), month (4), day (5), hour (5), minute (6).
///
/// Source: observation of cards (felicalib wiki, NFCReader).
public struct WAONTimestamp: PackedTimestamp {
    /// Years the five bits can hold.
    public static let years = 2005...2036

    /// The bits; the high seven are zero.
    public let rawValue: UInt32

    /// Takes the low 25 bits of a number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...24]
    }

    /// Packs a date and a time; seconds are dropped.
    ///
    /// - Throws: ``WireError`` outside ``years``.
    public init(_ date: CalendarDate, _ time: ClockTime) throws(WireError) {
        try date.requireYear(in: Self.years, of: "WAON date")
        var bits: UInt32 = 0
        bits[bits: 20...24] = UInt32(date.year - 2005)
        bits[bits: 16...19] = UInt32(date.month)
        bits[bits: 11...15] = UInt32(date.day)
        bits[bits: 6...10] = UInt32(time.hour)
        bits[bits: 0...5] = UInt32(time.minute)
        rawValue = bits
    }

    /// The day, if the calendar has it.
    public var date: CalendarDate? {
        CalendarDate(
            year: 2005 + Int(rawValue[bits: 20...24]), month: Int(rawValue[bits: 16...19]),
            day: Int(rawValue[bits: 11...15]))
    }

    /// The time of day, if the clock shows it.
    public var time: ClockTime? {
        ClockTime(hour: Int(rawValue[bits: 6...10]), minute: Int(rawValue[bits: 0...5]))
    }
}
