/// A name by which other places of a scenario refer to something.
public struct NameRule: ScalarRule {
    /// Most characters of a name; names become parts of file names.
    public static let maximumLength = 64

    /// What is named, with its article: `the name of a card`.
    public let noun: String

    /// Creates a rule.
    ///
    /// - Parameter noun: What is named, with its article: `the name of a card`.
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

    /// The name nearest to a text, such as that of a file, or nothing for a text without a letter or digit.
    ///
    /// `_` stands for what no name holds.
    static func name(like text: String) -> String? {
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
