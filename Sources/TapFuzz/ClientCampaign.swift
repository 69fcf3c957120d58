import TapDocument
import TapField
import TapJudge
import TapReading
import TapScenario
import TapWire

/// A campaign on a client that runs in this process: clean runs, every fault once at every exchange, and then, if asked for,
/// what these have shown to be worth a try.
public struct ClientCampaign: Sendable {
    /// Lets the client read the cards of a case.
    public typealias Run = @Sendable (ScenarioCase) async throws -> RunRecord

    public let baseline: Baseline
    public let phase: SystematicPhase
    public let selection: RunSelection
    /// What the client gets wrong without any fault, on its card or on other sound ones.
    public let cleanFindings: [CleanCause.Found]
    /// What it does there that may be meant.
    public let warnings: [Warning]
    private let clean: ScenarioCase
    /// How many other sound cards the client was tried on.
    private let cardCount: Int
    /// The one on which it did not end.
    private let endlessCard: String?
    private let run: Run

    /// Makes the clean runs and lays out the phase.
    ///
    /// - Parameters:
    ///   - scenarioCase: The cards, and what else every run begins with; its own faults are left out.
    ///   - client: What can happen to it.
    /// - Throws: ``FuzzError`` if the clean runs say nothing about the client, and what `run` throws.
    public init(
        _ scenarioCase: ScenarioCase, _ selection: RunSelection = .all, for client: ClientKind, _ run: @escaping Run
    ) async throws {
        RunNote.take()
        defer { RunNote.giveBack() }
        RunNote.set(nil)
        let clean = scenarioCase.disturbed(by: FaultPlan(keepsCalls: true)).byVirtualClock
        let records = try await Baseline.records(of: scenarioCase) { try await run(clean) }
        var baseline: Baseline
        do throws(BaselineError) {
            baseline = try Baseline(records, of: scenarioCase)
        } catch {
            throw FuzzError(error)
        }
        let bare = clean.withoutReaders
        phase = SystematicPhase(of: baseline.world, selection.kinds) { run in
            bare.disturbed(by: run.plan).obstacle(to: client) == nil
        }
        try await baseline.tryOtherFields(of: phase.runs.lazy.map(\.fault), in: clean, run)
        let cards = VariedCard.all(beside: clean).filter { selection.admits($0.name) }
        let sound = try await Self.soundFindings(on: cards, beside: clean, baseline, run)
        (cardCount, endlessCard) = (sound.count, sound.endless)
        cleanFindings =
            baseline.findings.map { CleanCause.Found($0, on: nil) } + (sound.found?.items.map(\.found) ?? [])
        warnings = baseline.warnings + (sound.found?.warnings ?? [])
        baseline.cleanCauses = Set(cleanFindings.map(\.key))
        self.baseline = baseline
        self.selection = selection
        self.clean = clean
        self.run = run
    }

    public var seed: UInt64 { clean.seed }

    /// Lets the client read other sound cards, up to one on which it does not end, and holds what it returns against what is
    /// on them.
    private static func soundFindings(
        on cards: [VariedCard], beside clean: ScenarioCase, _ baseline: Baseline, _ run: Run
    ) async throws -> (found: SoundCardFindings?, count: Int, endless: String?) {
        guard !cards.isEmpty, let reference = await CardReading(clean.makeWorld(), of: clean).only else {
            return (nil, 0, nil)
        }
        var readings: [(card: VariedCard, reading: Result<SoundReading, CleanFailure>)] = []
        var endless: String?
        for card in cards where endless == nil {
            guard let sound = clean.with(card)?.bounded(wall: clean.limits.wall, exchanges: baseline.mostExchanges)
            else { continue }
            let content = await CardReading(sound.makeWorld(), of: sound).only ?? .null
            RunNote.set(card.name)
            let record = try await run(sound)
            if record.client.end.isIdle { endless = card.name }
            readings.append((card, baseline.reading(of: record, on: card, reference: content)))
        }
        let found = SoundCardFindings(beside: baseline, reference: reference, readings)
        return (found, readings.count, endless)
    }

    /// What can be combined, for a fuzzer of bytes.
    public var space: FuzzSpace { FuzzSpace(selection.runs(of: phase)) }

    /// Makes a run and judges it.
    public func judged(_ run: FuzzRun) async throws -> (entry: VerdictGrid.Entry, record: RunRecord) {
        RunNote.set(run.name)
        let bounded = clean.disturbed(by: run.plan).bounded(
            wall: clean.limits.wall, exchanges: baseline.mostExchanges)
        let record = try await self.run(bounded)
        return (VerdictGrid.Entry(run, record, baseline.findings(of: record), against: baseline), record)
    }

