import TapDocument
import TapJudge
import TapReading
import TapScenario

/// A mistake of a client without any fault, and the run that shows it.
public struct FaultlessFinding: Sendable {
    public let found: FaultlessCause.Found
    /// The case of the run, with the expected output if that shows the mistake.
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    public let failsAlone: Bool

    /// - Parameter wanted: The expected output; empty if it does not show the mistake.
    fileprivate init(
        _ found: FaultlessCause.Found, _ scenarioCase: ScenarioCase, _ record: RunRecord, wanted: [String] = []
    ) {
        self.found = found
        self.record = record
        let expecting = wanted.isEmpty ? scenarioCase : scenarioCase.expecting(printed: wanted)
        failsAlone = !Judge.judge(expecting, record).isPassed
        // A value that is missing in one place may be printed in another.
        self.scenarioCase = failsAlone ? expecting : scenarioCase
    }
}

/// The results of a client without any fault, on its own card and on control cards.
public struct ControlCardResult: Sendable {
    public fileprivate(set) var findings: [FaultlessFinding] = []
    public fileprivate(set) var warnings: [Warning] = []
    fileprivate var refused: [String] = []
    /// The number of control cards on which the client was tried.
    public fileprivate(set) var count = 0

    init() {}

    /// Returns text such as `19 more, 1 wrong, 3 refused`.
    ///
    /// - Parameter planned: The number of cards on which the client was to be tried.
    public func summary(of planned: Int) -> String {
        let wrong = Set(findings.compactMap(\.found.card)).count
        let whole = count < planned ? "\(count) of \(planned)" : "\(planned)"
        return "\(whole) more, \(wrong) wrong" + (refused.isEmpty ? "" : ", \(refused.count) refused")
    }
}

extension Campaign {
    /// A run on a control card, and the client's reading there.
    private struct ControlRun: Sendable {
        let card: VariedCard
        let scenarioCase: ScenarioCase
        /// The case with limits that stop a client that does not end.
        let bounded: ScenarioCase
        let record: RunRecord
        let reading: Result<ControlReading, ControlCardFailure>
        /// The finding for output that belongs to an earlier visit.
        let stale: OutcomeFinding?

        func finding(_ item: ControlCardFindings.Item) -> FaultlessFinding {
            let isEndless = [.hang, .livelock].contains(item.found.finding.outcome)
            return FaultlessFinding(item.found, isEndless ? bounded : scenarioCase, record, wanted: item.wanted)
        }
    }

    /// Runs the client on control cards, stopping after one on which it does not end, and compares its output with their
    /// contents.
    func controlCardResult(within limits: inout CampaignLimits) async throws -> ControlCardResult {
        var result = ControlCardResult()
        result.findings = baseline.findings.map { FaultlessFinding(.init($0, on: nil), clean, baseline.record) }
        result.warnings = baseline.warnings
        let cards = cards
        guard let reference = before.only else {
            if let stale = baseline.staleVisit(references: before.byName(clean.cards)) {
                result.findings.append(FaultlessFinding(.init(stale, on: nil), clean, baseline.record))
            }
            return result
        }
        var endless: String?
        var runs: [ControlRun?] = Array(repeating: nil, count: cards.count)
        try await settings.jobs.perform(cards.count, while: { endless == nil }) { index in
            try await unlessAbandoned { try await controlRun(on: cards[index]) } ?? nil
        } taking: { index, run in
            runs[index] = run
            if let run, run.record.isEndless { endless = run.card.name }
        }
        if let endless { limits.end(with: endless) }
        let performed = runs.compactMap(\.self)
        let found = ControlCardFindings(
            alongside: baseline, reference: reference,
            performed.filter { !$0.card.isOfVisits || (try? $0.reading.get()) == nil }.map { ($0.card, $0.reading) })
        result.findings += found.items.map { item in
            performed.first { $0.card.name == item.found.card }?.finding(item)
                ?? FaultlessFinding(item.found, clean, baseline.record, wanted: item.wanted)
        }
        result.findings += performed.compactMap { run in
            run.stale.map { FaultlessFinding(.init($0, on: run.card.name), run.scenarioCase, run.record) }
        }
        result.warnings += found.warnings
        (result.refused, result.count) = (found.refused, performed.count)
        return result
    }

    /// - Returns: `nil` if the card does not fit the case.
    private func controlRun(on card: VariedCard) async throws -> ControlRun? {
        guard let clean = clean.with(card) else { return nil }
        let bounded = bounded(clean)
        let content = await CardReading(clean.makeWorld(), of: clean)
        let reference = content.only ?? .null
        let judged = { record in baseline.reading(of: record, on: card, reference: reference) }
        var record = try await runner.record(of: CampaignRun(bounded, named: card.name))
        if case .failure(let failure) = judged(record), failure.finding.outcome == .hang, record.client.wall != nil {
            // On a busy machine, the client may only be slow.
            record = try await runner.record(of: CampaignRun(patient(bounded), named: card.name))
        }
        let stale =
            card.isOfVisits
            ? VisitReading.stale(in: baseline.visits(in: record, references: content.byName(clean.cards))) : nil
        // In a file, the cards of all visits would come together.
        let (whole, short) = card.isOfVisits ? (self.clean, self.bounded(self.clean)) : (clean, bounded)
        return ControlRun(
            card: card, scenarioCase: whole, bounded: short, record: record, reading: judged(record), stale: stale)
    }
}
