/// A whole number in decimal digits.
public struct IntegerRule: ScalarRule {
    /// Numbers that are allowed.
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var noun: String {
        if bounds.lowerBound == bounds.upperBound { return "the number \(bounds.lowerBound)" }
        return bounds == Int.min...Int.max ? "a whole number" : "a whole number (\(Self.need(bounds)))"
    }

    public func parse(_ text: String) throws(ScalarProblem) -> Int {
        guard let value = try Self.digits(text), bounds.contains(value) else {
            throw ScalarProblem(.outOfRange, "is out of range", hint: "\(Self.need(bounds)) needed")
        }
        return value
    }

    /// A number, or its digits as a string.
    public var schema: ScalarSchema { ScalarSchema(.pattern("-?(0|[1-9][0-9]*)"), numbers: .integers(bounds)) }

    /// Reads decimal digits with a sign in front; the first character that is none of them is the problem, or all.
    ///
    /// - Returns: The number, or nothing if it is beyond 64 bits.
    static func digits(_ text: String) throws(ScalarProblem) -> Int? {
        let scalars = Array(text.unicodeScalars)
        let start = scalars.first == "-" ? 1 : 0
        let wrong = scalars.indices.first { $0 >= start && !("0"..."9").contains(scalars[$0]) }
        if scalars.count == start || wrong != nil {
            throw ScalarProblem(
                .notInteger, "is not a whole number", hint: advice(on: text),
                part: wrong.flatMap { $0 == 0 ? nil : $0..<$0 + 1 })
        }
        if scalars[start] == "0", scalars.count > start + 1 {
            throw ScalarProblem(
                .notInteger, "has a leading zero", hint: "YAML readers differ on it; leave it out",
                part: start..<start + 1)
        }
        return Int(text)
    }

    private static func advice(on text: String) -> String {
        let plain = text.filter { $0 != "_" && $0 != "," && $0 != " " }
        if plain.hasPrefix("0x"), let value = Int(plain.dropFirst(2), radix: 16) { return "decimal digits: \(value)" }
        if let value = Int(plain) { return "digits alone: \(value)" }
        if let value = Double(plain), let exact = Int(exactly: value) { return "digits alone: \(exact)" }
        return "decimal digits needed"
    }

    /// Bounds in words: `0 to 255`, `1 or more`.
    static func need(_ bounds: ClosedRange<Int>) -> String {
        switch (bounds.lowerBound, bounds.upperBound) {
        case (Int.min, Int.max): "a whole number"
        case (let low, Int.max): "\(low) or more"
        case (Int.min, let high): "\(high) or less"
        case (let low, let high) where low == high: "\(low)"
        case (let low, let high): "\(low) to \(high)"
        }
    }
}
