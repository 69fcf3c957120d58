extension ScenarioLoader {
    /// Makes a scenario of cards named on the command line; all of them lie before the reader.
    ///
    /// A second card of the same name gets a number: `suica`, `suica-2`.
    public static func scenario(
        of cards: [CardArgument], seed: UInt64? = nil, into diagnostics: inout Diagnostics
    ) -> Scenario? {
        var entries: [(key: String, value: Node)] = []
        for card in cards {
            var name = card.name
            var number = 2
            while entries.contains(where: { $0.key == name }) {
                name = "\(card.name)-\(number)"
                number += 1
            }
            entries.append((key: name, value: card.node))
        }
        let node: Node = ["format": 1, "cards": .map(entries)]
        return scenario(from: node, file: "--card", seed: seed, into: &diagnostics)
    }
}
