import TapCards
import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReaders
import TapReading
import TapScenario
import TapWire

/// Fuzzing of one case: three clean runs, every fault once at every exchange, and then what these have shown to be worth a try.
public struct FuzzCampaign: Sendable {
    /// The time that a client has that seems to hang, to end by a time-out of its own.
    private static let longestWall = Duration.seconds(12)
    /// Fewer runs are over sooner than a client is ready to be copied.
    private static let fewestCopies = 10

    let jobs: JobLimit
    /// Whether a client that can be copied is started once, not for each run.
    public var startsOnce = true

    /// A run that was judged, with what was run and what came of it.
    public struct Finished: Sendable {
        public let entry: VerdictGrid.Entry
        public let scenarioCase: ScenarioCase
        public let record: RunRecord

        var steps: Set<Transition> { record.transitions(to: entry.outcome) }
    }

    /// What is known of runs already, by their names; they are not made.
    public var made: [String: VerdictGrid.Entry] = [:]

    /// Whether no further run is to begin; asked on several threads.
    public var isOver: (@Sendable () -> Bool)?

    /// When runs that have not ended are abandoned.
    public var deadline: ContinuousClock.Instant?

    /// Told that a clean run begins, with its number and how many there are.
    public var beginsClean: (@Sendable (Int, Int) -> Void)?

    /// Told of each finished run, in no certain order, several at a time.
    public var finished: (@Sendable (Finished) -> Void)?

    public init(jobs: JobLimit) {
        self.jobs = jobs
    }

    /// A case with its clean runs made.
    public struct Prepared: Sendable {
        public var baseline: Baseline
        /// What the case expects of a run without faults and the client did not do; whether it is right elsewhere says
        /// nothing then.
        public let failures: [Failure]
        public let phase: SystematicPhase
        let clean: ScenarioCase
        public var seed: UInt64 { clean.seed }
        fileprivate let wall: Duration
        /// How long a client that is started for it takes for a clean run; `nil` for one in this process.
        public var runTime: Duration? { wall > .zero ? wall : nil }
        /// The time the client has to do nothing before a run of it ends; `nil` for one that ends by itself or says
        /// when it is done.
        public var quiet: Duration? {
            guard case .dismissed = baseline.record.client.end, clean.visits?.done == nil else { return nil }
            return clean.visits?.quiet ?? VisitPlan.defaultQuiet
        }
        let starts: Result<StartedClients, ForkServerError>
        /// How many edges of its code the client takes in a clean run; none where it does not count them.
        public let edgeCount: Int
        /// Causes that were seen to be hangs, however long the client was given.
        let hangs = Lock<Set<String>>([])
        /// How long the client takes until it reaches for a reader, which is done once; or why it is done in each run.
        public var startTime: Result<Duration, ForkServerError> { starts.map(\.time) }
        let before: CardReading
        fileprivate let after: CardReading

        /// Held while a run is judged: what is asked of a long trace takes many times its memory.
        private let judging = Lock(())

        /// The findings of a run, most serious first.
        func findings(of record: RunRecord) -> [OutcomeFinding] {
            judging.withLock { _ in baseline.findings(of: record) }
        }

        func bounded(_ scenarioCase: ScenarioCase) -> ScenarioCase { scenarioCase.bounded(by: baseline, wall) }

        /// A bounded case with time enough for a client that seems to hang.
        func patient(_ bounded: ScenarioCase, adding time: Duration = .zero) -> ScenarioCase {
            let wall = min(clean.limits.wall, FuzzCampaign.longestWall) + time
            return bounded.limited(to: max(bounded.limits.wall, wall))
        }
    }

