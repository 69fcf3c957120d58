import TapWire

/// One of a few words.
public struct WordRule: ScalarRule {
    /// The words, in the order in which errors list them.
    public let words: [String]

    public init(_ words: [String]) {
        self.words = words
    }

    public var noun: String { ListText.choice(words.map { "`\($0)`" }) }

    /// Reads a word.
    public func parse(_ text: String) throws(ScalarProblem) -> String {
        if words.contains(text) { return text }
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
