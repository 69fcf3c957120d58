import TapDocument
import TapField
import TapJudge
import TapReading
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
        _ found: CleanCause.Found, _ scenarioCase: ScenarioCase, _ record: RunRecord, wanted: [String] = []
    ) {
        self.found = found
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
    let refused: [String]
    /// On how many cards the client was tried beside its own.
    public let count: Int

    /// Such as `19 more, 1 wrong, 3 refused`.
    ///
    /// - Parameter planned: On how many cards the client was to be tried.
    public func summary(of planned: Int) -> String {
        let wrong = Set(findings.compactMap(\.found.card)).count
        let whole = count < planned ? "\(count) of \(planned)" : "\(planned)"
        return "\(whole) more, \(wrong) wrong" + (refused.isEmpty ? "" : ", \(refused.count) refused")
    }
}

extension FuzzCampaign.Prepared {
    /// What is wrong in the clean runs themselves.
    public var findings: [CleanFinding] {
        baseline.findings.map { CleanFinding(.init($0, on: nil), clean, baseline.record) }
    }

    fileprivate func finding(_ item: SoundCardFindings.Item) -> CleanFinding {
        CleanFinding(item.found, clean, baseline.record, wanted: item.wanted)
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

        func finding(_ item: SoundCardFindings.Item) -> CleanFinding {
            let isEndless = [.hang, .livelock].contains(item.found.finding.outcome)
            return CleanFinding(item.found, isEndless ? bounded : scenarioCase, record, wanted: item.wanted)
        }
    }

    /// Lets the client read sound cards, and holds what it prints against what is on them.
    public func soundResult(
        of cards: [SoundCard], _ prepared: Prepared
    ) async throws(RunError) -> SoundResult {
        let baseline = prepared.baseline
        guard let reference = prepared.before.only else {
            return SoundResult(findings: [], warnings: [], refused: [], count: 0)
        }
        let runs = try await jobs.results(of: cards.count) { index throws(RunError) in
            try await unlessAbandoned { () async throws(RunError) in try await soundRun(on: cards[index], prepared) }
        }.compactMap(\.self)
        let found = SoundCardFindings(
            beside: baseline, reference: reference, runs.map { ($0.card, $0.reading) })
        let findings = found.items.map { item in
            runs.first { $0.card.name == item.found.card }?.finding(item) ?? prepared.finding(item)
        }
        return SoundResult(findings: findings, warnings: found.warnings, refused: found.refused, count: runs.count)
    }

    private func soundRun(
        on card: SoundCard, _ prepared: Prepared
    ) async throws(RunError) -> SoundRun {
        let clean = card.scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        let bounded = prepared.bounded(clean)
        let reference = await CardReading(clean.makeWorld(), of: clean).only ?? .null
        let judged = { record in prepared.baseline.reading(of: record, on: card.card, reference: reference) }
        var record = try await caseRun.run(bounded)
        if case .failure(let failure) = judged(record), failure.finding.outcome == .hang {
            // On a machine that does much else it may only be slow.
            record = try await caseRun.run(prepared.patient(bounded))
        }
        return SoundRun(
            card: card.card, scenarioCase: clean, bounded: bounded, record: record, reading: judged(record))
    }
}
