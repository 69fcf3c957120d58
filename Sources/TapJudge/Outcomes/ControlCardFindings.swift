import TapDocument
import TapScenario

/// What a client gets wrong of control cards, without any fault.
public struct ControlCardFindings: Sendable {
    public struct Item: Hashable, Sendable {
        public let found: CleanCause.Found
        /// What the client should print, one behind the other; empty where that does not tell what is wrong.
        public let wanted: [String]
    }

    /// In the order of the cards, that of the case first.
    public let items: [Item]
    public let warnings: [Warning]
    /// Names of the cards that it refuses, though it reads others of their family.
    public let refused: [String]

    /// - Parameters:
    ///   - baseline: The baseline runs on the card of the case.
    ///   - reference: What a reader known to be right finds on it.
    ///   - readings: What the client made of other cards.
    public init(
        beside baseline: Baseline, reference: Node,
        _ readings: [(card: VariedCard, reading: Result<ControlReading, CleanFailure>)]
    ) {
        let sound = readings.compactMap { try? $0.reading.get() }
        let judge = ReferenceJudge(baseline.reading(reference: reference), sound, named: baseline.judge.named)
        var items = judge.misreadings.map { Item(found: .init($0.finding, on: $0.card?.name), wanted: $0.wanted) }
        var warnings = judge.warnings
        if baseline.resultStream == .neither, !judge.hasVariedOutput {
            warnings.append(
                Warning(
                    "prints nothing that is on the card",
                    hint: "A wrong reading goes unnoticed. Let it print what it reads, on either output stream, "
                        + "or name the file with its result in `client.result`."))
        }
        var refused: [(card: VariedCard, reason: String)] = []
        let accepted = Set(sound.compactMap(\.card).filter { $0.demand == .reading }.map(\.family))
        for case (let card, .failure(let failure)) in readings {
            let finding = failure.finding
            if finding.outcome != .clearError {
                let reason = "on a card with \(card.summary): \(finding.reason)"
                items.append(Item(found: .init(finding.with(reason: reason), on: card.name), wanted: []))
            } else if card.demand == .reading, accepted.contains(card.family) {
                // Whoever refuses all cards of a kind does not want them.
                refused.append((card, finding.reason))
            }
        }
        for (property, cards) in Dictionary(grouping: refused, by: \.card.property).sorted(by: { $0.key < $1.key }) {
            let (first, others) = (cards[0], cards.count - 1)
            let more = others > 0 ? " and \(others) more of \(property)" : ""
            warnings.append(
                Warning(
                    "refuses a control card, \(first.card.name)\(more)",
                    hint: "It has \(first.card.summary); \(first.reason)."))
        }
        let order = Dictionary(uniqueKeysWithValues: readings.enumerated().map { ($0.element.card.name, $0.offset) })
        let place = { (item: Item) in item.found.card.flatMap { order[$0] } ?? -1 }
        self.items = items.sorted { place($0) < place($1) }
        self.warnings = warnings
        self.refused = refused.map(\.card.name)
    }
}
