/// Date and time of an Edy history record, four bytes: days since 2000-01-01 (15 bits), seconds of the day (17).
///
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct EdyTimestamp: PackedTimestamp {
    /// The bits, as the big-endian number they are stored as.
    public let rawValue: UInt32

    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Packs a date and a time.
    ///
    /// - Throws: ``WireError`` outside 2000-01-01 to 2089-09-18, the days fifteen bits can count.
    public init(_ date: CalendarDate, _ time: ClockTime) throws(WireError) {
        let days = date.daysSince2000
        guard (0...0x7FFF).contains(days) else {
            throw WireError(.wrongValue, at: 0, in: "Edy date", "\(date) is not in 2000-01-01 to 2089-09-18")
        }
        var bits = UInt32(time.secondOfDay)
        bits[bits: 17...31] = UInt32(days)
        rawValue = bits
    }

    public var date: CalendarDate? { CalendarDate(daysSince2000: Int(rawValue[bits: 17...31])) }

    /// The time of day, if a day has so many seconds.
    public var time: ClockTime? { ClockTime(secondOfDay: Int(rawValue[bits: 0...16])) }
}
