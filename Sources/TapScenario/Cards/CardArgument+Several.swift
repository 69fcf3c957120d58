extension CardArgument {
    /// Several cards by name, as a file writes them; a second card of a name gets a number behind it.
    ///
    /// - Throws: ``Problem`` of the first argument that is no card, the argument before it.
    public static func cards(_ texts: [String]) throws(Problem) -> Node {
        var cards: [(key: String, value: Node)] = []
        for text in texts {
            let card: CardArgument
            do { card = try CardArgument(text) } catch { throw Problem(description: "\(text): \(error)") }
            let count = cards.count { $0.key == card.name || $0.key.hasPrefix("\(card.name)-") }
            cards.append((count == 0 ? card.name : "\(card.name)-\(count + 1)", card.node))
        }
        return .map(cards)
    }

    /// The scenario of several cards and nothing else, as a file writes it.
    ///
    /// - Throws: ``Problem`` of the first argument that is no card, the argument before it.
    public static func scenario(_ texts: [String]) throws(Problem) -> Node {
        let cards = try cards(texts)
        return ["format": 1, "scenario": .text(cards.entries.map(\.key.text).joined(separator: "-")), "cards": cards]
    }
}
