/// The cards of a case, for what refers to them by name.
struct CardNames {
    private let technologies: [(name: String, technology: String?)]

    /// Takes the cards in the order of the file; those that could not be made still have a name.
    init(_ cards: [(name: String, definition: CardDefinition?)]) {
        technologies = cards.map { ($0.name, $0.definition?.technologyName) }
    }

    /// The name of a card; one that no card has is reported.
    func card(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let name = value.text
        let names = technologies.map(\.name)
        guard !names.contains(name) else { return name }
        let guess = Spelling.question(for: name, among: names)
        let known = names.isEmpty ? "the scenario has no cards" : "cards are \(names.joined(separator: ", "))"
        diagnostics.report(Diagnostic(.unknownName, "there is no card `\(name)`", at: value.node, hint: known + guess))
        return name
    }

    /// What a card speaks, or nothing if there is no such card.
    func technology(of card: String) -> String? {
        technologies.first { $0.name == card }?.technology
    }
}
