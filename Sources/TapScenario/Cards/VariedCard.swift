import TapDocument

/// A control card: a valid card like the one in the scenario, with content that reveals mistakes the scenario's card hides.
///
/// Examples are a history of another length, a message with a long record, and a text in another language. A client that
/// reads the scenario's card correctly should read these correctly too. The rows of ``ControlProperty`` list them.
public struct VariedCard: Hashable, Sendable {
    /// The kind of content, which determines the control cards.
    public enum Family: Hashable, Sendable {
        case history
        case uri
        case text
        /// A message of other records, which does not vary.
        case message
    }

    /// The reaction that a client must show.
    public enum Demand: Hashable, Sendable {
        /// The client must read the card.
        case reading
        /// The client may refuse the card, but whatever it prints of it must be right.
        case readingOrRefusal
        /// The client must not crash, hang or harm the card.
        case survival
    }

    /// The pattern that matches all names.
    public static let pattern = "card.*"

    /// Returns whether a text has the form of a control card's name, or of a pattern of such names.
    public static func isName(_ text: String) -> Bool { text.hasPrefix("card.") }

    /// The name for selecting the card: `card.trips-7`.
    public let name: String
    /// The special property of the card; follows `a card with`.
    public let summary: String
    public let family: Family
    public let demand: Demand
    /// The pattern that matches the names of all cards with this property.
    public internal(set) var property = ""
    /// Texts in the memory that are not part of the content.
    public let remains: [String]
    private let changes: [(key: String, value: Node)]
    /// The changes of the cards that later visits bring; empty if all visits bring this card.
    private let later: [[(key: String, value: Node)]]

    /// A Boolean value that indicates whether each visit brings another card.
    public var isOfVisits: Bool { !later.isEmpty }

    init(
        _ name: String, _ summary: String, _ family: Family, demand: Demand = .reading, remains: [String] = [],
        _ changes: [(key: String, value: Node)], later: [[(key: String, value: Node)]] = []
    ) {
        self.name = "card.\(name)"
        self.summary = summary
        self.family = family
        self.demand = demand
        self.remains = remains
        self.changes = changes
        self.later = later
    }

    public static func == (one: VariedCard, other: VariedCard) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The keys of a card of a scenario, with this card's keys replacing its own.
    func keys(inPlaceOf card: NodeMap) -> NodeMap { keys(inPlaceOf: card, changes) }

    /// The keys of the cards of later visits.
    func keysOfLaterVisits(inPlaceOf card: NodeMap) -> [NodeMap] { later.map { keys(inPlaceOf: card, $0) } }

    private func keys(inPlaceOf card: NodeMap, _ changes: [(key: String, value: Node)]) -> NodeMap {
        guard !changes.isEmpty else { return card }
        let replaced = Set(changes.map(\.key)).union(family == .history ? [CardLanguage.history.name] : [])
        let rest = card.entries.filter { !replaced.contains($0.key.text) }
        return NodeMap(rest + changes.map { NodeMap.Entry(Scalar($0.key), $0.value) })
    }
}

extension VariedCard {
    /// The maximum number of cards that a campaign without a budget tries.
    public static let fewest = 16

    /// The covering set for a campaign without a budget: some cards of each property, at most ``fewest`` in total.
    public static func few(for scenarioCase: ScenarioCase) -> [VariedCard] {
        guard let subject = ControlSubject(scenarioCase) else { return [] }
        return Array(
            ControlProperty.ordered(for: subject).flatMap { $0.cards(for: subject).prefix($0.tried) }.prefix(fewest))
    }

    /// Every control card for the only card of a case; empty if there are several cards, or if something happens to the card.
    public static func all(for scenarioCase: ScenarioCase) -> [VariedCard] {
        guard let subject = ControlSubject(scenarioCase) else { return [] }
        return ControlProperty.ordered(for: subject).flatMap { $0.cards(for: subject) }
    }
}
