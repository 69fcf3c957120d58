import TapDocument
import TapField
import TapJudge
import TapScenario

/// A sound card that a client is tried on besides that of its case.
public struct SoundCard: Sendable {
    public let card: VariedCard
    /// The case with this card in it.
    public let scenarioCase: ScenarioCase

    public init(_ card: VariedCard, _ scenarioCase: ScenarioCase) {
        self.card = card
        self.scenarioCase = scenarioCase
    }
}

/// What a client makes of sound cards, without any fault.
public struct SoundResult: Sendable {
    /// What it gets wrong, by the name of the card; empty for the card of the case.
    public let findings: [(card: String, finding: OutcomeFinding)]
    public let warnings: [Warning]
}

extension FuzzCampaign {
    /// Lets the client read sound cards, and holds what it prints against what is on them.
    public func soundResult(
        of cards: [SoundCard], _ prepared: Prepared
    ) async throws(RunError) -> SoundResult {
        let baseline = prepared.baseline
        guard let reference = prepared.before.only else { return SoundResult(findings: [], warnings: []) }
        let results = try await jobs.results(of: cards.count) { index throws(RunError) in
            try await Self.reading(cards[index], prepared)
        }
        let readings = results.compactMap { try? $0.get() }
        let judge = ReferenceJudge(baseline.reading(reference: reference), readings)
        var findings = judge.misreadings.map { (card: $0.card?.name ?? "", finding: $0.finding) }
        var warnings = judge.warnings
        let accepted = Set(readings.compactMap(\.card).filter { !$0.isDisputed }.map(\.family))
        for (card, result) in zip(cards.map(\.card), results) {
            guard case .failure(let failure) = result else { continue }
            let finding = failure.finding
            if finding.outcome != .clearError {
                findings.append(
                    (
                        card.name,
                        OutcomeFinding(
                            finding.outcome, at: finding.exchange, "on a card with \(card.summary): \(finding.reason)")
                    ))
            } else if !card.isDisputed, accepted.contains(card.family) {
                // Whoever refuses all cards of a kind does not want them.
                warnings.append(
                    Warning("refuses a sound card, \(card.name)", hint: "It has \(card.summary); \(finding.reason)."))
            }
        }
        let order = Dictionary(uniqueKeysWithValues: cards.enumerated().map { ($0.element.card.name, $0.offset) })
        findings.sort { (order[$0.card] ?? -1) < (order[$1.card] ?? -1) }
        return SoundResult(findings: findings, warnings: warnings)
    }

    private static func reading(
        _ card: SoundCard, _ prepared: Prepared
    ) async throws(RunError) -> Result<SoundReading, CleanFailure> {
        let clean = card.scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        let bounded = prepared.bounded(clean)
        let reference = await CardReading(clean.makeWorld(), of: clean).only ?? .null
        return prepared.baseline.reading(of: try await CaseRun().run(bounded), on: card.card, reference: reference)
    }
}

extension CardReading {
    /// What is on the only card.
    fileprivate var only: Node? { results.count == 1 ? results[0] : nil }
}
