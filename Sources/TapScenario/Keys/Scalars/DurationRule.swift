/// A duration: a number with its unit, `250us`, `30ms`, `1.5s`.
public struct DurationRule: ScalarRule {
    /// How durations may be written beside a number with a unit.
    public enum Form: Hashable, Sendable {
        /// Only with a unit.
        case unit
        /// A bare number counts seconds, as in the time stamps of recordings.
        case bareSeconds
    }

    /// The longest duration, a day: no run takes as long.
    public static let maximum = Duration.seconds(86_400)

    /// How durations may be written.
    public let form: Form

    /// Creates a rule.
    public init(_ form: Form = .unit) {
        self.form = form
    }

    /// What is needed.
    public var noun: String { form == .unit ? "a duration such as `30ms`" : "a number of seconds" }

    /// Reads a duration, exact to the nanosecond.
    public func parse(_ text: String) throws(ScalarProblem) -> Duration {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(number.count)
        guard !number.isEmpty else { throw problem(Self.examples, 0..<text.unicodeScalars.count) }
        guard let digits = decimalPlaces(of: unit) else { throw wrongUnit(String(unit), behind: String(number)) }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(where: \.isEmpty) else {
            throw problem(Self.examples, 0..<number.count)
        }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count <= digits else {
            throw problem("durations are whole nanoseconds", parts[0].count..<number.count)
        }
        let zeros = String(repeating: "0", count: digits - fraction.count)
        guard let nanoseconds = Int64(parts[0] + fraction + zeros), .nanoseconds(nanoseconds) <= Self.maximum else {
            throw ScalarProblem(.outOfRange, "is too long", hint: "a duration is at most one day")
        }
        return .nanoseconds(nanoseconds)
    }

    /// Text with a unit, or bare seconds.
    public var schema: ScalarSchema {
        switch form {
        case .unit: ScalarSchema(.pattern(Self.pattern))
        case .bareSeconds: ScalarSchema(.pattern("\(Self.pattern)?"), numbers: .any)
        }
    }

    /// A number with its unit, as a regular expression that ends with the group of units.
    static let pattern = "[0-9]+(\\.[0-9]+)?(\(units.map(\.name).joined(separator: "|")))"

    private static let examples = "a number and its unit, such as `250us`, `30ms` or `2s`"

    /// Units with the decimal places they have in nanoseconds.
    private static let units: [(name: String, decimalPlaces: Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

    private func decimalPlaces(of unit: Substring) -> Int? {
        let name = unit.isEmpty && form == .bareSeconds ? "s" : unit
        return Self.units.first { $0.name == name }?.decimalPlaces
    }

    private func wrongUnit(_ unit: String, behind number: String) -> ScalarProblem {
        let start = number.unicodeScalars.count
        let meant: String? =
            switch unit.lowercased().filter({ $0 != " " }) {
            case "": number == "0" ? "s" : "ms"
            case "µs", "μs", "us", "usec", "micros": "us"
            case "ms", "msec", "millis": "ms"
            case "ns", "nsec": "ns"
            case "s", "sec", "secs", "second", "seconds": "s"
            default: nil
            }
        let hint = "the unit is ns, us, ms or s" + (meant.map { ": `\(number)\($0)`" } ?? "")
        let part = unit.isEmpty ? nil : start..<start + unit.unicodeScalars.count
        return problem(hint, part)
    }

    private func problem(_ hint: String, _ part: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.notDuration, "is not a duration", hint: hint, part: part)
    }
}
