import TapWire

public struct IntegerRule: ScalarRule {
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String {
        if bounds.lowerBound == bounds.upperBound { return "the number \(bounds.lowerBound)" }
        return bounds == Int.min...Int.max ? "a whole number" : "a whole number (\(Self.need(bounds)))"
    }

    public func parse(_ text: String) throws(ScalarProblem) -> Int {
        guard let value = try Self.digits(text), bounds.contains(value) else {
            throw ScalarProblem(.outOfRange, "is out of range", hint: "expected \(Self.need(bounds))")
        }
        return value
    }

    /// A number, or its digits as a string.
    public var schema: ScalarSchema { ScalarSchema(.pattern("-?(0|[1-9][0-9]*)"), numbers: .integers(bounds)) }

    /// Parses decimal digits with an optional minus sign.
    ///
    /// An error points to the first character that is neither, or to the whole text.
    ///
    /// - Returns: The number, or `nil` if it exceeds 64 bits.
    package static func digits(_ text: String) throws(ScalarProblem) -> Int? {
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
                .notInteger, "has a leading zero", hint: "remove it; YAML readers differ on leading zeros",
                part: start..<start + 1)
        }
        return Int(text)
    }

    private static func advice(on text: String) -> String {
        let plain = text.filter { $0 != "_" && $0 != "," && $0 != " " }
        if plain.hasPrefix("0x"), let value = Int(plain.dropFirst(2), radix: 16) {
            return "write decimal digits: \(value)"
        }
        if let value = Int(plain) { return "write only digits: \(value)" }
        if let value = Double(plain), let exact = Int(exactly: value) { return "write only digits: \(exact)" }
        return "expected decimal digits"
    }

    /// Bounds as a phrase: `0 to 255`, `1 or more`.
    package static func need(_ bounds: ClosedRange<Int>) -> String {
        switch (bounds.lowerBound, bounds.upperBound) {
        case (Int.min, Int.max): "a whole number"
        case (let low, Int.max): "\(low) or more"
        case (Int.min, let high): "\(high) or less"
        case (let low, let high) where low == high: "\(low)"
        case (let low, let high): "\(low) to \(high)"
        }
    }
}

/// A share in whole percent, such as `90%`.
public struct ShareRule: ScalarRule {
    /// The smallest and the largest share, in percent.
    public let bounds: ClosedRange<Int>

    public init(_ bounds: ClosedRange<Int>) {
        self.bounds = bounds
    }

    public var noun: String { "a share such as `\(min(max(90, bounds.lowerBound), bounds.upperBound))%`" }

    public func parse(_ text: String) throws(ScalarProblem) -> Int {
        guard text.last == "%" else { throw Self.problem() }
        let percent: Int?
        do {
            percent = try IntegerRule.digits(String(text.dropLast()))
        } catch {
            throw Self.problem(in: error.part)
        }
        guard let percent, bounds.contains(percent) else {
            throw ScalarProblem(
                .outOfRange, "is out of range", hint: "expected \(bounds.lowerBound)% to \(bounds.upperBound)%")
        }
        return percent
    }

    private static func problem(in part: Range<Int>? = nil) -> ScalarProblem {
        ScalarProblem(.notDuration, "is not a share", hint: "expected a whole number with `%`: `90%`", part: part)
    }

    public var schema: ScalarSchema { ScalarSchema(.pattern(Self.pattern)) }

    package static let pattern = "(0|[1-9][0-9]*)%"
}

/// Bytes as hexadecimal text, with blanks and line breaks anywhere between digits.
public struct HexRule: ScalarRule {
    /// The allowed numbers of bytes, in ascending order.
    public let lengths: [ClosedRange<Int>]
    /// Suggests a replacement for text that is not hexadecimal.
    private let meant: (@Sendable (String) -> String)?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - lengths: The allowed numbers of bytes.
    ///   - meant: Suggests a replacement for text that is not hexadecimal, if there is another way to write it.
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

    /// Pairs of digits, or the number that a YAML reader produces if all digits are decimal.
    public var schema: ScalarSchema {
        let bytes = lengths.map { length in
            let upper = length.upperBound == Int.max ? "" : "\(length.upperBound)"
            return "(([0-9A-Fa-f]\\s*){2}){\(length.lowerBound),\(upper)}"
        }.joined(separator: "|")
        return ScalarSchema(.pattern("\\s*(\(bytes))"), numbers: .any)
    }

