import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// What came of fuzzing one case.
struct CaseOutcome {
    let node: Node
    /// How many runs there were, sound cards included.
    let count: Int
    /// The number of runs that were performed and judged.
    var judgedCount = 0
    /// Keys of the causes that were found and not known.
    var newCauses: [String] = []
    /// Whether the client is wrong without any fault.
    var isCleanWrong = false
}

/// One case of a campaign.
extension FuzzVerb {
    /// Clients wait, so many runs are under way at a time.
    private static let largestBatch = 256

    func fuzz(
        _ scenarioCase: ScenarioCase, of scenario: SelectedScenario, _ page: inout CampaignPage
    ) async throws -> CaseOutcome {
        if !isJSON { console.print(heading(scenarioCase, scenario)) }
        let cards = soundCards(beside: scenarioCase)
        var prepared = try await prepare(scenarioCase, cards)
        let runs = choice.runs(of: prepared.phase)
        let named = try choice.namedRuns(beside: prepared.phase)
        if let quiet = prepared.quiet, let runTime = prepared.runTime {
            let time = Duration.milliseconds(100 * Int(runTime / .milliseconds(100)))
            console.printError(
                "note: each run waits \(DurationText.of(time)) by the clock, until the client has done nothing for "
                    + "\(DurationText.of(quiet)); say in a scenario what it prints when it is done with a card: "
                    + "`taps: {count: 1, done: \"thank you\"}`")
        }
        for text in choice.missing(from: VariedCard.all(beside: scenarioCase), prepared.phase) {
            console.printError("note: \(text)")
        }
        if arguments.isGiven("--list") || (runs + named).isEmpty && cards.isEmpty {
            return list(cards, runs + named, scenarioCase, scenario)
        }
        let sound = try await soundResult(of: cards, prepared)
        let warnings = prepared.baseline.warnings + sound.warnings
        if !isJSON { warnings.flatMap { WarningText($0, style: console.style).lines }.forEach(console.print) }
        let again = { @Sendable name in AgainLine.words("fuzz", arguments, scenario, scenarioCase, only: name) }
        let made = try resumed?.made(of: entries(scenarioCase, scenario), prepared.phase, console) ?? .init()
        let folder = FindingFolders(arguments, console, reports, scenario)
        let shown = cards.isEmpty ? runs.first?.name ?? named.first?.name ?? "" : VariedCard.pattern
        // What a client prints of one card is held against what it prints of all.
        let clean = CleanFindings(prepared.findings + sound.findings, known: known, again: again(shown)) {
            [prepared] in folder.keep($0, prepared, again: again(shown))
        }
        prepared.baseline.cleanCauses = Set(clean.causes.map(\.key))
        let (grid, folders, kept) = try await grid(of: runs, named, prepared, scenario, made, again)
        let speed = CampaignSpeed(count: watch.made.count, time: watch.made.time, prepared: prepared)
        if !isJSON {
            let told = "sound cards: \(sound.summary(of: cards.count))"
            tell(grid, prepared, cards.isEmpty ? nil : told, clean, kept, again)
            speed.sentence.map { console.printError("  \($0)") }
        }
        let head =
            entries(scenarioCase, scenario) + [
                ("clean_findings", .list(clean.nodes)), ("sound_cards", .list(cards.map { .text($0.card.name) })),
                ("warnings", .list(warnings.map(\.node))),
            ] + (prepared.baseline.resultStream.map { [("result_stream", .text($0.rawValue))] } ?? [])
        let gridNode = grid.node(again: { again($0.name) }, folders: folders, findings: kept)
        page.add(
            gridNode, of: grid, head: head, exchanges: prepared.baseline.world.trace.exchanges, folders: folders,
            again: AgainLine.around("NAME", again("NAME")))
        try reports.withLock { try $0.add(grid, clean: clean.causes, of: scenarioCase, scenario) }
        let node = Node.map(head + gridNode.entries.map { ($0.key.text, $0.value) } + [("measured", speed.node)])
        return CaseOutcome(
            node: node, count: runs.count + named.count + cards.count,
            // Control cards alone judge a campaign only if no fault is to be injected.
            judgedCount: grid.entries.count + (grid.guided?.runCount ?? 0)
                + (runs.isEmpty && named.isEmpty ? sound.count : 0),
            newCauses: clean.new.map(\.key) + grid.causes.filter { !$0.isKnown }.map(\.key),
            // A client that leaks or misuses a call may read rightly all the same.
            isCleanWrong: clean.new.contains(where: \.isMisreading))
    }

