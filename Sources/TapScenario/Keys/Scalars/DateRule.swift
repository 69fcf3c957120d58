/// A day of the Gregorian calendar.
public struct CalendarDate: Hashable, Sendable, CustomStringConvertible {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a date, or nothing if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.days(inMonth: month, of: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Number of days of a month.
    static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The date as ISO 8601 writes it: `2026-11-18`.
    public var description: String {
        let fill = { (value: Int, width: Int) in
            String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)"
        }
        return "\(fill(year, 4))-\(fill(month, 2))-\(fill(day, 2))"
    }
}

/// A date as ISO 8601 writes it: `2026-11-18`.
public struct DateRule: ScalarRule {
    /// Creates a rule.
    public init() {}

    /// What is needed.
    public var noun: String { "a date such as `2026-11-18`" }

    /// Reads a date.
    public func parse(_ text: String) throws(ScalarProblem) -> CalendarDate {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
        let numbers = parts.compactMap { Int($0) }
        guard isDigits, parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3 else {
            throw ScalarProblem(.notDate, "is not a date", hint: "year, month and day needed: `2026-11-18`")
        }
        guard let date = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            let isMonth = (1...12).contains(numbers[1])
            let part = numbers[0] == 0 ? 0..<4 : isMonth ? 8..<10 : 5..<7
            let last = isMonth ? CalendarDate.days(inMonth: numbers[1], of: numbers[0]) : 12
            let hint = numbers[0] == 0 ? "years begin at 0001" : "01 to \(last) needed"
            throw ScalarProblem(.notDate, "is not in the calendar", hint: hint, part: part)
        }
        return date
    }

    /// A date, and the time of day that some YAML readers add.
    public var schema: ScalarSchema {
        ScalarSchema(.pattern(ScalarSchema.datePattern))
    }
}
