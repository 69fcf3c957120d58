import TapCards

/// Corrupted copies of documents, and noise.
package struct Mutations {
    private var random: SeededGenerator
    private let documents: [[UInt8]]
    /// Fragments with a meaning in YAML, JSON or the sample language.
    private static let pieces = [
        "\n", "\r\n", "  ", "\t", "- ", ": ", "? ", "[", "]", "{", "}", ",", "\"", "'", "#", "&a ", "*a", "!!str ",
        "<<: ",
        "---\n", "...\n", "%YAML 1.1\n", "|\n", ">-\n", "\\u", "\\uD800", "\\x4", "\u{FEFF}", "\u{85}", "\u{2028}", "é",
        "日本", "😀", "e\u{301}", "\0", "${params.gap}", "${", "null", "~", "0003", "1e10", "no", "name", "cards", "tap",
    ].map { Array($0.utf8) }

    package init(seed: UInt64, _ label: String, of documents: [String]) {
        random = SeededGenerator(seed: seed).fork(label)
        self.documents = documents.map { Array($0.utf8) }
    }

    /// Returns a document with one to four changes; one time in eight, up to 64 random bytes.
    package mutating func next() -> [UInt8] {
        if random.next(below: 8) == 0 {
            return (0..<random.next(below: 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        var bytes = documents[random.next(below: documents.count)]
        for _ in 0...random.next(below: 4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let start = random.next(below: bytes.count + 1)
        let end = min(bytes.count, start + random.next(below: 12))
        switch random.next(below: 6) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.removeSubrange(end...)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: random.next(below: bytes.count + 1))
        case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: start)
        default:
            bytes.replaceSubrange(start..<min(end, start + 1), with: Self.pieces[random.next(below: Self.pieces.count)])
        }
    }
}
