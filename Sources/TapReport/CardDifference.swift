import TapCards
import TapDocument
import TapScenario
import TapWire

/// The difference between two cards: the keys of the card language in which they differ, with pages and blocks one by one.
package struct CardDifference: Sendable {
    package struct Row: OutputModel, Sendable {
        /// The key, such as `config.auth0` or `systems.0003.services.090F.data.0`.
        package let key: String
        /// The values of both cards; `nil` for no value or the default.
        package let values: [String?]

        package static let output = OutputTable<Self>(
            "card-difference", "A key by which cards differ",
            .always("key", "The key, such as `config.auth0`; pages and blocks one by one", \.key),
            .always("first", "The value on the first card; null for none or the default", \.values[0]),
            .always("second", "The value on the second card", \.values[1]))
    }

    package let rows: [Row]

    package init(_ first: CardDefinition, _ second: CardDefinition) {
        let values = [first, second].map { Self.values(of: $0) }
        var keys: [String] = []
        var known: Set<String> = []
        for (key, _) in values.joined() where known.insert(key).inserted { keys.append(key) }
        let maps = values.map { Dictionary($0) { first, _ in first } }
        rows = keys.compactMap { key in
            let row = Row(key: key, values: maps.map { $0[key] })
            return row.values[0] == row.values[1] ? nil : row
        }
    }

    private static func values(of card: CardDefinition) -> [(String, String)] {
        var values: [(String, String)] = []
        if case .ntag(let template) = card {
            let tag = template.definition
            for page in 0..<tag.product.layout.pageCount { values.append(("pages.\(page)", "\(tag[page: page])")) }
        }
        for entry in card.node.entries where entry.key.text != "pages" { add(entry.value, entry.key.text, to: &values) }
        return values
    }

    private static func add(_ node: Node, _ key: String, to values: inout [(String, String)]) {
        switch node {
        case .scalar(let scalar): values.append((key, scalar.text))
        case .list(let list):
            for (index, item) in list.items.enumerated() { add(item, "\(key).\(index)", to: &values) }
        case .map(let map): for entry in map.entries { add(entry.value, "\(key).\(entry.key.text)", to: &values) }
        }
    }

    package func lines(_ names: [String]) -> [String] {
        guard !rows.isEmpty else { return ["the cards are the same"] }
        return TextTable.lines(
            [["", PrintableText.visible(names[0]), PrintableText.visible(names[1])]]
                + rows.map { [$0.key] + $0.values.map { value in PrintableText.visible(value ?? "–") } })
    }
}
