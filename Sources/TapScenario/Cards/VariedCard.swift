import TapDocument

/// A control card: a valid card like the one that a user has named, with content that shows mistakes which the named one
/// hides.
///
/// A history of another length, a message with a long record, a text in another language: a client that reads the named
/// card right should read these right too. The rows of ``ControlProperty`` say which there are.
public struct VariedCard: Hashable, Sendable {
    /// The content that cards of one kind have in common.
    public enum Family: Hashable, Sendable {
        case history
        case uri
        case text
        /// A message of other records, which stays as it is.
        case message
    }

    /// The reaction to a card that a client must show.
    public enum Demand: Hashable, Sendable {
        /// It has to read it.
        case reading
        /// It may refuse the card; what it prints of it has to be right.
        case readingOrRefusal
        /// It must not crash, hang or harm the card.
        case survival
    }

    /// The pattern that all names match.
    public static let pattern = "card.*"

    /// Returns whether a text can be the name of a control card, or a pattern of names.
    public static func isName(_ text: String) -> Bool { text.hasPrefix("card.") }

    /// The name by which it is asked for: `card.trips-7`.
    public let name: String
    /// The special property of the card; follows `a card with`.
    public let summary: String
    public let family: Family
    public let demand: Demand
    /// The pattern of the names that cards with this property have.
    public internal(set) var property = ""
    /// Texts in its memory that are not part of its content.
    public let remains: [String]
    private let changes: [(key: String, value: Node)]

    init(
        _ name: String, _ summary: String, _ family: Family, demand: Demand = .reading, remains: [String] = [],
        _ changes: [(key: String, value: Node)]
    ) {
        self.name = "card.\(name)"
        self.summary = summary
        self.family = family
        self.demand = demand
        self.remains = remains
        self.changes = changes
    }

    public static func == (one: VariedCard, other: VariedCard) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The keys of this card in place of those of a card of a scenario.
    func keys(inPlaceOf card: NodeMap) -> NodeMap {
        let replaced = Set(changes.map(\.key)).union(family == .history ? [CardLanguage.history.name] : [])
        let rest = card.entries.filter { !replaced.contains($0.key.text) }
        return NodeMap(rest + changes.map { NodeMap.Entry(Scalar($0.key), $0.value) })
    }
}

extension VariedCard {
    /// The most cards that a campaign without a budget tries.
    public static let fewest = 16

    /// The covering set that a campaign without a budget tries: some cards of each property, at most ``fewest``.
    public static func few(beside scenarioCase: ScenarioCase) -> [VariedCard] {
        guard let subject = ControlSubject(scenarioCase) else { return [] }
        return Array(
            ControlProperty.ordered(for: subject).flatMap { $0.cards(for: subject).prefix($0.tried) }.prefix(fewest))
    }

    /// Every control card for the only card of a case; empty if there are several cards, or if something happens to it.
    public static func all(beside scenarioCase: ScenarioCase) -> [VariedCard] {
        guard let subject = ControlSubject(scenarioCase) else { return [] }
        return ControlProperty.ordered(for: subject).flatMap { $0.cards(for: subject) }
    }
}
