/// A rule for the text of a scalar, with a parse function that checking, decoding and the schema share.
///
/// Use a custom rule as `.scalar(MyRule())` in a key table, and read its value with `value.read(MyRule.self)`.
public protocol ScalarRule: Sendable {
    associatedtype Value: Sendable

    /// The noun for the expected text, with its article: `8 bytes in hexadecimal`.
    var noun: String { get }

    /// Parses a text.
    ///
    /// - Throws: ``ScalarProblem`` with the invalid part of the text.
    func parse(_ text: String) throws(ScalarProblem) -> Value

    /// A warning about a valid but doubtful text.
    func doubt(about text: String) -> ScalarProblem?

    /// The texts that a JSON Schema accepts, and the numbers in their place.
    var schema: ScalarSchema { get }

    /// A Boolean value that indicates whether other YAML readers interpret some texts differently, which deserves a warning
    /// without quotes.
    var needsQuotes: Bool { get }

    /// The interpretations by other YAML readers for which quotes make no difference.
    var plainReadings: Set<ForeignReading> { get }

    /// A Boolean value that indicates whether `${` inside the text is kept as it is.
    var isVerbatim: Bool { get }
}

extension ScalarRule {
    public func doubt(about text: String) -> ScalarProblem? { nil }

    /// By default, the value reads the same everywhere.
    public var needsQuotes: Bool { false }

    public var plainReadings: Set<ForeignReading> { [] }

    public var isVerbatim: Bool { false }
}

/// The reason why a text is invalid, and the invalid part.
public struct ScalarProblem: Error, Hashable, Sendable {
    public let code: DiagnosticCode
    /// The problem, as a phrase that follows the name of the key: `has 7 bytes`.
    public let message: String
    /// The expected value, or a hint for fixing the problem.
    public let hint: String
    /// Offsets into the Unicode scalars of the text, or `nil` for all of it.
    public let part: Range<Int>?

    public init(_ code: DiagnosticCode, _ message: String, hint: String, part: Range<Int>? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.part = part
    }
}

/// The values that a JSON Schema accepts for a scalar.
///
/// The schema is wider than the rule itself: editors and converters read YAML differently, and turn `0003` into 3 and `no`
/// into false before a schema sees them. Whatever our reader accepts in YAML, the schema must accept in any form it may
/// arrive in.
public struct ScalarSchema: Hashable, Sendable {
    public enum Strings: Hashable, Sendable {
        case any
        /// Texts that fully match a regular expression (ECMA 262).
        case pattern(String)
        case words([String])
    }

    public enum Numbers: Hashable, Sendable {
        case none
        case any
        case integers(ClosedRange<Int>)
    }

    public let strings: Strings
    public let numbers: Numbers
    /// A Boolean value that indicates whether the schema accepts true and false.
    public let admitsBooleans: Bool
    public let admitsNull: Bool

    /// A regular expression for a date, with the time of day that some YAML readers add.
    static let datePattern = "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?"

    public init(
        _ strings: Strings, numbers: Numbers = .none, admitsBooleans: Bool = false, admitsNull: Bool = false
    ) {
        self.strings = strings
        self.numbers = numbers
        self.admitsBooleans = admitsBooleans
        self.admitsNull = admitsNull
    }
}

/// The interpretation of an unquoted value by YAML readers that guess types.
///
/// It covers readers of YAML 1.1 (the type repository at yaml.org, 2005) and of the YAML 1.2 core schema (section 10.3.2). An
/// interpretation counts even if only some readers make it.
public enum ForeignReading: Hashable, Sendable {
    /// Text, as here.
    case text
    case null
    case boolean
    case date
    /// A number that is printed as it was written, so that the text survives.
    case sameNumber
    /// A number that is printed with other digits.
    case number

    /// The largest whole number that every reader represents exactly, 2⁵³.
    private static let largestExact = 9_007_199_254_740_992

    public init(of text: String) {
        switch text.lowercased() {
        case "", "~", "null":
            self = .null
        case "y", "yes", "n", "no", "true", "false", "on", "off":
            self = .boolean
        default:
            let bytes = Array(text.utf8)
            if Self.isDate(bytes) {
                self = .date
            } else if Self.isNumber(bytes) {
                let survives = Int(text).map { "\($0)" == text && $0.magnitude <= Self.largestExact } ?? false
                self = survives ? .sameNumber : .number
            } else {
                self = .text
            }
        }
    }

    /// The noun for the interpretation, or `nil` if the text survives.
    public var noun: String? {
        switch self {
        case .text, .sameNumber: nil
        case .null: "null"
        case .boolean: "true or false"
        case .date: "a date"
        case .number: "a number"
        }
    }

    private static func isDate(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        let day = parts[2].prefix(while: isDigit)
        let isTime = [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(
            parts[2].dropFirst(day.count).first)
        return parts[0].count == 4 && parts[0].allSatisfy(isDigit) && (1...2).contains(parts[1].count)
            && parts[1].allSatisfy(isDigit) && (1...2).contains(day.count) && (day.count == parts[2].count || isTime)
    }

    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var digits = bytes[...].drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard bytes.count - digits.count <= 1 else { return false }
        if [".inf", ".nan"].contains(String(decoding: digits, as: UTF8.self).lowercased()) { return true }
        digits.removeAll { $0 == UInt8(ascii: "_") }
        return isPrefixed(digits) || isBase60(digits) || isDecimal(digits)
    }

    /// Recognises `0x1F`, `0o17` and `0b11`.
    private static func isPrefixed(_ digits: ArraySlice<UInt8>) -> Bool {
        guard digits.first == UInt8(ascii: "0"), let letter = digits.dropFirst().first else { return false }
        let radix: Int
        switch letter {
        case UInt8(ascii: "x"): radix = 16
        case UInt8(ascii: "o"): radix = 8
        case UInt8(ascii: "b"): radix = 2
        default: return false
        }
        let rest = digits.dropFirst(2)
        return !rest.isEmpty && rest.allSatisfy { (Character(Unicode.Scalar($0)).hexDigitValue ?? radix) < radix }
    }

    /// Recognises `1:30` and `12:30:45.5`.
    private static func isBase60(_ digits: ArraySlice<UInt8>) -> Bool {
        let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return false }
        let whole = parts.dropLast() + [last.prefix { $0 != UInt8(ascii: ".") }]
        return whole.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
            && whole.dropFirst().allSatisfy { $0.count <= 2 }
            && last.dropFirst(whole.last?.count ?? 0).dropFirst().allSatisfy(isDigit)
    }

    /// Recognises digits with an optional point and an optional exponent.
    private static func isDecimal(_ digits: ArraySlice<UInt8>) -> Bool {
        let parts = digits.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard mantissa.count <= 2, parts[0].contains(where: isDigit) else { return false }
        guard mantissa.allSatisfy({ $0.allSatisfy(isDigit) }) else { return false }
        guard parts.count == 2 else { return true }
        let exponent = parts[1].first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? false
        let power = parts[1].dropFirst(exponent ? 1 : 0)
        return !power.isEmpty && power.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