    /// The sound cards to try beside that of the case.
    private func soundCards(beside scenarioCase: ScenarioCase) -> [SoundCard] {
        choice.cards(of: VariedCard.all(beside: scenarioCase)).compactMap { card in
            scenarioCase.with(card).map { SoundCard(card, $0) }
        }
    }

    private func soundResult(
        of cards: [SoundCard], _ prepared: FuzzCampaign.Prepared
    ) async throws -> SoundResult {
        do {
            return try await campaign.soundResult(of: cards, prepared)
        } catch {
            throw VerbError(error)
        }
    }

    func heading(_ scenarioCase: ScenarioCase, _ scenario: SelectedScenario) -> String {
        ScenarioText.heading(
            name: scenarioCase.name(in: scenario.name), seed: scenario.seed, client: CaseRun.clientText(scenarioCase),
            style: console.style)
    }

    private func prepare(
        _ scenarioCase: ScenarioCase, _ cards: [SoundCard]
    ) async throws -> FuzzCampaign.Prepared {
        defer { watch.clear() }
        do {
            let prepared = try await campaign.prepare(scenarioCase, choice.kinds) { phase in
                if arguments.isGiven("--list") { return 0 }
                return watch.budget == nil ? choice.runs(of: phase).count : .max
            }
            guard let first = prepared.failures.first else { return prepared }
            let place = first.source.map { "\($0): " } ?? ""
            throw VerbError(
                .baseline,
                "\(place)the client does not do without any fault what the scenario expects: \(first.text). "
                    + "Fix that first; tapsim run shows the whole run.")
        } catch let error as RunError {
            throw VerbError(error)
        }
    }

    private func grid(
        of runs: [FuzzRun], _ named: [FuzzRun], _ prepared: FuzzCampaign.Prepared, _ scenario: SelectedScenario,
        _ made: ResumedCampaign.Made, _ again: @escaping @Sendable (String) -> [String]
    ) async throws -> (grid: VerdictGrid, folders: [String: String], kept: [String: KeptFinding]) {
        watch.begin(runs.count { made.entries[$0.name] == nil } + named.count, clean: prepared.baseline.cleanCauses)
        let folders = Lock<[String: String]>([:])
        let shortest = ShortestRuns()
        var campaign = campaign
        campaign.made = made.entries
        campaign.isOver = { [watch] in watch.isOver }
        campaign.finished = { [reports, console, watch] run in
            watch.add(run.entry)
            shortest.add(run)
            let name = run.entry.run.name
            let result = CaseResult(run.scenarioCase, run.record, run.entry.verdict, again: again(name))
            let folder = reports.withLock { $0.folder.keep(result, asRun: name, of: scenario, console) }
            if let folder { folders.withLock { $0[name] = folder } }
        }
        defer { watch.clear() }
        do {
            var phase = watch.budget.map { _ in
                GuidedPhase(
                    choice.space(of: prepared.phase), seed: prepared.seed, choice.part,
                    largestBatch: Self.largestBatch)
            }
            var grid = try await campaign.grid(of: runs, prepared, teaching: &phase)
            grid.known = known
            grid.guided = try await campaign.named(named, prepared, adding: made.guided)
            if let earlier = made.guided { phase?.resume(earlier) }
            try await guide(&grid, &phase, campaign, prepared)
            campaign.isOver = { [watch] in watch.isLate }
            campaign.finished = nil
            if grid.hasFindingsOnResults, !watch.isLate { try await campaign.checkLater(prepared) }
            try await campaign.shrink(&grid, prepared)
            let kept = try await FindingFolders(arguments, console, reports, scenario)
                .keep(grid, campaign, prepared, shortest, again)
            return (grid, folders.withLock { $0 }, kept)
        } catch let error as RunError {
            throw VerbError(error)
        }
    }

