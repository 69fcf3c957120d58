import TapDocument
import TapScenario
import TapYAML
import TestSupport

/// A scenario file that contains only cards, read, checked and decoded.
package struct CardDocument {
    package private(set) var diagnostics = Diagnostics()
    package private(set) var node: Node?
    package private(set) var cards: [(name: String, card: CardDefinition)] = []

    package static let table = KeyTable(
        "a scenario",
        [
            Key("format", .integer(1...1), "The version of the format.", isRequired: true),
            Key("scenario", .name("the name of a scenario"), "The name."),
            Key("title", .text, "What it is about."),
            Key("cards", .map(of: NameRule("the name of a card"), to: .map(CardLanguage.table)), "The cards."),
        ])

    package init(_ name: String, _ bytes: [UInt8], seed: UInt64 = 1) {
        node = DocumentReaders.reader(for: name).read(SourceFile(name: name, bytes: bytes), into: &diagnostics)
        guard let node, let map = Self.table.read(node, into: &diagnostics) else { return }
        for (name, value) in map["cards"]?.named ?? [] {
            let card = CardLanguage.decode(value.map, named: name.text, seed: seed, into: &diagnostics)
            if let card { cards.append((name.text, card)) }
        }
    }

    package init(_ text: String, seed: UInt64 = 1) {
        self.init("cards.yaml", Array(text.utf8), seed: seed)
    }

    /// Reads a card written as a map in braces.
    package static func card(_ text: String, seed: UInt64 = 1) -> (card: CardDefinition?, diagnostics: Diagnostics) {
        let document = CardDocument("format: 1\ncards: {card: {\(text)}}\n", seed: seed)
        return (document.cards.first?.card, document.diagnostics)
    }

    package static func card(_ node: Node, seed: UInt64 = 1) -> (card: CardDefinition?, diagnostics: Diagnostics) {
        var diagnostics = Diagnostics()
        guard let map = CardLanguage.table.read(node, into: &diagnostics) else { return (nil, diagnostics) }
        return (CardLanguage.decode(map, named: "card", seed: seed, into: &diagnostics), diagnostics)
    }
}
