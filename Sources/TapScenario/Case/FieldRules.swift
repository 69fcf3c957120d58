import TapDocument
import TapField
import TapWire

/// A range: `0..11`, `1..` without an upper end, or a single number.
public struct RangeRule: ScalarRule {
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String { "a number or a range such as `0..11`" }

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
            throw ScalarProblem(.notRange, "is reversed", hint: "put the lower end first: `\(upper)..\(lower)`")
        }
        return IntegerRange(lower, through: upper)
    }

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
                .outOfRange, "is out of range", hint: "expected \(IntegerRule.need(bounds))", part: whole)
        }
        return number
    }

    private static func advice(on text: String) -> String {
        if text.contains("...") || text.contains("..<") { return "use two dots; both ends are included: `0..11`" }
        if text.hasPrefix("..") { return "write the lower end: `0\(text)`" }
        if text.dropFirst().contains("-") { return "use two dots between the ends: `0..11`" }
        return "expected `0..11`, `1..` or a number"
    }
}

/// A duration, or a share such as `90%` of the card's own deadline.
public struct TimeAmountRule: ScalarRule {
    /// The maximum share is ten times the deadline.
    private static let share = ShareRule(0...1_000)

    public init() {}

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String { "a duration such as `30ms`, or a share such as `90%`" }

    public func parse(_ text: String) throws(ScalarProblem) -> TimeAmount {
        guard text.last == "%" else { return .duration(try DurationRule().parse(text)) }
        return .percent(try Self.share.parse(text))
    }

    public var schema: ScalarSchema {
        ScalarSchema(.pattern("\(ShareRule.pattern)|\(DurationRule.pattern)"))
    }
}

/// The name of a command, such as `felica.read`.
public struct CommandRule: ScalarRule {
    public init() {}

    public var noun: String { "a command such as `felica.read`" }

    public func parse(_ text: String) throws(ScalarProblem) -> CommandName {
        if let name = CommandName(text) { return name }
        let names = CommandName.all.map(\.rawValue)
        let guess = names.first { $0.hasSuffix(".\(text)") } ?? Spelling.closest(to: text, among: names)
        let hint = guess.map { "did you mean `\($0)`?" } ?? "commands start with `felica.`, `ntag.` or `a3.`"
        throw ScalarProblem(.unknownWord, "is not a command", hint: hint)
    }

    public var schema: ScalarSchema { ScalarSchema(.words(CommandName.all.map(\.rawValue))) }
}

extension Shape {
    static let command = Shape.scalar(CommandRule())
    static let cardName = Shape.name("the name of a card")
    static let readerName = Shape.name("the name of a reader")
}

extension ValueReader {
    var command: CommandName { read(CommandRule.self) }

    /// The line of the file where the value begins.
    var source: SourceReference? { SourceReference(node.range) }
}

extension SourceReference {
    /// The line where a part of a file begins, or `nil` for text without a file name.
    init?(_ range: SourceRange?) {
        guard let range, !range.file.name.isEmpty else { return nil }
        self.init(file: range.file.name, line: range.line)
    }
}

extension Shape {
    public static let timeAmount = Shape.scalar(TimeAmountRule())
    public static func range(_ bounds: ClosedRange<Int> = 0...Int.max) -> Shape { .scalar(RangeRule(bounds)) }
}

extension ValueReader {
    public var timeAmount: TimeAmount { read(TimeAmountRule.self) }
    public var range: IntegerRange { read(RangeRule.self) }
}
