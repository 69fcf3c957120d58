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

/// What a client gets wrong without any fault, and the run that shows it.
public struct CleanFinding: Sendable {
    public let found: CleanCause.Found
    /// The case of the run, with what the client should print where that tells what is wrong.
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    /// Whether the run fails its case.
    public let failsAlone: Bool

    /// - Parameter wanted: What the client should print; empty where that does not tell what is wrong.
    fileprivate init(
        _ finding: OutcomeFinding, on card: VariedCard?, _ scenarioCase: ScenarioCase, _ record: RunRecord,
        wanted: [String] = []
    ) {
        found = CleanCause.Found(finding, on: card?.name)
        self.record = record
        let expecting = wanted.isEmpty ? scenarioCase : scenarioCase.expecting(printed: wanted)
        failsAlone = !Judge.judge(expecting, record).isPassed
        // What is missing at one place may be printed at another.
        self.scenarioCase = failsAlone ? expecting : scenarioCase
    }
}

/// What a client makes of sound cards, without any fault.
public struct SoundResult: Sendable {
    public let findings: [CleanFinding]
    public let warnings: [Warning]
}

extension FuzzCampaign.Prepared {
    /// What is wrong in the clean runs themselves.
    public var findings: [CleanFinding] {
        baseline.findings.map { CleanFinding($0, on: nil, clean, baseline.record) }
    }

    fileprivate func finding(_ misreading: Misreading) -> CleanFinding {
        CleanFinding(misreading.finding, on: nil, clean, baseline.record, wanted: misreading.wanted)
    }
}

extension FuzzCampaign {
    /// A run on a sound card, and what the client has read there.
    private struct SoundRun {
        let card: VariedCard
        let scenarioCase: ScenarioCase
        /// The case with an end for a client that comes to none.
        let bounded: ScenarioCase
        let record: RunRecord
        let reading: Result<SoundReading, CleanFailure>

        func finding(_ finding: OutcomeFinding, wanted: [String] = []) -> CleanFinding {
            let isEndless = [.hang, .livelock].contains(finding.outcome)
            return CleanFinding(finding, on: card, isEndless ? bounded : scenarioCase, record, wanted: wanted)
        }
    }

    /// Lets the client read sound cards, and holds what it prints against what is on them.
    public func soundResult(
        of cards: [SoundCard], _ prepared: Prepared
    ) async throws(RunError) -> SoundResult {
        let baseline = prepared.baseline
        guard let reference = prepared.before.only else { return SoundResult(findings: [], warnings: []) }
        let runs = try await jobs.results(of: cards.count) { index throws(RunError) in
            try await Self.soundRun(on: cards[index], prepared)
        }
        let readings = runs.compactMap { try? $0.reading.get() }
        let judge = ReferenceJudge(baseline.reading(reference: reference), readings)
        var findings = judge.misreadings.map { misreading in
            runs.first { $0.card == misreading.card }?.finding(misreading.finding, wanted: misreading.wanted)
                ?? prepared.finding(misreading)
        }
        var warnings = judge.warnings
        let accepted = Set(readings.compactMap(\.card).filter { !$0.isDisputed }.map(\.family))
        for run in runs {
            guard case .failure(let failure) = run.reading else { continue }
            let (card, finding) = (run.card, failure.finding)
            if finding.outcome != .clearError {
                let reason = "on a card with \(card.summary): \(finding.reason)"
                findings.append(run.finding(finding.with(reason: reason)))
            } else if !card.isDisputed, accepted.contains(card.family) {
                // Whoever refuses all cards of a kind does not want them.
                warnings.append(
                    Warning("refuses a sound card, \(card.name)", hint: "It has \(card.summary); \(finding.reason)."))
            }
        }
        let order = Dictionary(uniqueKeysWithValues: cards.enumerated().map { ($0.element.card.name, $0.offset) })
        let place = { (finding: CleanFinding) in finding.found.card.flatMap { order[$0] } ?? -1 }
        findings.sort { place($0) < place($1) }
        return SoundResult(findings: findings, warnings: warnings)
    }

    private static func soundRun(
        on card: SoundCard, _ prepared: Prepared
    ) async throws(RunError) -> SoundRun {
        let clean = card.scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        let bounded = prepared.bounded(clean)
        let reference = await CardReading(clean.makeWorld(), of: clean).only ?? .null
        let judged = { record in prepared.baseline.reading(of: record, on: card.card, reference: reference) }
        var record = try await CaseRun().run(bounded)
        if case .failure(let failure) = judged(record), failure.finding.outcome == .hang {
            // On a machine that does much else it may only be slow.
            record = try await CaseRun().run(prepared.patient(bounded))
        }
        return SoundRun(
            card: card.card, scenarioCase: clean, bounded: bounded, record: record, reading: judged(record))
    }
}

extension CardReading {
    /// What is on the only card.
    fileprivate var only: Node? { results.count == 1 ? results[0] : nil }
}
