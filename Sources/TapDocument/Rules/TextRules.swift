import TapWire

public struct TextRule: ScalarRule {
    /// A Boolean value that indicates whether `${` is kept as it is, as in arguments for a client.
    public let isVerbatim: Bool

    public init(isVerbatim: Bool = false) {
        self.isVerbatim = isVerbatim
    }

    public var noun: String { "text" }

    public func parse(_ text: String) -> String { text }

    public var schema: ScalarSchema { ScalarSchema(.any, numbers: .any, admitsBooleans: true, admitsNull: true) }

    /// `no` is text here, but false for other readers.
    public var needsQuotes: Bool { true }
}

/// A value whose type depends on where it is used, such as a parameter.
public struct ValueRule: ScalarRule {
    public init() {}

    public var noun: String { "a single value" }

    public func parse(_ text: String) -> String { text }

    public var schema: ScalarSchema { TextRule().schema }
}

public struct KeywordRule: ScalarRule {
    /// The words, in the order in which errors list them.
    public let words: [String]
    /// Words of earlier versions, which are accepted but not suggested, with their current names.
    private let former: [String: String]
    /// Other names that people use, which are not accepted, by word.
    private let otherNames: [String: [String]]

    public init(_ words: [String], former: [String: String] = [:]) {
        self.init(words, former, otherNames: [:])
    }

    package init<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) {
        let otherNames = type.allCases.map { ($0.rawValue, ($0 as? any OtherwiseNamed)?.otherNames ?? []) }
        self.init(type.allCases.map(\.rawValue), [:], otherNames: Dictionary(otherNames) { first, _ in first })
    }

    private init(_ words: [String], _ former: [String: String], otherNames: [String: [String]]) {
        self.words = words
        self.former = former
        self.otherNames = otherNames
    }

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String { ListText.choice(words.map { "`\($0)`" }) }

    public func parse(_ text: String) throws(ScalarProblem) -> String {
        if words.contains(text) { return text }
        if let word = former[text] { return word }
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`",
            hint: (LookAlike.isQuoted(text) ? "remove the typographic quotes; " : "")
                + Spelling.advice(on: text, among: words, otherNames: otherNames))
    }

    /// The words, and the values that YAML readers produce for them without quotes.
    public var schema: ScalarSchema {
        let readings = words.map { ForeignReading(of: $0) }
        return ScalarSchema(
            .words(words), numbers: readings.contains(.number) ? .any : .none,
            admitsBooleans: readings.contains(.boolean), admitsNull: readings.contains(.null))
    }
}

/// A name by which other parts of a scenario refer to something.
public struct NameRule: ScalarRule {
    /// The maximum length of a name in characters; names become parts of file names.
    public static let maximumLength = 64

    /// The noun for the name, with its article: `the name of a card`.
    public let noun: String

    public init(_ noun: String = "a name") {
        self.noun = noun
    }

    /// Parses a name: a letter or digit, followed by letters, digits, `_`, `-` and `.`.
    public func parse(_ text: String) throws(ScalarProblem) -> String {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { throw problem("cannot be a name", "has at least one character", nil) }
        guard scalars.count <= Self.maximumLength else {
            let part = Self.maximumLength..<scalars.count
            throw problem("is too long", "has at most \(Self.maximumLength) characters", part)
        }
        for (index, scalar) in scalars.enumerated() where !Self.allows(scalar, atStart: index == 0) {
            let need =
                index == 0
                ? "starts with a letter from a to z or a digit" : "may contain letters, digits, `_`, `-` and `.`"
            throw problem("cannot be a name", need, index..<index + 1)
        }
        return text
    }

    /// The name most similar to a text, such as a file name, or `nil` for a text without a letter or digit.
    ///
    /// Characters that names cannot contain become `_`.
    package static func name(like text: String) -> String? {
        let kept = text.unicodeScalars.drop { !allows($0, atStart: true) }.prefix(maximumLength)
        guard !kept.isEmpty else { return nil }
        return String(String.UnicodeScalarView(kept.map { allows($0, atStart: false) ? $0 : "_" }))
    }

    private func problem(_ message: String, _ need: String, _ part: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.notName, message, hint: "\(noun) \(need)", part: part)
    }

    private static func allows(_ scalar: Unicode.Scalar, atStart: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "_", "-", ".": !atStart
        default: false
        }
    }

    /// Names, and the values that YAML readers produce for some of them.
    public var schema: ScalarSchema {
        let name = "[A-Za-z0-9][A-Za-z0-9_.-]{0,\(Self.maximumLength - 1)}"
        return ScalarSchema(
            .pattern("\(name)|\(ScalarSchema.datePattern)"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    /// A card called `no` would be called `false` by other readers.
    public var needsQuotes: Bool { true }
}

/// The path of a file that a scenario names, relative to the folder of the file that contains it.
package struct PathRule: ScalarRule {
    /// The maximum length of a path in bytes: PATH_MAX of Linux without its terminator.
    static let maximumLength = 4_095

    package init() {}

    package let noun = "the path of a file"

    package func parse(_ text: String) throws(ScalarProblem) -> String {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else {
            throw ScalarProblem(.notName, "cannot be a path", hint: "a path has 1 to \(Self.maximumLength) bytes")
        }
        guard !text.hasPrefix("/") else {
            throw ScalarProblem(
                .fileOutside, "is an absolute path", hint: "paths are relative to the folder of this file",
                part: 0..<1)
        }
        return text
    }

    package var schema: ScalarSchema { ScalarSchema(.pattern("[^/].*"), numbers: .any) }
}

public struct BooleanRule: ScalarRule {
    public init() {}

    public var plainReadings: Set<ForeignReading> { [.boolean] }

    public var noun: String { "`true` or `false`" }

    public func parse(_ text: String) throws(ScalarProblem) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default:
            let meant: Bool? =
                switch text.lowercased() {
                case "yes", "y", "on", "1", "true": true
                case "no", "n", "off", "0", "false": false
                default: nil
                }
            throw ScalarProblem(
                .notBoolean, "is neither true nor false",
                hint: meant.map { "write `\($0)`" } ?? "expected `true` or `false`")
        }
    }

    public var schema: ScalarSchema { ScalarSchema(.words(["true", "false"]), admitsBooleans: true) }
}