    /// Makes the clean runs of a case and plans its phase.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; its own faults are left out.
    ///   - runCount: How many runs are to be made of a phase.
    /// - Throws: ``RunError`` if a run could not be made, or the clean runs say nothing about the client.
    public func prepare(
        _ scenarioCase: ScenarioCase, _ kinds: [FaultKind], runCount: (SystematicPhase) -> Int
    ) async throws(RunError) -> Prepared {
        var clean = scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        var run = caseRun
        run.measuresCoverage = true
        var number = 0
        let records = try await Baseline.records(of: scenarioCase) { () async throws(RunError) in
            number += 1
            beginsClean?(number, Baseline.runCount)
            return try await run.run(clean)
        }
        let before = await CardReading(clean.makeWorld(), of: clean)
        var baseline: Baseline
        do {
            baseline = try Baseline(records, of: scenarioCase, reference: before.all)
        } catch {
            throw RunError(.baseline, "\(error)")
        }
        try Self.checkDoor(of: records[0], clean)
        let failures = Self.failures(of: scenarioCase, records[0])
        let client = ClientKind(CaseRun.client(of: clean))
        let door = records[0].doorUsed.flatMap(ReaderSpec.Door.init)
        if let door, door != .pcsc {
            // What can go wrong depends on it, in a scenario of a finding as well.
            clean = clean.changingReaders { $0.door = $0.door ?? door }
        }
        let phase = SystematicPhase(of: baseline.world, kinds) { [clean] run in
            clean.disturbed(by: run.plan).obstacle(to: client) == nil
        }
        let wall = records.compactMap(\.client.wall).max() ?? .zero
        let bounded = clean.bounded(by: baseline, wall)
        try await baseline.tryOtherFields(of: phase.runs.lazy.map(\.fault), in: bounded, caseRun.run)
        return Prepared(
            baseline: baseline, failures: failures, phase: phase, clean: clean, wall: wall,
            starts: runCount(phase) < Self.fewestCopies
                ? .failure(ForkServerError("there are fewer than \(Self.fewestCopies) runs"))
                : await starts(of: bounded, baseline, phase, isInstrumented: !records[0].edges.isEmpty),
            edgeCount: records[0].edges.count,
            before: before,
            after: await CardReading(baseline.world, of: clean))
    }

    /// Makes a clean run after others, when some time has passed.
    ///
    /// - Throws: ``RunError`` if the client does something else now, so that what it was found to do says nothing.
    public func checkLater(_ prepared: Prepared) async throws(RunError) {
        guard
            let record = try await unlessAbandoned({ () async throws(RunError) in
                try await caseRun.run(prepared.bounded(prepared.clean))
            })
        else { return }
        do {
            try prepared.baseline.check(later: record)
        } catch {
            throw RunError(.baseline, "\(error)")
        }
    }

    /// Clients to copy, where a copy does the same as a client that is started.
    private func starts(
        of clean: ScenarioCase, _ baseline: Baseline, _ phase: SystematicPhase, isInstrumented: Bool
    ) async -> Result<StartedClients, ForkServerError> {
        guard startsOnce, case .program(let client) = CaseRun.client(of: clean) else {
            return .failure(ForkServerError("--start-each asks for it"))
        }
        var run = caseRun
        do {
            let starts = try StartedClients(clean, client, isInstrumented: isInstrumented, before: deadline)
            run.starts = starts
            // The second copy shows what the first has left to it; one that was late on a busy machine has another try.
            var (same, other) = (0, 0)
            while same < 2 {
                let record = try await run.run(clean)
                let isSame =
                    baseline.finding(of: record).outcome == .correct
                    && SystematicPhase(of: record.world, []).places == phase.places
                (same, other) = isSame ? (same + 1, other) : (0, other + 1)
                guard other < 2 else { throw ForkServerError("a copy of it does not do the same") }
            }
            return .success(starts)
        } catch let error as ForkServerError {
            return .failure(error)
        } catch {
            return .failure(ForkServerError("\(error)"))
        }
    }

    /// The expectations that a clean run does not meet; those of a case with faults of its own are on its runs with them.
    private static func failures(of scenarioCase: ScenarioCase, _ record: RunRecord) -> [Failure] {
        scenarioCase.isDisturbed ? [] : Judge.judge(scenarioCase, record).failures
    }

    private static func checkDoor(of record: RunRecord, _ clean: ScenarioCase) throws(RunError) {
        guard !record.doorsOpened.isEmpty, record.doorUsed == nil else { return }
        let failure = Judge.judge(clean, record).failures.first
        throw RunError(.baseline, "the client opened no reader. \(failure?.hint ?? "")")
    }

    /// Makes the given runs of a prepared case.
    ///
    /// - Parameter phase: What they teach, if another phase follows.
    public func grid(
        of runs: [FuzzRun], _ prepared: Prepared, teaching phase: inout GuidedPhase?
    ) async throws(RunError) -> VerdictGrid {
        let results = try await results(of: runs, prepared, withSteps: phase != nil)
        for result in results { phase?.learn(result.entry.run, result.steps) }
        let made = Set(results.map(\.entry.run))
        return VerdictGrid(
            places: prepared.phase.places, entries: results.map(\.entry), notRun: runs.filter { !made.contains($0) },
            untried: prepared.phase.untried, clean: prepared.baseline.cleanCauses)
    }

    /// The function that performs a run.
    var caseRun: CaseRun {
        var run = CaseRun()
        run.deadline = deadline
        return run
    }

