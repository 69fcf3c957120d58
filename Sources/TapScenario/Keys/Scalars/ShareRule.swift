/// A share in whole percent, such as `90%`.
public struct ShareRule: ScalarRule {
    /// The smallest and the largest share in percent.
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var noun: String { "a share such as `\(min(max(90, bounds.lowerBound), bounds.upperBound))%`" }

    /// Reads a whole number with its percent sign.
    public func parse(_ text: String) throws(ScalarProblem) -> Int {
        let problem = ScalarProblem(.notDuration, "is not a share", hint: "a whole number and `%`: `90%`")
        guard text.last == "%" else { throw problem }
        let digits: Int?
        do {
            digits = try IntegerRule.digits(String(text.dropLast()))
        } catch {
            throw problem
        }
        guard let percent = digits, bounds.contains(percent) else {
            throw ScalarProblem(
                .outOfRange, "is out of range", hint: "\(bounds.lowerBound)% to \(bounds.upperBound)% needed")
        }
        return percent
    }

    /// Digits with a percent sign.
    public var schema: ScalarSchema { ScalarSchema(.pattern("(0|[1-9][0-9]*)%")) }
}
