import TapWire

public struct TextRule: ScalarRule {
    /// Whether `${` is kept as it is, as in arguments for a client.
    public let isVerbatim: Bool

    public init(isVerbatim: Bool = false) {
        self.isVerbatim = isVerbatim
    }

    public var noun: String { "text" }

    public func parse(_ text: String) -> String { text }

    public var schema: ScalarSchema { ScalarSchema(.any, numbers: .any, admitsBooleans: true, admitsNull: true) }

    /// Yes: `no` is text here and false elsewhere.
    public var needsQuotes: Bool { true }
}

/// A value whose type the place decides where it is used, such as a parameter.
public struct ValueRule: ScalarRule {
    public init() {}

    public var noun: String { "a single value" }

    public func parse(_ text: String) -> String { text }

    public var schema: ScalarSchema { TextRule().schema }
}

public struct WordRule: ScalarRule {
    /// The words, in the order in which errors list them.
    public let words: [String]
    /// Words of earlier versions, which are read but not offered, and what they are called now.
    private let former: [String: String]

    public init(_ words: [String], former: [String: String] = [:]) {
        self.words = words
        self.former = former
    }

    public var plainReadings: Set<ForeignReading> { [.text, .sameNumber] }

    public var noun: String { ListText.choice(words.map { "`\($0)`" }) }

    public func parse(_ text: String) throws(ScalarProblem) -> String {
        if words.contains(text) { return text }
        if let word = former[text] { return word }
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`",
            hint: "\(noun) needed\(Spelling.question(for: LookAlike.plain(text) ?? text, among: words))")
    }

    /// The words, and what YAML readers make of them without quotes.
    public var schema: ScalarSchema {
        let readings = words.map { ForeignReading(of: $0) }
        return ScalarSchema(
            .words(words), numbers: readings.contains(.number) ? .any : .none,
            admitsBooleans: readings.contains(.boolean), admitsNull: readings.contains(.null))
    }
}

/// A name by which other places of a scenario refer to something.
public struct NameRule: ScalarRule {
    /// Most characters of a name; names become parts of file names.
    public static let maximumLength = 64

    /// What is named, with its article: `the name of a card`.
    public let noun: String

    public init(_ noun: String = "a name") {
        self.noun = noun
    }

    /// Reads a name: a letter or digit, then letters, digits, `_`, `-` and `.`.
    public func parse(_ text: String) throws(ScalarProblem) -> String {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { throw problem("cannot be a name", "has at least one character", nil) }
        guard scalars.count <= Self.maximumLength else {
            let part = Self.maximumLength..<scalars.count
            throw problem("is too long", "has at most \(Self.maximumLength) characters", part)
        }
        for (index, scalar) in scalars.enumerated() where !Self.allows(scalar, atStart: index == 0) {
            let begins =
                index == 0 ? "begins with a letter from a to z or a digit" : "holds letters, digits, `_`, `-` and `.`"
            throw problem("cannot be a name", begins, index..<index + 1)
        }
        return text
    }

    /// The name nearest to a text, such as a file name, or `nil` for a text without a letter or digit.
    ///
    /// `_` stands for what no name holds.
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

    /// Names, and what YAML readers make of some.
    public var schema: ScalarSchema {
        let name = "[A-Za-z0-9][A-Za-z0-9_.-]{0,\(Self.maximumLength - 1)}"
        return ScalarSchema(
            .pattern("\(name)|\(ScalarSchema.datePattern)"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    /// Yes: a card called `no` is called `false` elsewhere.
    public var needsQuotes: Bool { true }
}

/// The path of a file that a scenario names, from the folder of the file in which it is written.
package struct PathRule: ScalarRule {
    /// Most bytes of a path, PATH_MAX of Linux without its end.
    static let maximumLength = 4_095

    package init() {}

    package let noun = "the path of a file"

    package func parse(_ text: String) throws(ScalarProblem) -> String {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else {
            throw ScalarProblem(.notName, "cannot be a path", hint: "a path has 1 to \(Self.maximumLength) bytes")
        }
        guard !text.hasPrefix("/") else {
            throw ScalarProblem(
                .fileOutside, "begins at the root of the machine", hint: "paths begin at the folder of this file",
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

    /// Reads `true` or `false`, no other word.
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
                hint: meant.map { "write `\($0)`" } ?? "`true` or `false` needed")
        }
    }

    /// A boolean, or its word as a string.
    public var schema: ScalarSchema { ScalarSchema(.words(["true", "false"]), admitsBooleans: true) }
}
