import TapDocument
import TapWire

/// The known differences between the answers of two cards, each with its reason; a fidelity check fails on any other
/// difference.
///
/// A list of maps with the keys `asked`, `real`, `engine` and `because`. Frames are written as in recordings, without CRC and,
/// for FeliCa, without LEN. `{idm}` stands for the IDm of system 0, `{idm1}` for the IDm of system 1, and so on. Several
/// answers to a question are separated by commas.
public struct KnownDifferences: Hashable, Sendable {
    /// The maximum number of entries in a list.
    public static let maximumEntries = 10_000

    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public struct Entry: Hashable, Sendable {
        /// The question put to the cards.
        public let asked: String
        public let real: String
        public let engine: String
        /// The reason for the difference; empty in a new entry.
        public let because: String

        init(_ asked: String, real: String, engine: String, because: String = "") {
            (self.asked, self.real, self.engine, self.because) = (asked, real, engine, because)
        }

        /// Returns whether both entries describe the same difference, whatever the reason.
        func isSame(as other: Entry) -> Bool {
            asked == other.asked && real == other.real && engine == other.engine
        }
    }

    public let entries: [Entry]

    /// Parses a list.
    ///
    /// - Throws: ``Problem`` with the location of an invalid entry.
    public init(_ file: SourceFile, _ reader: any DocumentReader) throws(Problem) {
        var diagnostics = Diagnostics()
        let root = reader.read(file, into: &diagnostics)
        if diagnostics.hasErrors, let first = diagnostics.found.first {
            throw Problem(description: "\(file.name): \(first.message)")
        }
        let items: [Node] = root?.items ?? []
        guard root?.kind == .list || root == nil || root == .null else {
            throw Problem(description: "\(file.name): expected a list of known differences")
        }
        guard items.count <= Self.maximumEntries else {
            throw Problem(
                description: "\(file.name): \(items.count) entries, but a list may have at most \(Self.maximumEntries)")
        }
        var entries: [Entry] = []
        for item in items { entries.append(try Self.entry(item, file)) }
        self.entries = entries
    }

    private static let keys = ["asked", "real", "engine", "because"]

    private static func entry(_ node: Node, _ file: SourceFile) throws(Problem) -> Entry {
        func problem(_ what: String) -> Problem {
            let line = node.range.map { ":\($0.line)" } ?? ""
            return Problem(description: "\(file.name)\(line): \(what)")
        }
        guard node.kind == .map else { throw problem("expected a map with \(ListText.all(keys))") }
        var texts: [String] = []
        for key in keys {
            guard let text = node[key]?.text, !text.isEmpty else { throw problem("`\(key)` is missing") }
            texts.append(text)
        }
        if let other = node.entries.first(where: { !keys.contains($0.key.text) }) {
            throw problem("there is no key `\(other.key.text)`, only \(ListText.all(keys))")
        }
        return Entry(
            normal(texts[0]), real: normal(texts[1]), engine: normal(texts[2]), because: texts[3])
    }

    /// Returns a frame or word as ``AnswerDifference`` writes it.
    private static func normal(_ text: String) -> String {
        text.split(separator: ",").map { part in
            part.split(whereSeparator: \.isWhitespace).map(normal(word:)).joined(separator: " ")
        }.joined(separator: ", ")
    }

    /// Returns a word with a space between any two bytes; names in braces and other words stay unchanged.
    private static func normal(word: Substring) -> String {
        guard word.count > 2, word.count % 2 == 0, word.allSatisfy(\.isHexDigit) else {
            return word.allSatisfy(\.isHexDigit) ? word.uppercased() : String(word)
        }
        let digits = Array(word.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(separator: " ")
    }
}

extension KnownDifferences.Entry: OutputModel {
    package static let output = OutputTable<Self>(
        "answers", "A question that two cards answer differently",
        .always("asked", "The command, as a list of known differences writes it", \.asked),
        .always("real", "The answers of the real card", \.real),
        .always("engine", "The answers of the virtual card", \.engine),
        .filled("because", "The reason that the list gives", \.because))
}
