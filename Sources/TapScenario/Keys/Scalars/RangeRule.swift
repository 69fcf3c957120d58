import TapField

/// A range: `0..11`, `1..` without an upper end, or a single number.
public struct RangeRule: ScalarRule {
    /// Numbers that are allowed as ends.
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var noun: String { "a number or a range such as `0..11`" }

    /// Reads a range.
    public func parse(_ text: String) throws(ScalarProblem) -> IntegerRange {
        guard let dots = Self.dots(in: text) else {
            let number = try end(text, at: 0, of: text)
            return IntegerRange(number, through: number)
        }
        let lower = try end(String(text[..<dots.lowerBound]), at: 0, of: text)
        let rest = String(text[dots.upperBound...])
        guard !rest.isEmpty else { return IntegerRange(lower, through: nil) }
        let offset = text[..<dots.upperBound].unicodeScalars.count
        let upper = try end(rest, at: offset, of: text)
        guard lower <= upper else {
            throw ScalarProblem(.notRange, "runs backwards", hint: "the lower end comes first: `\(upper)..\(lower)`")
        }
        return IntegerRange(lower, through: upper)
    }

    /// A number, or a range as text.
    public var schema: ScalarSchema {
        let number = "-?(0|[1-9][0-9]*)"
        return ScalarSchema(.pattern("\(number)(\\.\\.(\(number))?)?"), numbers: .integers(bounds))
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        guard let first = text.firstIndex(of: "."), text[first...].hasPrefix("..") else { return nil }
        return first..<text.index(first, offsetBy: 2)
    }

    private func end(_ digits: String, at offset: Int, of text: String) throws(ScalarProblem) -> Int {
        let whole = offset..<offset + digits.unicodeScalars.count
        let number: Int?
        do {
            number = try IntegerRule.digits(digits)
        } catch {
            let part = error.part.map { $0.lowerBound + offset..<$0.upperBound + offset } ?? whole
            throw ScalarProblem(.notRange, "is not a range", hint: Self.advice(on: text), part: part)
        }
        guard let number, bounds.contains(number) else {
            throw ScalarProblem(
                .outOfRange, "is out of range", hint: "\(IntegerRule.need(bounds)) needed", part: whole)
        }
        return number
    }

    private static func advice(on text: String) -> String {
        if text.contains("...") || text.contains("..<") { return "two dots, both ends included: `0..11`" }
        if text.hasPrefix("..") { return "a range has a lower end: `0\(text)`" }
        if text.dropFirst().contains("-") { return "two dots between the ends: `0..11`" }
        return "`0..11`, `1..` or a number needed"
    }
}