    /// The outcomes of runs, in their order, without steps for those performed before; those that had not ended when
    /// the campaign was over are left out.
    ///
    /// - Parameter known: Causes whose findings need not be repeated to be believed.
    func results(
        of runs: [FuzzRun], _ prepared: Prepared, withSteps: Bool, known: Set<String> = []
    ) async throws(RunError) -> [(entry: VerdictGrid.Entry, steps: Set<Transition>?)] {
        let (finished, isOver, made) = (finished, isOver, made)
        let order = SystematicPhase.order(of: runs)
        let results = try await jobs.results(of: runs.count) {
            index throws(RunError) -> (VerdictGrid.Entry, Set<Transition>?)? in
            let run = runs[order[index]]
            if let entry = made[run.name] { return (entry, nil) }
            if isOver?() == true { return nil }
            guard
                let result = try await unlessAbandoned({ () async throws(RunError) in
                    try await judged(run, prepared, known: known)
                })
            else { return nil }
            finished?(result)
            return (result.entry, withSteps ? result.steps : [])
        }
        return zip(order, results).sorted { $0.0 < $1.0 }.compactMap(\.1)
    }

    /// The result of a run; `nil` if it was abandoned.
    func unlessAbandoned<Value>(
        _ make: () async throws(RunError) -> Value
    ) async throws(RunError) -> Value? {
        do throws(RunError) {
            return try await make()
        } catch {
            guard error.code == .abandoned else { throw error }
            return nil
        }
    }

    func judged(
        _ run: FuzzRun, _ prepared: Prepared, known: Set<String> = []
    ) async throws(RunError) -> Finished {
        var disturbed = prepared.bounded(prepared.clean.disturbed(by: run.plan))
        var caseRun = caseRun
        caseRun.starts = try? prepared.starts.get()
        caseRun.measuresCoverage = prepared.edgeCount > 0
        var record = try await caseRun.run(disturbed)
        var findings = prepared.findings(of: record)
        // A hang that is known takes its time once.
        let known = known.union(prepared.hangs.withLock(\.self))
        let isKnownHang = {
            VerdictGrid.Entry(run, record, findings, against: prepared.baseline).isHang(among: known)
        }
        if caseRun.starts != nil, !findings[0].outcome.isOK, !isKnownHang() {
            // What is told of a client is seen in one that was started for it.
            record = try await self.caseRun.run(disturbed)
            findings = prepared.findings(of: record)
        }
        if findings[0].outcome == .hang, !isKnownHang() {
            // Its own timeout may be longer than ours.
            let patient = prepared.patient(disturbed, adding: run.addedTime)
            let other = try await self.caseRun.run(patient)
            let found = prepared.findings(of: other)
            if found[0].outcome != .hang { (disturbed, record, findings) = (patient, other, found) }
        }
        let entry = try await entry(of: run, record, findings, disturbed, prepared, known)
        if entry.outcome == .hang, let cause = entry.cause { _ = prepared.hangs.withLock { $0.insert(cause) } }
        return Finished(entry: entry, scenarioCase: disturbed, record: record)
    }

    private func entry(
        of run: FuzzRun, _ record: RunRecord, _ findings: [OutcomeFinding], _ disturbed: ScenarioCase,
        _ prepared: Prepared, _ known: Set<String>
    ) async throws(RunError) -> VerdictGrid.Entry {
        let baseline = prepared.baseline
        let entry = VerdictGrid.Entry(run, record, findings, against: baseline)
        guard case .judged(var finding) = entry.cell else { return entry }
        let isKnown = entry.cause.map(known.contains) ?? true
        if !isKnown { finding = try await caseRun.confirmed(finding, of: disturbed, baseline) }
        let others = finding.alone(among: findings)
        guard run.injections.contains(where: { $0.fault.kind.family == "mem" }) else {
            return VerdictGrid.Entry(run, finding, others: others, of: record, against: baseline)
        }
        let reading = await CardReading(record.world, of: disturbed)
        let readBack = reading.compared(before: prepared.before, after: prepared.after)
        if readBack == .unreadable, finding.outcome == .correct {
            finding = OutcomeFinding(.safety, "it ends well, and a sound client cannot read what it left on the card")
        }
        return VerdictGrid.Entry(run, finding, readBack: readBack, others: others, of: record, against: baseline)
    }
}

extension ScenarioCase {
    /// The shortest time before a client counts as hanging.
    private static let shortestWall = Duration.seconds(2)
    /// How many times longer than its clean run a client may run before it counts as hanging.
    private static let wallFactor = 10

    /// The case with time and frames enough for what its clean runs need, and not for a client that comes to no end.
    ///
    /// - Parameter wall: How long the longest clean run took.
    func bounded(by baseline: Baseline, _ wall: Duration) -> ScenarioCase {
        // A person may read it in a scenario.
        let tenths = (wall * Self.wallFactor).wholeNanoseconds / 100_000_000 + 1
        return bounded(
            wall: max(Self.shortestWall, .milliseconds(100 * tenths)), exchanges: baseline.mostExchanges)
    }
}
