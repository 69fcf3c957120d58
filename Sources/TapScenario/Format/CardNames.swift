import TapField

/// The cards of a case, for what refers to them.
struct CardNames {
    private let cards: [(name: String, definition: CardDefinition?)]

    /// Takes the cards in the order of the file; those that could not be made still have a name.
    init(_ cards: [(name: String, definition: CardDefinition?)]) {
        self.cards = cards
    }

    /// The name of a card; one that no card has is reported.
    func card(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let name = value.text
        let names = cards.map(\.name)
        guard !names.contains(name) else { return name }
        let guess = Spelling.question(for: name, among: names)
        let known = names.isEmpty ? "the scenario has no cards" : "cards are \(names.joined(separator: ", "))"
        diagnostics.report(Diagnostic(.unknownName, "there is no card `\(name)`", at: value.node, hint: known + guess))
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
