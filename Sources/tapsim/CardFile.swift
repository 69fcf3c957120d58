import TapDocument
import TapReport
import TapScenario
import TapWire

/// A file with one card, as `card import` and `record --probe` write it.
enum CardFile {
    /// - Parameters:
    ///   - head: What wrote it, sentences.
    ///   - notes: What the card has and the file does not, sentences without a full stop.
    static func text(name: String, _ card: CardDefinition, head: [String], notes: [String]) -> String {
        let lines = head + notes.map { $0.prefix(1).uppercased() + $0.dropFirst() + ($0.hasSuffix(".") ? "" : ".") }
        let comments = lines.flatMap { TextTable.wrapped($0, indent: 0).split(separator: "\n").map(String.init) }
        return DocumentFormatter.text(
            of: ["format": 1, "cards": .map([(name, card.node)])], comments: comments, table: ScenarioLoader.table)
    }
}
