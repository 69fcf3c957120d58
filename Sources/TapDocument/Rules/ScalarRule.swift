/// How the text of a scalar is read: one parse function that checking, decoding and the schema share.
///
/// A custom rule is used as `.scalar(MyRule())` in a key table and read with `value.read(MyRule.self)`.
public protocol ScalarRule: Sendable {
    associatedtype Value: Sendable

    /// What is needed, with its article: `8 bytes in hexadecimal`.
    var noun: String { get }

    /// Reads the text.
    ///
    /// - Throws: ``ScalarProblem`` with the part of the text that does not fit.
    func parse(_ text: String) throws(ScalarProblem) -> Value

    /// A warning about a valid but doubtful text.
    func doubt(about text: String) -> ScalarProblem?

    /// Which texts, and which numbers in place of texts, a JSON Schema lets through.
    var schema: ScalarSchema { get }

    /// Whether other YAML readers take some texts for something else, which is worth a warning where no quotes stand.
    var needsQuotes: Bool { get }

    /// The readings by other YAML readers for which quotes make no difference.
    var plainReadings: Set<ForeignReading> { get }

    /// Whether `${` inside the text is kept as it is.
    var isVerbatim: Bool { get }
}

extension ScalarRule {
    public func doubt(about text: String) -> ScalarProblem? { nil }

    /// No: the value reads the same everywhere.
    public var needsQuotes: Bool { false }

    public var plainReadings: Set<ForeignReading> { [] }

    public var isVerbatim: Bool { false }
}

/// Why a text is not the value that is needed, and which part of it.
public struct ScalarProblem: Error, Hashable, Sendable {
    public let code: DiagnosticCode
    /// What is wrong; goes on after the name of the key: `has 7 bytes`.
    public let message: String
    /// What is needed, or how to mend it.
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

/// What a JSON Schema lets through for a scalar.
///
/// It is wider than the rule itself: editors and converters read YAML by other rules and turn `0003` into 3 and
/// `no` into false before a schema sees them. What our reader accepts in YAML, the schema has to accept in whatever
/// form it arrives.
public struct ScalarSchema: Hashable, Sendable {
    public enum Strings: Hashable, Sendable {
        case any
        /// Texts that match a regular expression (ECMA 262) as a whole.
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
    /// Whether true and false are let through.
    public let admitsBooleans: Bool
    public let admitsNull: Bool

    /// A date as a regular expression, with the time of day that some YAML readers add.
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

/// What YAML readers that guess types take a value without quotes for.
///
/// It covers what readers of YAML 1.1 (the type repository at yaml.org, 2005) and of the core schema of YAML 1.2
/// (section 10.3.2) do; a value that only some of them read differently counts.
public enum ForeignReading: Hashable, Sendable {
    /// Text, as here.
    case text
    case null
    case boolean
    case date
    /// A number that is printed as it was written: the text survives.
    case sameNumber
    /// A number that comes out in other digits.
    case number

    /// Largest whole number that every reader keeps exactly, 2⁵³.
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

    /// What it is taken for, or `nil` if the text survives.
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

    /// `0x1F`, `0o17`, `0b11`.
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

    /// `1:30`, `12:30:45.5`.
    private static func isBase60(_ digits: ArraySlice<UInt8>) -> Bool {
        let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return false }
        let whole = parts.dropLast() + [last.prefix { $0 != UInt8(ascii: ".") }]
        return whole.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
            && whole.dropFirst().allSatisfy { $0.count <= 2 }
            && last.dropFirst(whole.last?.count ?? 0).dropFirst().allSatisfy(isDigit)
    }

    /// Digits with at most one point and an exponent.
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
