import TapJudge

/// A campaign in progress: its phases and their results so far.
struct CampaignCourse {
    /// The minimum number of runs for which preparing a client for copying pays off.
    private static let fewestCopies = 10
    /// The maximum number of causes to show, in total and in parallel: each needs the traces of several runs.
    private static let (mostShown, shownAtOnce) = (50, 8)

    private(set) var campaign: Campaign
    private(set) var limits: CampaignLimits
    private let earlier: Campaign.Earlier
    private let emit: (CampaignEvent) -> Void
    private let runs: [FuzzRun]
    private let named: [FuzzRun]
    private var control = ControlCardResult()
    private var grid: VerdictGrid
    /// The guide that learns from runs with single faults and plans runs with several.
    private var guide: GuidedPhase?
    private var guidedEnd: ContinuousClock.Instant?
    private var runCount = 0
    /// The performed run that shows each cause best.
    private var shortest: [String: JudgedRun] = [:]

    init(
        _ campaign: Campaign, _ earlier: Campaign.Earlier, _ limits: CampaignLimits,
        _ emit: @escaping (CampaignEvent) -> Void
    ) {
        (self.campaign, self.earlier, self.limits, self.emit) = (campaign, earlier, limits, emit)
        (runs, named) = (campaign.runs, campaign.named.runs)
        grid = VerdictGrid(places: campaign.phase.places, entries: [])
        guard settings.guided != nil else { return }
        guide = GuidedPhase(
            campaign.space, seed: campaign.seed, "\(settings.selection.shard)", largestBatch: settings.largestBatch)
    }

    private var settings: Campaign.Settings { campaign.settings }

    var report: FuzzReport {
        FuzzReport(grid, control, campaign, runCount: runCount + control.count, endless: limits.endless)
    }

    // MARK: Phases, in their order

    /// Runs the client on control cards; its mistakes there need no fault.
    mutating func readControlCards() async throws {
        control = try await campaign.controlCardResult(within: &limits)
        campaign.baseline.faultlessCauses = Set(control.findings.map(\.found.key))
        emit(.controlCards(control))
    }

    /// Starts one client for all runs, if there are enough runs and a copy behaves like a newly started client.
    mutating func startClientOnce() async {
        let hasMany = settings.guided != nil || runs.count >= Self.fewestCopies
        do throws(NoQuickRunner) {
            guard hasMany else { throw NoQuickRunner("there are fewer than \(Self.fewestCopies) runs") }
            campaign.quick = .success(try await campaign.quickRunner())
        } catch {
            campaign.quick = .failure(error)
        }
    }

    /// Tries every fault once at every place, in an order that tries all kinds early.
    mutating func tryEachFault() async throws {
        emit(.faults(planned: runs.count { earlier.entries[$0.name] == nil } + named.count))
        let results = try await results(of: runs)
        for (entry, steps) in results { guide?.learn(entry.run, steps) }
        let performed = Set(results.map(\.entry.run))
        grid = VerdictGrid(
            places: campaign.phase.places, entries: results.map(\.entry),
            notRun: runs.filter { !performed.contains($0) },
            untried: campaign.phase.untried, clean: campaign.baseline.faultlessCauses)
        grid.known = settings.known
    }

    /// Performs the runs requested by name, except for those with a finding in an earlier campaign.
    mutating func tryNamedRuns() async throws {
        let found = Set(earlier.guided?.findings.map(\.run.name) ?? [])
        let new = named.filter { !found.contains($0.name) }
        grid.guided = earlier.guided
        guard !new.isEmpty else { return }
        var result = grid.guided ?? GuidedResult()
        for (entry, _) in try await results(of: new) { result.add(entry) }
        grid.guided = result
    }

    /// Performs runs with several faults until the budget is used up or nothing new is left to try.
    mutating func tryCombinations() async throws {
        guard var guide, let budget = settings.guided, !limits.isOver() else { return }
        var most = Int.max
        switch budget {
        case .runs(let count): most = count
        case .time(let time): guidedEnd = .now + time
        }
        emit(.guided(until: guidedEnd))
        defer { emit(.guidedEnd) }
        if let earlier = earlier.guided { guide.resume(earlier) }
        let known = Set(grid.causes.flatMap { $0.entries.compactMap(\.cause) })
        grid.guided = try await guide.results(
            knowing: known.union(grid.clean), adding: grid.guided ?? GuidedResult(),
            atMost: most, until: { isOver() }
        ) { runs, known in try await results(of: runs, knowing: known).map { ($0.entry, $0.steps ?? []) } }
    }

