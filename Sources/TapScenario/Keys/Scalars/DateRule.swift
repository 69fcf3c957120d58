import TapWire

/// A date as ISO 8601 writes it: `2026-11-18`.
public struct DateRule: ScalarRule {
    public init() {}

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
            let last = isMonth ? CalendarDate.dayCount(ofMonth: numbers[1], year: numbers[0]) : 12
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
