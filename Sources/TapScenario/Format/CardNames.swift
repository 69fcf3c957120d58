import TapField

/// The cards and readers of a case, for what refers to them.
struct CardNames {
    private let cards: [(name: String, definition: CardDefinition?)]
    /// The cards as the file writes them, by name.
    let nodes: [String: NodeMap]
    /// The seed of the run, from which cards are filled in.
    let seed: UInt64
    /// What cards that steps make may come to.
    let budget: CardBudget
    /// The names of the readers.
    var readers = [ReaderField.defaultName]

    /// Takes the cards in the order of the file; those that could not be made still have a name.
    init(
        _ cards: [(name: String, definition: CardDefinition?)], nodes: [String: NodeMap] = [:],
        seed: UInt64 = ScenarioLoader.defaultSeed, budget: CardBudget = CardBudget()
    ) {
        self.cards = cards
        self.nodes = nodes
        self.seed = seed
        self.budget = budget
    }

    /// The name of a card; one that no card has is reported.
    func card(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let known = cards.isEmpty ? "the scenario has no cards" : "cards are \(text)"
        return name(value, "card", among: cards.map(\.name), known, &diagnostics)
    }

    /// The name of a reader; one that no reader has is reported.
    func reader(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let known =
            readers.count == 1
            ? "the only reader is called `\(readers[0])`" : "readers are \(readers.joined(separator: ", "))"
        return name(value, "reader", among: readers, known, &diagnostics)
    }

    private func name(
        _ value: ValueReader, _ kind: String, among names: [String], _ known: String, _ diagnostics: inout Diagnostics
    ) -> String {
        let name = value.text
        guard !names.contains(name) else { return name }
        let guess = Spelling.question(for: name, among: names)
        diagnostics.report(
            Diagnostic(.unknownName, "there is no \(kind) `\(name)`", at: value.node, hint: known + guess))
        return name
    }

    /// What a card speaks, or nothing if there is no such card.
    func technology(of card: String) -> String? {
        cards.first { $0.name == card }?.definition?.technologyName
    }

    /// Whether a fault can strike one of the cards; cards that could not be made are given the benefit of the doubt.
    func canBeStruck(by fault: Fault) -> Bool {
        cards.isEmpty || cards.contains { $0.definition.map { fault.fits($0.makeEngine()) } ?? true }
    }

    /// The names, for a sentence.
    var text: String { cards.map(\.name).joined(separator: ", ") }
}
