import TapField
import TapScenario
import TapWire

/// Runs cases and finds out what became of their clients, where the cases ask for that.
///
/// Three clean runs are made once for all cases that differ only in what disturbs them. They tell nobody: neither what
/// the client writes nor what happens in the field.
public struct OutcomeRun: Sendable {
    /// How the runs of the cases themselves are made.
    public var caseRun: CaseRun
    private var cleanRecords: [Node: [RunRecord]] = [:]

    /// Creates runs.
    public init(_ caseRun: CaseRun = CaseRun()) {
        self.caseRun = caseRun
    }

    /// Lets the client of a case read its cards and, if the case asks, says what became of it.
    ///
    /// - Returns: What happened; if the clean runs say nothing about the client, the last of these.
    /// - Throws: ``RunError`` if the case could not be run.
    public mutating func run(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        guard scenarioCase.needsOutcome, caseRun.hardware == nil else { return try await caseRun.run(scenarioCase) }
        let clean = try await cleanRecords(of: scenarioCase)
        let baseline: Baseline
        do throws(BaselineError) {
            baseline = try Baseline(clean, of: scenarioCase)
        } catch {
            var record = clean[clean.count - 1]
            record.outcome = .failure(error)
            return record
        }
        var record = try await caseRun.run(scenarioCase)
        let finding = baseline.finding(of: record)
        let isExpected = scenarioCase.expects(finding.outcome)
        record.outcome = .success(
            isExpected ? finding : try await quiet.steadied(finding, of: scenarioCase, baseline))
        return record
    }

    private mutating func cleanRecords(of scenarioCase: ScenarioCase) async throws(RunError) -> [RunRecord] {
        let clean = scenarioCase.undisturbed
        let key = clean.runKey
        if let records = cleanRecords[key] { return records }
        var records: [RunRecord] = []
        for _ in 0..<Baseline.runCount { records.append(try await quiet.run(clean)) }
        cleanRecords[key] = records
        return records
    }

    /// Runs that nobody sees.
    private var quiet: CaseRun {
        var run = CaseRun()
        run.hasTimeLimit = caseRun.hasTimeLimit
        return run
    }
}
