import TapWire

/// Bytes as hexadecimal text, with blanks and line breaks anywhere between digits.
public struct HexRule: ScalarRule {
    /// Numbers of bytes that are allowed, in ascending order.
    public let lengths: [ClosedRange<Int>]
    /// What to write in place of a text that is no hexadecimal at all.
    private let meant: (@Sendable (String) -> String)?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - lengths: Numbers of bytes that are allowed.
    ///   - meant: What to write in place of a text that is no hexadecimal at all, where there is another way to say it.
    public init(_ lengths: [ClosedRange<Int>], meant: (@Sendable (String) -> String)? = nil) {
        self.lengths = lengths.sorted { $0.upperBound < $1.upperBound }
        self.meant = meant
    }

    public var noun: String { "\(need) in hexadecimal" }

    public func parse(_ text: String) throws(ScalarProblem) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try Hex.bytes(Self.onOneLine(text))
        } catch {
            if case .notADigit(let character, _) = error, character.isLetter || text.contains("://"), let meant {
                throw ScalarProblem(.notHex, "is not hexadecimal", hint: "write `\(meant(text))`")
            }
            throw Self.problem(error, in: text)
        }
        guard lengths.contains(where: { $0.contains(bytes.count) }) else { throw wrongLength(bytes.count, in: text) }
        return bytes
    }

    /// Pairs of digits, and the number a YAML reader makes where all digits are decimal.
    public var schema: ScalarSchema {
        let bytes = lengths.map { length in
            let upper = length.upperBound == Int.max ? "" : "\(length.upperBound)"
            return "(([0-9A-Fa-f]\\s*){2}){\(length.lowerBound),\(upper)}"
        }.joined(separator: "|")
        return ScalarSchema(.pattern("\\s*(\(bytes))"), numbers: .any)
    }

    /// Yes: `0003` is 3 elsewhere, `12E4` is 120000.
    public var needsQuotes: Bool { true }

    private var need: String {
        let isOne = lengths.last?.upperBound == 1
        return "\(ListText.choice(lengths.map(IntegerRule.need))) byte\(isOne ? "" : "s")"
    }

    private static func onOneLine(_ text: String) -> String {
        text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
    }

    private static func problem(_ problem: Hex.Problem, in text: String) -> ScalarProblem {
        switch problem {
        case .notADigit(let character, let offset):
            let before = text.prefix(offset)
            let start = before.unicodeScalars.count
            let part = start..<start + character.unicodeScalars.count
            let hint = advice(on: character, behind: before.last)
            return ScalarProblem(.notHex, "is not hexadecimal", hint: hint, part: part)
        case .oddDigits(let count):
            let last = digitOffsets(in: text).last ?? 0
            return ScalarProblem(
                .notHex, "has \(count == 1 ? "a single digit" : "\(count) digits")",
                hint: "bytes have two digits each; one is missing", part: last..<last + 1)
        }
    }

    /// What to do about a character that is no digit.
    static func advice(on character: Character, behind previous: Character?) -> String {
        switch (character, previous) {
        case ("x", "0"), ("X", "0"): "leave out `0x`; the digits are enough"
        case (":", _), ("-", _), (",", _): "leave out `\(character)`; blanks may stand between digits"
        default: "`\(character)` is not a hexadecimal digit"
        }
    }

    /// Too many bytes are marked from the first that is too many; of too few all are.
    private func wrongLength(_ count: Int, in text: String) -> ScalarProblem {
        let message = "has \(CountText.of(count, "byte"))"
        let digits = Self.digitOffsets(in: text)
        guard let largest = lengths.last?.upperBound, count > largest, let last = digits.last else {
            return ScalarProblem(.wrongLength, message, hint: "\(need) needed")
        }
        return ScalarProblem(
            .wrongLength, message, hint: "\(need) needed, this is too much", part: digits[2 * largest]..<last + 1)
    }

    private static func digitOffsets(in text: String) -> [Int] {
        text.unicodeScalars.enumerated().compactMap { Character($1).isHexDigit ? $0 : nil }
    }
}