    /// `0003` is 3 for other readers, and `12E4` is 120000.
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
            let hint = advice(on: character, after: before.last)
            return ScalarProblem(.notHex, "is not hexadecimal", hint: hint, part: part)
        case .oddDigits(let count):
            let last = digitOffsets(in: text).last ?? 0
            return ScalarProblem(
                .notHex, "has \(count == 1 ? "a single digit" : "\(count) digits")",
                hint: "a byte has two digits; one is missing", part: last..<last + 1)
        }
    }

    /// Advice about a character that is not a digit.
    static func advice(on character: Character, after previous: Character?) -> String {
        switch (character, previous) {
        case ("x", "0"), ("X", "0"): "leave out `0x`; the digits are enough"
        case (":", _), ("-", _), (",", _): "leave out `\(character)`; only spaces may separate digits"
        default: "`\(character)` is not a hexadecimal digit"
        }
    }

    /// Reports a wrong length: marks the excess bytes if there are too many, and all bytes if there are too few.
    private func wrongLength(_ count: Int, in text: String) -> ScalarProblem {
        let message = "has \(CountText.of(count, "byte"))"
        let digits = Self.digitOffsets(in: text)
        guard let largest = lengths.last?.upperBound, count > largest, let last = digits.last else {
            return ScalarProblem(.wrongLength, message, hint: "expected \(need)")
        }
        return ScalarProblem(
            .wrongLength, message, hint: "expected \(need); remove these", part: digits[2 * largest]..<last + 1)
    }

    private static func digitOffsets(in text: String) -> [Int] {
        text.unicodeScalars.enumerated().compactMap { Character($1).isHexDigit ? $0 : nil }
    }
}

/// A 16-bit code as four hexadecimal digits in the usual notation: system code 0003, service code 090F.
public struct CodeRule: ScalarRule {
    /// The noun for the code, with its article: `a service code`.
    public let noun: String
    /// Known codes; an unknown code whose swapped bytes are known is doubtful.
    public let known: [UInt16]
    private let exists: @Sendable (UInt16) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - noun: The noun for the code, with its article: `a service code`.
    ///   - known: Known codes, for a hint about swapped bytes.
    ///   - exists: Returns whether a code that looks swapped is correct. Called for no other code.
    public init(
        _ noun: String, known: [UInt16] = [], exists: @escaping @Sendable (UInt16) -> Bool = { _ in false }
    ) {
        self.noun = noun
        self.known = known
        self.exists = exists
    }

    /// Parses four digits, with optional blanks.
    public func parse(_ text: String) throws(ScalarProblem) -> UInt16 {
        var digits = ""
        for (offset, scalar) in text.unicodeScalars.enumerated() where scalar != " " && scalar != "\t" {
            guard scalar.isASCII, Character(scalar).isHexDigit else {
                throw problem(HexRule.advice(on: Character(scalar), after: digits.last), offset..<offset + 1)
            }
            digits.unicodeScalars.append(scalar)
        }
        guard digits.utf8.count == 4, let code = UInt16(digits, radix: 16) else {
            let isShort = (1...3).contains(digits.utf8.count)
            let filled = digits.leftPadded(to: 4, with: "0")
            throw problem("\(noun) has four digits" + (isShort ? ": \"\(filled)\"" : ""), nil)
        }
        return code
    }

    private func problem(_ hint: String, _ part: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.notCode, "is not \(noun)", hint: hint, part: part)
    }

    public func doubt(about text: String) -> ScalarProblem? {
        guard let code = try? parse(text), !known.contains(code), known.contains(code.byteSwapped), !exists(code)
        else { return nil }
        let swapped = Hex.digits(code.byteSwapped, width: 4)
        return ScalarProblem(
            .swappedBytes, "seems to have its bytes swapped",
            hint: "did you mean \"\(swapped)\"? \(noun) is written high byte first")
    }

    /// Four digits, or the number that a YAML reader produces if all are decimal.
    public var schema: ScalarSchema {
        ScalarSchema(.pattern("\\s*([0-9A-Fa-f]\\s*){4}"), numbers: .any)
    }

    /// `0003` is 3 for other readers.
    public var needsQuotes: Bool { true }
}
