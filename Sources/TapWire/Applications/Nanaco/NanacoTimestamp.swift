/// Date and time of a nanaco history record, four bytes: year after 2000 (11 bits), month (4), day (5), hour (6),
/// minute (6).
///
/// Source: observation of cards (TRETJapanNFCReader, whose tests show the year counted from 2000).
public struct NanacoTimestamp: PackedTimestamp {
    /// Years the eleven bits can hold.
    public static let years = 2000...4047

    /// The bits, as the big-endian number they are stored as.
    public let rawValue: UInt32

    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Packs a date and a time; seconds are dropped.
    ///
    /// - Throws: ``WireError`` outside ``years``.
    public init(_ date: CalendarDate, _ time: ClockTime) throws(WireError) {
        try date.requireYear(in: Self.years, of: "nanaco date")
        var bits: UInt32 = 0
        bits[bits: 21...31] = UInt32(date.year - 2000)
        bits[bits: 17...20] = UInt32(date.month)
        bits[bits: 12...16] = UInt32(date.day)
        bits[bits: 6...11] = UInt32(time.hour)
        bits[bits: 0...5] = UInt32(time.minute)
        rawValue = bits
    }

    /// The day, if the calendar has it.
    public var date: CalendarDate? {
        CalendarDate(
            year: 2000 + Int(rawValue[bits: 21...31]), month: Int(rawValue[bits: 17...20]),
            day: Int(rawValue[bits: 12...16]))
    }

    /// The time of day, if the clock shows it.
    public var time: ClockTime? {
        ClockTime(hour: Int(rawValue[bits: 6...11]), minute: Int(rawValue[bits: 0...5]))
    }
}
