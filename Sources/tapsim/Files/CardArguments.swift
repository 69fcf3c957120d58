import TapScenario

/// The scenario that `--card` stands for: the cards named, nothing else.
enum CardArguments {
    /// Makes the scenario; a second card of a name gets a number behind it.
    ///
    /// - Throws: ``VerbError`` for a card that cannot be understood, or once its errors were told.
    static func scenario(_ texts: [String], seed: UInt64?, console: Console) throws -> Scenario? {
        let cards = try nodes(texts)
        let document: Node = [
            "format": 1, "scenario": .text(cards.entries.map(\.key.text).joined(separator: "-")), "cards": cards,
        ]
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(
            from: document, file: "--card", .init(files: FolderFiles(around: "--card"), seed: seed), into: &diagnostics)
        try ScenarioFiles.tell(diagnostics, console)
        return scenario
    }

    /// The cards by name, as a file writes them.
    ///
    /// - Throws: ``VerbError`` for a card that cannot be understood.
    static func nodes(_ texts: [String]) throws(VerbError) -> Node {
        var cards: [(key: String, value: Node)] = []
        for text in texts {
            let card: CardArgument
            do { card = try CardArgument(text) } catch { throw VerbError(.usage, "--card \(text): \(error)") }
            let count = cards.count { $0.key == card.name || $0.key.hasPrefix("\(card.name)-") }
            cards.append((count == 0 ? card.name : "\(card.name)-\(count + 1)", card.node))
        }
        return .map(cards)
    }
}