    /// Makes all runs of the selection, then some guided ones.
    ///
    /// - Parameters:
    ///   - guidedRuns: How many runs of several faults at most, led by what earlier ones have taught.
    ///   - known: Causes that do not count.
    /// - Throws: ``FuzzError`` if the selection names no run of this client, and what making a run throws.
    public func report(guidedRuns: Int = 0, known: KnownCauses = []) async throws -> FuzzReport {
        let named = try namedRuns()
        RunNote.take()
        defer { RunNote.giveBack() }
        var progress = Progress(endless: endlessCard)
        var guided = guidedRuns > 0 ? GuidedPhase(space, seed: seed, "\(Shard.whole)") : nil
        let runs = selection.runs(of: phase)
        let made = try await results(of: runs, &progress, withSteps: guided != nil)
        for result in made { guided?.learn(result.entry.run, result.steps) }
        let finished = Set(made.map(\.entry.run))
        var grid = VerdictGrid(
            places: phase.places, entries: made.map(\.entry), notRun: runs.filter { !finished.contains($0) },
            untried: phase.untried, clean: baseline.cleanCauses)
        grid.known = known
        if !named.isEmpty {
            var result = GuidedResult()
            for made in try await results(of: named, &progress, withSteps: false) { result.add(made.entry) }
            grid.guided = result
        }
        if var phase = guided { try await guide(&grid, &phase, guidedRuns, &progress) }
        return FuzzReport(
            grid, cleanFindings, warnings, seed: seed, isGuided: guidedRuns > 0,
            runCount: progress.runCount + cardCount, endedAt: progress.endless)
    }

    /// Tells of the run that is under way on standard error when the process ends, until its end; a campaign of
    /// ``report(guidedRuns:)`` does it by itself.
    public static func tellOfRuns() { RunNote.take() }

    private func namedRuns() throws(FuzzError) -> [FuzzRun] {
        var named: [FuzzRun] = []
        for name in selection.names(beside: phase) {
            do throws(FuzzRunNameError) {
                named.append(try FuzzRun(named: name, among: phase.places))
            } catch {
                throw FuzzError(name, error)
            }
        }
        let hasRuns = !named.isEmpty || cardCount > 0 || !selection.runs(of: phase).isEmpty
        guard hasRuns, !phase.places.isEmpty else { throw FuzzError(noRunOf: selection, phase) }
        return named
    }

    /// What came of a campaign so far.
    private struct Progress {
        var runCount = 0
        /// The run, or the sound card, with which the client did not end; it may hold its thread for ever.
        var endless: String?
        var isOver: Bool { endless != nil }
    }

    private func made(_ run: FuzzRun, _ progress: inout Progress) async throws -> (
        entry: VerdictGrid.Entry, record: RunRecord
    ) {
        let made = try await judged(run)
        progress.runCount += 1
        if made.record.client.end.isIdle { progress.endless = run.name }
        return made
    }

    private func results(
        of runs: [FuzzRun], _ progress: inout Progress, withSteps: Bool
    ) async throws -> [(entry: VerdictGrid.Entry, steps: Set<Transition>)] {
        var results: [(entry: VerdictGrid.Entry, steps: Set<Transition>)] = []
        for run in runs where !progress.isOver {
            let (entry, record) = try await made(run, &progress)
            results.append((entry, withSteps ? record.transitions(to: entry.outcome) : []))
        }
        return results
    }

    private func guide(
        _ grid: inout VerdictGrid, _ phase: inout GuidedPhase, _ mostRuns: Int, _ progress: inout Progress
    ) async throws {
        // A closure captures no inout parameter.
        var state = progress
        defer { progress = state }
        grid.guided = try await phase.results(
            knowing: Set(grid.causes.map(\.key)), adding: grid.guided ?? GuidedResult(),
            atMost: mostRuns, until: { state.isOver }
        ) { runs, _ in try await results(of: runs, &state, withSteps: true) }
        for entry in grid.unshrunk where !state.isOver {
            let simpler = try await Shrinking.simplest(of: entry, among: self.phase.places, until: { state.isOver }) {
                try await made($0, &state).entry
            }
            if simpler.run != entry.run { grid.guided?.add(simpler: simpler) }
        }
    }
}

extension ClientReport.End {
    fileprivate var isIdle: Bool { if case .idleLimit = self { true } else { false } }
}
