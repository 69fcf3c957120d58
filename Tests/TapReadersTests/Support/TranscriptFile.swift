import TestSupport
import Testing

/// Sections of a vector file: a card, and commands with their answers.
struct TranscriptSection: CustomTestStringConvertible {
    let name: String
    let card: String
    var exchanges: [(command: String, answer: String)] = []

    var testDescription: String { name }

    /// The sections of a file.
    static func all(_ file: String) -> [TranscriptSection] {
        var sections: [TranscriptSection] = []
        for line in VectorFile.lines(file) {
            let parts = line.split(separator: "|").map { $0.filter { $0 != " " }.uppercased() }
            if line.hasPrefix("section ") {
                let name = String(line.dropFirst("section ".count).prefix { $0 != "|" })
                sections.append(TranscriptSection(name: name, card: parts[1]))
            } else {
                sections[sections.count - 1].exchanges.append((parts[0], parts[1]))
            }
        }
        return sections
    }
}
