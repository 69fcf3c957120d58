import TapField
import TapJudge
import TapReading
import TapScenario

/// A campaign on one case: baseline runs, control cards, every fault once at every exchange, and then, on request,
/// combinations that these runs suggest.
///
/// Creating a campaign performs its baseline runs; ``report(resuming:within:reportingTo:)`` performs the rest.
public struct Campaign: Sendable {
    /// The runs that a campaign performs.
    public struct Settings: Sendable {
        public var selection: RunSelection
        /// Causes that do not count.
        public var known: KnownCauses
        /// The budget of the phase with several faults per run; `nil` to skip the phase.
        public var guided: GuidedBudget?
        /// The maximum number of runs per batch of the guided phase.
        public var largestBatch = 32
        public var jobs = Jobs.one
        /// A Boolean value that indicates whether to repeat the run of each new cause in the simplest case that shows it.
        public var showsCauses = false

        public init(_ selection: RunSelection = .all, known: KnownCauses = [], guided: GuidedBudget? = nil) {
            self.selection = selection
            self.known = known
            self.guided = guided
        }
    }

    public var baseline: Baseline
    public let phase: SystematicPhase
    /// The expectations of the case that the baseline run does not meet; if there are any, it is unknown whether the client is
    /// right elsewhere.
    public let failures: [Failure]
    /// The number of control-flow edges that the client takes in a baseline run; 0 if it does not count them.
    public let edgeCount: Int
    public let settings: Settings
    let clean: ScenarioCase
    let runner: any Runner
    /// The contents of the cards before and after a baseline run, as the reference client reads them.
    let before: CardReading
    let after: CardReading
    let judging = Judging()
    /// The runner that performs each run first; its findings count only once the other runner confirms them.
    var quick: Result<QuickRunner, NoQuickRunner> = .failure(NoQuickRunner("it was not asked for"))

    /// Performs the baseline runs of a case and plans the others.
    ///
    /// - Parameters:
    ///   - scenarioCase: The cards and the initial state of every run; the case's own faults are ignored.
    ///   - settings: The runs to perform, and the known causes.
    ///   - kinds: The faults to plan with. Default: the faults of the selection.
    ///   - runner: The runner that performs each run.
    ///   - emit: A closure called before each baseline run.
    /// - Throws: `BaselineError` if the baseline runs say nothing about the client, and the errors of the runner.
    public init(
        _ scenarioCase: ScenarioCase, _ settings: Settings = Settings(), faults kinds: [FaultKind]? = nil,
        on runner: any Runner, reportingTo emit: (CampaignEvent) -> Void = { _ in }
    ) async throws {
        var clean = scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        var number = 0
        let records = try await Baseline.records(of: scenarioCase) {
            number += 1
            emit(.baselineRun(number))
            return try await runner.record(of: CampaignRun(clean, countsEdges: true))
        }
        before = await CardReading(clean.makeWorld(), of: clean)
        var baseline = try Baseline(records, of: scenarioCase, reference: before.all)
        for record in records {
            if let error = BaselineError.missesEveryTransport(record, of: clean) { throw error }
        }
        // If a case has faults of its own, its expectations apply to runs with these faults.
        failures = scenarioCase.isDisturbed ? [] : Judge.judge(scenarioCase, records[0]).failures
        if let transport = records[0].transportUsed.flatMap(ReaderSpec.Transport.init), transport != .pcsc {
            // The possible faults depend on the transport, also in the scenario of a finding.
            clean = clean.changingReaders { $0.transport = $0.transport ?? transport }
        }
        let (planned, client) = (clean, runner.client)
        phase = SystematicPhase(of: baseline.world, kinds ?? settings.selection.kinds) { run in
            planned.disturbed(by: run.plan).obstacle(to: client) == nil
        }
        try await baseline.tryOtherFields(
            of: phase.runs.lazy.map(\.fault), in: clean.bounded(by: baseline)
        ) { try await runner.record(of: CampaignRun($0)) }
        after = await CardReading(baseline.world, of: clean)
        edgeCount = records[0].edges.count
        (self.baseline, self.clean, self.runner, self.settings) = (baseline, clean, runner, settings)
    }

    public var seed: UInt64 { clean.seed }
    /// The time that a newly started client takes for a baseline run; `nil` for a client in this process.
    public var runTime: Duration? { baseline.runTime }

    /// The time without activity after which a run of the client ends; `nil` for a client that exits by itself or reports when
    /// it is done.
    public var quiet: Duration? {
        guard case .dismissed = baseline.record.client.end, clean.visits?.done == nil else { return nil }
        return clean.visits?.quiet ?? VisitPlan.defaultQuiet
    }

    public var runs: [FuzzRun] { settings.selection.runs(of: phase) }
    /// The runs requested by name that are not in that phase, and the names that match no run.
    public var named: (runs: [FuzzRun], problems: [(name: String, error: FuzzRunNameError)]) {
        settings.selection.named(alongside: phase)
    }
    /// The control cards: a covering set or, with a budget, all.
    public var cards: [VariedCard] { settings.selection.cards(for: clean, all: settings.guided != nil) }
    /// A Boolean value that indicates whether there is anything to run, in this shard or another one.
    package var hasRunsInAnyShard: Bool {
        let whole = settings.selection.whole
        return !whole.runs(of: phase).isEmpty || !whole.named(alongside: phase).runs.isEmpty
            || !whole.cards(for: clean, all: settings.guided != nil).isEmpty
    }
    /// The faults and places that a run can combine, also for a byte fuzzer.
    public var space: FuzzSpace { FuzzSpace(settings.selection.allRuns(of: phase)) }

    func bounded(_ scenarioCase: ScenarioCase) -> ScenarioCase { scenarioCase.bounded(by: baseline) }
}

extension Campaign {
    public struct Earlier: Sendable {
        public let entries: [String: VerdictGrid.Entry]
        public let guided: GuidedResult?

        public init(_ entries: [String: VerdictGrid.Entry] = [:], guided: GuidedResult? = nil) {
            self.entries = entries
            self.guided = guided
        }
    }

    /// Performs the campaign.
    ///
    /// - Parameters:
    ///   - earlier: Runs that need not be performed again.
    ///   - limits: The limits that end the campaign early.
    ///   - emit: A closure that receives the events one at a time.
    /// - Throws: `BaselineError` if the client later behaves differently, so that its baseline is not valid, and the errors of
    ///   the runner.
    public func report(
        resuming earlier: Earlier = Earlier(), within limits: inout CampaignLimits,
        reportingTo emit: @escaping (CampaignEvent) -> Void = { _ in }
    ) async throws -> FuzzReport {
        var course = CampaignCourse(self, earlier, limits, emit)
        defer { limits = course.limits }
        try await course.readControlCards()
        await course.startClientOnce()
        try await course.tryEachFault()
        try await course.tryNamedRuns()
        try await course.tryCombinations()
        try await course.checkClientLater()
        try await course.simplifyRuns()
        try await course.showCauses()
        return course.report
    }
}
