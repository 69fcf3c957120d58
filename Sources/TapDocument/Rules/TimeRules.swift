import TapWire

/// A date in ISO 8601 format: `2026-11-18`.
package struct DateRule: ScalarRule {
    public init() {}

    public var plainReadings: Set<ForeignReading> { [.date] }

    public var noun: String { "a date such as `2026-11-18`" }

    package func parse(_ text: String) throws(ScalarProblem) -> CalendarDate {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
        let numbers = parts.compactMap { Int($0) }
        guard isDigits, parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3 else {
            throw ScalarProblem(.notDate, "is not a date", hint: "expected year, month and day: `2026-11-18`")
        }
        guard let date = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            let isMonth = (1...12).contains(numbers[1])
            let part = numbers[0] == 0 ? 0..<4 : isMonth ? 8..<10 : 5..<7
            let last = isMonth ? CalendarDate.dayCount(ofMonth: numbers[1], year: numbers[0]) : 12
            let hint = numbers[0] == 0 ? "years begin at 0001" : "expected 01 to \(last)"
            throw ScalarProblem(.notDate, "is not in the calendar", hint: hint, part: part)
        }
        return date
    }

    /// A date, with the time of day that some YAML readers add.
    public var schema: ScalarSchema {
        ScalarSchema(.pattern(ScalarSchema.datePattern))
    }
}

/// A duration: a number with its unit, `250us`, `30ms`, `1.5s`.
public struct DurationRule: ScalarRule {
    /// The maximum duration, a day, which is longer than any run.
    public static let maximum = Duration.seconds(86_400)

    public init() {}

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String { "a duration such as `30ms`" }

    public func parse(_ text: String) throws(ScalarProblem) -> Duration {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(number.count)
        guard !number.isEmpty else { throw problem(Self.examples, 0..<text.unicodeScalars.count) }
        guard let digits = Self.units.first(where: { $0.name == unit })?.decimalPlaces else {
            throw wrongUnit(String(unit), after: String(number))
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(where: \.isEmpty) else {
            throw problem(Self.examples, 0..<number.count)
        }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count <= digits else {
            throw problem("a duration is a whole number of nanoseconds", parts[0].count..<number.count)
        }
        let zeros = String(repeating: "0", count: digits - fraction.count)
        guard let nanoseconds = Int64(parts[0] + fraction + zeros), .nanoseconds(nanoseconds) <= Self.maximum else {
            throw ScalarProblem(.outOfRange, "is too long", hint: "a duration is at most one day")
        }
        return .nanoseconds(nanoseconds)
    }

    public var schema: ScalarSchema { ScalarSchema(.pattern(Self.pattern)) }

    /// A regular expression for a number with its unit, which ends with the group of units.
    package static let pattern = "[0-9]+(\\.[0-9]+)?(\(units.map(\.name).joined(separator: "|")))"

    private static let examples = "expected a number and its unit, such as `250us`, `30ms` or `2s`"

    /// Units, with the number of decimal places that nanoseconds allow.
    private static let units: [(name: String, decimalPlaces: Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

    private func wrongUnit(_ unit: String, after number: String) -> ScalarProblem {
        let start = number.unicodeScalars.count
        let meant: String? =
            switch unit.lowercased().filter({ $0 != " " }) {
            case "µs", "μs", "us", "usec", "micros": "us"
            case "ms", "msec", "millis": "ms"
            case "ns", "nsec": "ns"
            case "s", "sec", "secs", "second", "seconds": "s"
            default: nil
            }
        // A number without a unit could mean milliseconds or seconds.
        let written = meant.map { ": `\(number)\($0)`" } ?? (unit.isEmpty ? ": `\(number)ms` or `\(number)s`" : "")
        let hint = "the unit is ns, us, ms or s\(written)"
        let part = unit.isEmpty ? nil : start..<start + unit.unicodeScalars.count
        return problem(hint, part)
    }

    private func problem(_ hint: String, _ part: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.notDuration, "is not a duration", hint: hint, part: part)
    }
}

extension DurationRule {
    /// A duration as files write it, in the largest unit that needs no fraction.
    package static func text(_ duration: Duration) -> String {
        DurationText.of(duration)
    }
}
