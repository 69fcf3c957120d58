import TapDocument

extension ScenarioCase {
    /// The case as a short self-contained scenario: cards as written in the file if that is sufficient, settings that differ
    /// from the defaults, and only those expectations that a client must always meet.
    ///
    /// Loading it gives a case with the same runs.
    public func short(named name: String, title: String) -> Node {
        let brief = short(named: name, title: title) { card in
            let isWhole = card.written.entries.allSatisfy { !CardLanguage.pathKeys.contains($0.key.text) }
            return isWhole ? .map(card.written) : card.definition.node
        }
        return hasSameCards(brief) ? brief : short(named: name, title: title, \.definition.node)
    }

    private func short(named name: String, title: String, _ card: (NamedCard) -> Node) -> Node {
        let told: Set = ["scenario", "title", "tags", "settings", "cards", "cases"]
        let rest = resolved.entries.filter { !told.contains($0.key.text) && $0.key.text != "format" }
        let defaults = ScenarioSettings().node(seed: ScenarioLoader.defaultSeed)
        let stated = settings.node(seed: seed).entries.filter { defaults[$0.key.text] != $0.value }
        let head: Node = .map([
            "format": 1, "scenario": NameRule.name(like: name).map(Node.text), "title": .text(title),
            "settings": stated.isEmpty ? nil : .map(stated.map { ($0.key.text, $0.value) }),
            "cards": .map(cards.map { (key: $0.name, value: card($0)) }),
        ])
        return .map((head.entries + rest).map { ($0.key.text, $0.value) })
    }

    private func hasSameCards(_ document: Node) -> Bool {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(from: document, file: scenarioName, into: &diagnostics)
        return scenario?.cases.first?.cards == cards
    }
}
