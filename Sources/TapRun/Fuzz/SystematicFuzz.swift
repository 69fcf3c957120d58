import TapCards
import TapDoors
import TapField
import TapFuzz
import TapScenario
import TapWire

/// The systematic phase of fuzzing one case: three clean runs, then every fault once at every exchange.
public struct SystematicFuzz: Sendable {
    /// The shortest time a client gets before it counts as hanging.
    private static let shortestWall = Duration.seconds(2)
    /// How many times longer than its clean run a client may run before it counts as hanging.
    private static let wallFactor = 10
    /// How many times more frames than in its clean run a client may send before it counts as going round in circles.
    private static let exchangeFactor = 20
    /// The least number of frames that counts as that.
    private static let leastExchanges = 200

    /// How many runs are under way at a time.
    public var jobs: Int
    /// Told of each run that is done, in no certain order.
    public var progress: (@Sendable (VerdictGrid.Entry) -> Void)?

    public init(jobs: Int) {
        self.jobs = jobs
    }

    /// A case that has shown what it does without disturbance, ready to be disturbed.
    public struct Prepared: Sendable {
        /// What its client does without disturbance.
        public let baseline: Baseline
        /// The runs that can be made of it.
        public let phase: SystematicPhase
        fileprivate let clean: ScenarioCase
        fileprivate let wall: Duration
        /// How the cards read before and after a clean run.
        fileprivate let before: CardReading
        fileprivate let after: CardReading
    }

    /// Makes the clean runs of a case and lays out its phase.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; faults of its own are left out.
    ///   - kinds: The faults to try.
    /// - Throws: ``RunError`` if a run could not be made, or if the clean runs say nothing about the client.
    public func prepare(_ scenarioCase: ScenarioCase, _ kinds: [FaultKind]) async throws(RunError) -> Prepared {
        let clean = scenarioCase.disturbed(by: FaultPlan(keepsCalls: true))
        var records: [RunRecord] = []
        // One after the other: what runs of a client have in common outside, such as a file, shows itself here.
        for _ in 0..<Baseline.runCount { records.append(try await CaseRun().run(clean)) }
        let baseline: Baseline
        do {
            baseline = try Baseline(records, of: scenarioCase)
        } catch {
            throw RunError(.baseline, "\(error)")
        }
        try Self.checkDoor(of: records[0], clean)
        let fitting = kinds.filter { FaultFit.fits($0, records[0], clean) }
        return Prepared(
            baseline: baseline, phase: SystematicPhase(of: baseline.world, fitting), clean: clean,
            wall: records.compactMap(\.client.wall).max() ?? .zero,
            before: await CardReading(clean.makeWorld(), of: clean),
            after: await CardReading(baseline.world, of: clean))
    }

    /// Refuses a client that has opened no reader: nothing can disturb it.
    private static func checkDoor(of record: RunRecord, _ clean: ScenarioCase) throws(RunError) {
        guard !record.doorsOpened.isEmpty, record.doorUsed == nil else { return }
        let failure = Judge.judge(clean, record).failures.first
        throw RunError(.baseline, "the client opened no reader. \(failure?.hint ?? "")")
    }

    /// Makes runs of a prepared case.
    ///
    /// - Parameters:
    ///   - runs: Those to make, of the phase of the case.
    ///   - prepared: The case.
    /// - Returns: What became of each.
    public func grid(
        of runs: [SystematicPhase.Run], _ prepared: Prepared
    ) async throws(RunError) -> VerdictGrid {
        let progress = progress
        let entries = try await Workers.results(of: runs.count, jobs: jobs, done: { progress?($0) }) {
            index throws(RunError) in
            try await Self.entry(of: runs[index], prepared)
        }
        return VerdictGrid(places: prepared.phase.places, entries: entries)
    }

    private static func entry(
        of run: SystematicPhase.Run, _ prepared: Prepared
    ) async throws(RunError) -> VerdictGrid.Entry {
        let disturbed = prepared.clean.disturbed(by: run.plan).bounded(
            wall: max(shortestWall, prepared.wall * wallFactor),
            // More would not be kept, and so could not be judged.
            exchanges: min(
                max(leastExchanges, prepared.baseline.exchangeCount * exchangeFactor), TraceBound.run.exchanges))
        let record = try await CaseRun().run(disturbed)
        guard record.world.plan.unmet.isEmpty else { return VerdictGrid.Entry(run, .notReached) }
        var finding = prepared.baseline.finding(of: record)
        if !finding.outcome.isOK { finding = try await CaseRun().steadied(finding, of: disturbed, prepared.baseline) }
        guard run.fault.kind.family == "mem" else { return VerdictGrid.Entry(run, .judged(finding)) }
        let reading = await CardReading(record.world, of: disturbed)
        let readBack = reading.compared(before: prepared.before, after: prepared.after)
        if readBack == .unreadable, finding.outcome == .correct {
            finding = OutcomeFinding(.safety, "it ends well, and a sound client cannot read what it left on the card")
        }
        return VerdictGrid.Entry(run, .judged(finding), readBack: readBack)
    }
}
