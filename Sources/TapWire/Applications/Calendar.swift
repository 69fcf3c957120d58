/// A day of the Gregorian calendar from 0001-01-01 to 9999-12-31.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The supported years, which ISO 8601 writes with four digits.
    package static let years = 1...9_999

    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// Returns `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.dayCount(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads ISO 8601 text such as `2026-11-18`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = DecimalText.number(parts[0], width: 4),
            let month = DecimalText.number(parts[1], width: 2), let day = DecimalText.number(parts[2], width: 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// ISO 8601 text such as `2026-11-18`.
    public var description: String {
        [(year, 4), (month, 2), (day, 2)].map { DecimalText.digits($0, width: $1) }.joined(separator: "-")
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    package static func dayCount(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

/// Day arithmetic over the calendar's 400-year cycles, with years that begin in March so that the leap day comes last; (153·m
/// + 2) / 5 days of such a year precede its month m.
extension CalendarDate {
    private static let daysInCycle = 146_097
    /// The number of 2000-01-01, counting days from 0000-03-01.
    private static let dayNumberOf2000 = 730_425
    private static let daysSince2000Range = -730_119...2_921_939

    /// Days from 2000-01-01 to this date; negative for earlier dates.
    package var daysSince2000: Int {
        let marchYear = month > 2 ? year : year - 1
        let yearOfCycle = marchYear % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return marchYear / 400 * Self.daysInCycle + dayOfCycle - Self.dayNumberOf2000
    }

    /// Returns `nil` outside ``years``.
    package init?(daysSince2000 days: Int) {
        guard Self.daysSince2000Range.contains(days) else { return nil }
        let dayNumber = days + Self.dayNumberOf2000
        let dayOfCycle = dayNumber % Self.daysInCycle
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let marchYear = dayNumber / Self.daysInCycle * 400 + yearOfCycle
        self.init(
            year: month > 2 ? marchYear : marchYear + 1, month: month,
            day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The date `days` later, or earlier if negative; `nil` outside ``years``.
    package func adding(days: Int) -> CalendarDate? {
        let (sum, overflow) = daysSince2000.addingReportingOverflow(days)
        return overflow ? nil : CalendarDate(daysSince2000: sum)
    }
}

/// A time of day in whole seconds.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let secondsPerDay = 86_400

    /// Seconds since midnight, below ``secondsPerDay``.
    package let secondOfDay: Int

    /// Returns `nil` if the clock has no such time.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        secondOfDay = (hour * 60 + minute) * 60 + second
    }

    package init?(secondOfDay: Int) {
        guard (0..<Self.secondsPerDay).contains(secondOfDay) else { return nil }
        self.secondOfDay = secondOfDay
    }

    /// Reads text such as `07:44` or `07:44:30`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.number($0, width: 2) }
        guard numbers.count == parts.count, (2...3).contains(parts.count) else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: parts.count == 3 ? numbers[2] : 0)
    }

    public var hour: Int { secondOfDay / 3_600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    /// Text such as `07:44`, with seconds if they are not zero.
    public var description: String {
        (second == 0 ? [hour, minute] : [hour, minute, second])
            .map { DecimalText.digits($0, width: 2) }.joined(separator: ":")
    }

    public static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.secondOfDay < right.secondOfDay
    }
}

/// An hour and a minute in four decimal digits (BCD), two bytes: `22 10` is 22:10.
public struct BCDTime: TimeCode, CustomStringConvertible {
    /// The two bytes, hour in the high byte; nibbles above 9 are kept.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Drops seconds.
    package init(_ time: ClockTime) {
        let digits = [time.hour / 10, time.hour % 10, time.minute / 10, time.minute % 10]
        rawValue = digits.reduce(0) { $0 << 4 | UInt16($1) }
    }

    /// The time, or `nil` if a nibble is not a digit or the clock has no such time.
    public var time: ClockTime? {
        ClockTime("\(self)")
    }

    /// Text such as `22:10`; a nibble above 9 prints as a letter.
    public var description: String {
        let digits = Hex.digits(rawValue, width: 4)
        return "\(digits.prefix(2)):\(digits.suffix(2))"
    }
}

/// A date and a time of day packed into the bits of one number.
///
/// Every number is a valid value; ``date`` and ``time`` are `nil` if the bits encode no day or no time.
package protocol PackedTimestamp: MomentCode, CustomStringConvertible where Bits == UInt32 {
    /// Throws ``WireError`` if the packing cannot represent the date; excess precision of the time is dropped.
    init(_ date: CalendarDate, _ time: ClockTime) throws(WireError)
    var date: CalendarDate? { get }
    var time: ClockTime? { get }
}

extension PackedTimestamp {
    /// Date and time, or the bits in hexadecimal if they encode neither.
    package var description: String {
        guard let date, let time else { return Hex.digits(rawValue, width: 8) }
        return "\(date) \(time)"
    }
}

/// A packing with minute resolution and separate bits for each component.
package protocol MinuteTimestamp: PackedTimestamp {
    static var packing: MinutePacking { get }
}

/// The bits of each component of a date and time, and the first year.
package struct MinutePacking: Sendable {
    let name: String
    let firstYear: Int
    let year: ClosedRange<Int>
    let month: ClosedRange<Int>
    let day: ClosedRange<Int>
    let hour: ClosedRange<Int>
    let minute: ClosedRange<Int>
}

extension MinuteTimestamp {
    package static var firstYear: Int { packing.firstYear }

    package static var years: ClosedRange<Int> {
        packing.firstYear...packing.firstYear + (1 << packing.year.count) - 1
    }

    /// Packs a date and a time, dropping the seconds; throws ``WireError`` outside ``years``.
    package init(_ date: CalendarDate, _ time: ClockTime) throws(WireError) {
        let packing = Self.packing
        try date.requireYear(in: Self.years, of: packing.name)
        var bits: UInt32 = 0
        bits[bits: packing.year] = UInt32(date.year - packing.firstYear)
        bits[bits: packing.month] = UInt32(date.month)
        bits[bits: packing.day] = UInt32(date.day)
        bits[bits: packing.hour] = UInt32(time.hour)
        bits[bits: packing.minute] = UInt32(time.minute)
        self.init(bits)
    }

    package var date: CalendarDate? {
        CalendarDate(
            year: Self.packing.firstYear + Int(rawValue[bits: Self.packing.year]),
            month: Int(rawValue[bits: Self.packing.month]), day: Int(rawValue[bits: Self.packing.day]))
    }

    package var time: ClockTime? {
        ClockTime(hour: Int(rawValue[bits: Self.packing.hour]), minute: Int(rawValue[bits: Self.packing.minute]))
    }
}

extension CalendarDate {
    /// Throws ``WireError`` with `name` and `years` unless `years` contains the date.
    func requireYear(in years: ClosedRange<Int>, of name: String) throws(WireError) {
        guard years.contains(year) else {
            throw WireError(
                .wrongValue, at: 0, in: name, "\(self) is not in \(years.lowerBound) to \(years.upperBound)")
        }
    }
}
