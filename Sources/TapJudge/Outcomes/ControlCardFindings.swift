import TapDocument
import TapScenario

/// The misreadings of control cards by a client, without any fault.
public struct ControlCardFindings: Sendable {
    public struct Item: Hashable, Sendable {
        public let found: FaultlessCause.Found
        /// The expected values, in order; empty if they do not show the mistake.
        public let wanted: [String]
    }

    /// The findings in the order of the cards, with the card of the case first.
    public let items: [Item]
    public let warnings: [Warning]
    /// The names of the cards that the client rejects although it reads others of their family.
    public let refused: [String]

    /// - Parameters:
    ///   - baseline: The baseline runs on the card of the case.
    ///   - reference: The contents that a known-good reader finds on it.
    ///   - readings: The client's readings of other cards.
    public init(
        alongside baseline: Baseline, reference: Node,
        _ readings: [(card: VariedCard, reading: Result<ControlReading, ControlCardFailure>)]
    ) {
        let valid = readings.compactMap { try? $0.reading.get() }
        let judge = ReferenceJudge(baseline.reading(reference: reference), valid, named: baseline.judge.named)
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
        let accepted = Set(valid.compactMap(\.card).filter { $0.demand == .reading }.map(\.family))
        for case (let card, .failure(let failure)) in readings {
            let finding = failure.finding
            if finding.outcome != .clearError {
                let reason = "on a card with \(card.summary): \(finding.reason)"
                items.append(Item(found: .init(finding.with(reason: reason), on: card.name), wanted: []))
            } else if card.demand == .reading, accepted.contains(card.family) {
                // A client that rejects all cards of a kind does not support them.
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
