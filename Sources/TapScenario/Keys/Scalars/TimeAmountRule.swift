import TapField

/// A duration, or a share such as `90%` of the card's own deadline.
public struct TimeAmountRule: ScalarRule {
    /// The largest share: ten times the deadline.
    public static let maximumPercent = 1_000

    public init() {}

    public var noun: String { "a duration such as `30ms`, or a share such as `90%`" }

    /// Reads either.
    public func parse(_ text: String) throws(ScalarProblem) -> TimeAmount {
        guard text.last == "%" else { return .duration(try DurationRule().parse(text)) }
        let percent: Int?
        do {
            percent = try IntegerRule.digits(String(text.dropLast()))
        } catch {
            throw ScalarProblem(.notDuration, "is not a share", hint: "a whole number and `%`: `90%`", part: error.part)
        }
        guard let percent, (0...Self.maximumPercent).contains(percent) else {
            throw ScalarProblem(.outOfRange, "is out of range", hint: "0% to \(Self.maximumPercent)% needed")
        }
        return .percent(percent)
    }

    /// Text with a unit or a percent sign.
    public var schema: ScalarSchema {
        ScalarSchema(.pattern("(0|[1-9][0-9]*)%|\(DurationRule.pattern)"))
    }
}