    /// Performs a baseline run after some time has passed, if a finding depends on its result.
    mutating func checkClientLater() async throws {
        guard grid.hasFindingsOnResults, !limits.isLate else { return }
        do {
            try campaign.baseline.check(
                later: try await campaign.runner.record(of: CampaignRun(campaign.bounded(campaign.clean))))
        } catch is RunAbandoned {}
    }

    /// Adds the simplest runs of the causes that only the guided phase has found, or shows best.
    mutating func simplifyRuns() async throws {
        let entries = grid.unshrunk
        let (campaign, limits) = (campaign, limits)
        let simpler = try await settings.jobs.results(of: entries.count, while: { !self.limits.isLate }) { index in
            try await campaign.simplest(of: entries[index], within: limits)
        }
        for (entry, simpler) in zip(entries, simpler) {
            if simpler.entry.run != entry.run { grid.guided?.add(simpler: simpler.entry) }
            if let endless = simpler.endless { self.limits.end(with: endless) }
        }
    }

    /// Repeats the shortest run of each new cause, simplified as far as possible; if the campaign is over by then, shows the
    /// run that revealed the cause.
    mutating func showCauses() async throws {
        guard settings.showsCauses else { return }
        let causes = Array(grid.causes.filter { !$0.isKnown }.prefix(Self.mostShown))
        for start in stride(from: 0, to: causes.count, by: Self.shownAtOnce) {
            let causes = Array(causes[start..<min(start + Self.shownAtOnce, causes.count)])
            let (campaign, limits) = (campaign, limits)
            let shown = try await settings.jobs.results(of: causes.count) { index in
                limits.isLate ? nil : try await campaign.shown(causes[index].shortest, within: limits)
            }
            for (cause, shown) in zip(causes, shown) {
                let first = shortest[cause.key].map { ShownFinding(campaign: campaign, run: $0, isSame: true) }
                if let shown = shown ?? first { emit(.shown(cause, shown)) }
            }
        }
    }

    // MARK: Runs

    private mutating func isOver() -> Bool { limits.isOver() || guidedEnd.map { ContinuousClock.now >= $0 } ?? false }

    /// Returns the outcomes of runs in order, without steps for runs of an earlier campaign, and without runs that had not
    /// ended when the campaign was over.
    ///
    /// - Parameter known: Causes whose findings need no confirmation.
    private mutating func results(
        of runs: [FuzzRun], knowing known: Set<String> = []
    ) async throws -> [(entry: VerdictGrid.Entry, steps: Set<Transition>?)] {
        var results: [(entry: VerdictGrid.Entry, steps: Set<Transition>?)?] = runs.map { run in
            earlier.entries[run.name].map { ($0, nil) }
        }
        let open = SystematicPhase.order(of: runs).filter { results[$0] == nil }
        let campaign = campaign
        try await settings.jobs.perform(open.count, while: { !isOver() }) { index in
            try await campaign.unlessAbandoned { try await campaign.judged(runs[open[index]], knowing: known) }
        } taking: { index, run in
            guard let run else { return }
            results[open[index]] = (run.entry, run.steps)
            take(run)
        }
        return results.compactMap(\.self)
    }

    private mutating func take(_ run: JudgedRun) {
        runCount += 1
        if run.record.isEndless { limits.end(with: run.entry.run.name) }
        var isNew = false
        if let cause = run.entry.cause {
            let counts = !settings.known.contains(cause) && !campaign.baseline.faultlessCauses.contains(cause)
            isNew = counts && limits.add(cause: cause)
            let isShortest = shortest[cause].map { run.entry.run.isShorter(than: $0.entry.run) } ?? true
            if settings.showsCauses, isShortest { shortest[cause] = run }
        }
        emit(.judged(run, isNew: isNew))
    }
}
