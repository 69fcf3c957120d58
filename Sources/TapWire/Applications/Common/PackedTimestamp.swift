/// A date and a time of day packed into the bits of one number.
///
/// Any number is a value; ``date`` and ``time`` are nothing where the bits name no day or no time.
public protocol PackedTimestamp: Hashable, Sendable, CustomStringConvertible {
    /// The bits as a number.
    var rawValue: UInt32 { get }
    /// Takes the bits as a number.
    init(_ rawValue: UInt32)
    /// Packs a date and a time.
    ///
    /// - Throws: ``WireError`` if the packing cannot hold the date; what it cannot hold of the time is dropped.
    init(_ date: CalendarDate, _ time: ClockTime) throws(WireError)
    /// The day, if the calendar has it.
    var date: CalendarDate? { get }
    /// The time of day, if the clock shows it.
    var time: ClockTime? { get }
}

extension PackedTimestamp {
    /// Date and time, or the bits in hexadecimal where they name none.
    public var description: String {
        guard let date, let time else { return Hex.digits(rawValue, width: 8) }
        return "\(date) \(time)"
    }
}

extension CalendarDate {
    /// Checks that a packing can hold the date.
    ///
    /// - Throws: ``WireError`` naming the packing `name` and the years it can hold.
    func requireYear(in years: ClosedRange<Int>, of name: String) throws(WireError) {
        guard years.contains(year) else {
            throw WireError(
                .wrongValue, at: 0, in: name, "\(self) is not in \(years.lowerBound) to \(years.upperBound)")
        }
    }
}
