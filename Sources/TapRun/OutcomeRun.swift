import TapDocument
import TapTransports
import TapField
import TapJudge
import TapReading
import TapScenario

/// Runs cases and determines the outcome for their clients, if the cases ask for it.
///
/// Three baseline runs serve all cases that differ only in their disturbances. They report neither output nor events.
public struct OutcomeRun: Sendable {
    public var caseRun: CaseRun
    private var baselineRecords: [Node: [RunRecord]] = [:]

    public init(_ caseRun: CaseRun = CaseRun()) {
        self.caseRun = caseRun
    }

    /// Runs a case and determines its outcome; if the baseline runs say nothing about the client, the record is the last
    /// baseline run.
    public mutating func run(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        guard scenarioCase.needsOutcome, caseRun.hardware == nil else { return try await caseRun.run(scenarioCase) }
        let clean = try await baselineRecords(of: scenarioCase)
        var baseline: Baseline
        let undisturbed = scenarioCase.undisturbed
        let reference = await CardReading(undisturbed.makeWorld(), of: undisturbed).all
        do throws(BaselineError) {
            baseline = try Baseline(clean, of: scenarioCase, reference: reference)
        } catch {
            var record = clean[clean.count - 1]
            record.outcome = .failure(error)
            return record
        }
        try await baseline.tryOtherFields(
            of: scenarioCase.plan.entries.lazy.map(\.fault), in: undisturbed.bounded(by: baseline), quiet.run)
        var record = try await caseRun.run(scenarioCase)
        let finding = baseline.finding(of: record)
        let isExpected = scenarioCase.expects(finding.outcome)
        let quiet = quiet
        record.outcome = .success(
            isExpected
                ? finding
                : try await baseline.confirmed(finding) { () async throws(RunError) in
                    try await quiet.run(scenarioCase)
                })
        return record
    }

    private mutating func baselineRecords(of scenarioCase: ScenarioCase) async throws(RunError) -> [RunRecord] {
        let clean = scenarioCase.undisturbed
        let key = clean.runKey
        if let records = baselineRecords[key] { return records }
        let run = quiet
        let records = try await Baseline.records(of: scenarioCase) { () async throws(RunError) in
            try await run.run(clean)
        }
        baselineRecords[key] = records
        return records
    }

    private var quiet: CaseRun {
        var run = CaseRun(in: caseRun.surroundings)
        run.hasTimeLimit = caseRun.hasTimeLimit
        return run
    }
}

extension OpenTransports {
    /// The clients' use of TapSim's PC/SC service, if there is one; complete once the transports are closed.
    var serviceUse: ServiceUse? {
        transports.lazy.compactMap { $0 as? PCSCTransport }.first.map { ServiceUse($0.usage) }
    }
}

extension ServiceUse {
    init(_ usage: ServiceUsage) {
        self.init()
        contexts = usage.contexts
        cards = usage.cards
        surplusCards = usage.surplusCards
        transactions = usage.transactions
        waits = usage.waits
        hasGivenATR = usage.hasGivenATR
        misuses = usage.misuses.map { misuse in
            Misuse(call: misuse.call, reason: misuse.reason, exchange: misuse.exchange ?? 0)
        }
    }
}