    /// Goes on from the systematic phase.
    private func guide(
        _ grid: inout VerdictGrid, _ phase: inout GuidedPhase?, _ campaign: FuzzCampaign,
        _ prepared: FuzzCampaign.Prepared
    ) async throws(RunError) {
        guard var guided = phase, let budget = watch.budget, !watch.isOver else { return }
        watch.beginGuided(budget)
        defer { watch.endGuided() }
        var campaign = campaign
        campaign.isOver = { [watch] in watch.isGuidedOver }
        let known = Set(grid.causes.map(\.key)).union(grid.clean)
        grid.guided = try await campaign.guided(
            &guided, prepared, knowing: known, adding: grid.guided ?? GuidedResult())
    }

    private func tell(
        _ grid: VerdictGrid, _ prepared: FuzzCampaign.Prepared, _ sound: String?, _ clean: CleanFindings,
        _ kept: [String: KeptFinding], _ again: (String) -> [String]
    ) {
        let exchanges = prepared.baseline.world.trace.exchanges
        let code = prepared.edgeCount > 0 ? ", \(CountText.of(prepared.edgeCount, "edge")) of its code" : ""
        let place = prepared.baseline.resultStream?.place.map { " \($0)" } ?? ""
        console.print(
            "  clean: \(CountText.of(exchanges.count, "exchange")), the same result\(place) in three runs\(code)")
        if let sound { console.print("  \(sound)") }
        clean.lines(beside: grid, console.style).forEach(console.print)
        console.print("")
        guard grid.plannedCount > 0 || grid.guided != nil else { return }
        let text = GridText(grid, exchanges: exchanges, stoppedBy: watch.stop?.words, style: console.style)
        for line in text.lines(again: { again($0.name) }, findings: kept) { console.print(line) }
    }

    private func list(
        _ cards: [SoundCard], _ runs: [FuzzRun], _ scenarioCase: ScenarioCase, _ scenario: SelectedScenario
    ) -> CaseOutcome {
        if !isJSON {
            if runs.isEmpty, cards.isEmpty { console.print("  \(choice.noRunText)") }
            for card in cards { console.print("  \(card.card.name)  a card with \(card.card.summary)") }
            for run in runs { console.print("  \(run.name)  \(run.place.word) \(run.place.nth)") }
            console.print("  \(CountText.of(runs.count, "run"))")
        }
        let known =
            entries(scenarioCase, scenario) + [
                ("sound_cards", .list(cards.map { .text($0.card.name) })), ("runs", .list(runs.map(\.node))),
            ]
        return CaseOutcome(node: .map(known), count: runs.count + cards.count)
    }

    private func entries(
        _ scenarioCase: ScenarioCase, _ scenario: SelectedScenario
    ) -> [(key: String, value: Node)] {
        let client = CaseRun.clientText(scenarioCase)
        return [
            ("scenario", .text(scenario.name)), ("file", .text(scenario.file)), ("client", .text(client)),
            ("seed", .number(scenario.seed)),
        ]
            + (scenarioCase.name.map { [("case", .text($0))] } ?? [])
    }
}

extension VerdictGrid.Entry {
    /// The finding as a failure of its run.
    var verdict: Verdict {
        guard let finding else { return Verdict([]) }
        return Verdict([
            Failure(
                path: "fuzz  \(run.name)", expected: "the right result or a clear error",
                got: "\(finding.outcome.rawValue): \(finding.reason)", nearest: finding.exchange)
        ])
    }
}
