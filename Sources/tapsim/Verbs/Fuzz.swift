import TapDocument
import TapDoors
import TapField
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

extension Verb {
    static let fuzz = Verb(
        name: "fuzz",
        usages: ["FILE|FOLDER… [-- CLIENT ARG…]", "--card NAME[:KEY=VALUE,…] [-- CLIENT ARG…]"],
        summary: "Inject every fault at every exchange of a client, and judge what it does.",
        details: """
            Three clean runs show what is correct; they have to meet what the scenario expects. A card named by --card is
            varied: histories of other lengths, long records, other languages, TLV blocks before the message. A client
            that misreads one of these sound cards, or a clean run that fails, gives exit code 5. Then every fault of the
            catalogue (tapsim list faults) is injected once at every exchange of the clean run that it fits, each in a run
            of its own. A client may be correct or report a
            clear error; a crash, a hang, a wrong or incomplete result, a leak or harm to a card is a finding, and the
            exit code is 1. Nothing is drawn by chance, and card time is virtual unless the scenario states a clock: the
            same client gives the same grid. Faults that fit nothing here are named at the end. Findings are shown by
            cause: the verdict, what the client did, and where in its code if it says so; each with the shortest run that
            shows it. Where there are findings, a page with the grid and the pages of up to 200 of them are kept in
            .tapsim/runs.

            In CI, --known FILE lists causes that are no news, and the exit code is 1 for new ones only. The first
            Ctrl-C ends a campaign early and shows what was found so far; the second ends it at once.
            """,
        options: ReaderArguments.options + [
            .value("--card", "CARD", isRepeatable: true, "A card instead of a file: suica:balance=3120,trips=20"),
            .value(
                "--only", "PATTERN", isRepeatable: true,
                "Only these faults: 'ntag.*', one run: rf.silence@7, or sound cards: 'card.*'"),
            .value("--except", "PATTERN", isRepeatable: true, "Not these faults, runs or cards, as for --only."),
            .value("--shard", "I/N", "Only one of N equal parts, so that machines share the work."),
            .value("--jobs", "N", "How many runs are under way at a time; without it one for each processor."),
            .value("--case", "N|NAME", isRepeatable: true, "Only this case."),
            .value("--tag", "TAG", isRepeatable: true, "Only scenarios and cases with one of these tags."),
            ScenarioArguments.parameter,
            .value("--seed", "N", "The seed of everything drawn by chance, in place of the scenario's."),
            TimeLimit.option,
            .value("--known", "FILE", "A file with a cause in each line; these are told and are no findings."),
            .flag("--update-known", "Add to that file what was found."),
            .flag("--list", "Make the clean runs, and list the runs that would follow."),
            .flag("--json", "Print one JSON document instead of text."),
            ResumedCampaign.option,
        ] + CampaignWatch.options + CIReports.options + ClientPermission.options,
        takesClient: true,
        run: { arguments, console in try await FuzzVerb(arguments, console).run() })
}

private struct FuzzVerb {
    private let arguments: Arguments
    private let console: Console
    private let choice: FuzzChoice
    private let known: KnownCauses
    private let watch: CampaignWatch
    private let resumed: ResumedCampaign?
    private let isJSON: Bool
    private let jobs: Int
    /// Runs are kept as they end, on several threads.
    private let reports: Lock<CIReports>

    init(_ arguments: Arguments, _ console: Console) throws {
        self.arguments = arguments
        self.console = console
        reports = Lock(try CIReports(arguments, console))
        choice = try FuzzChoice(arguments)
        known = try KnownCauses(arguments)
        resumed = try ResumedCampaign(arguments)
        watch = try CampaignWatch(arguments, known: known.keys, console)
        isJSON = arguments.isGiven("--json")
        jobs = try arguments.number("--jobs") ?? Processors.count
        guard (1...Processors.maximumJobs).contains(jobs) else {
            throw UsageError("`--jobs` needs a number from 1 to \(Processors.maximumJobs)")
        }
    }

    func run() async throws -> ExitCode {
        let selection = try CaseSelection(arguments, scenarios: try SelectedFiles.scenarios(arguments, console))
        let permission = try ClientPermission(arguments)
        try permission.check(selection.cases)
        permission.announce(selection.cases, console)
        var cases: [Node] = []
        var page = CampaignPage(tapsim: TapSimCommand.version)
        var (hasFindings, isCleanWrong, runCount) = (false, false, 0)
        var causes: [String] = []
        for scenario in selection.scenarios {
            for scenarioCase in scenario.cases where !watch.isOver {
                guard !scenarioCase.isSkipped || !arguments.values("--case").isEmpty else {
                    try reports.withLock { try $0.addSkipped(scenarioCase, of: scenario) }
                    if !isJSON { console.print("\(heading(scenarioCase, scenario))\n  skipped") }
                    continue
                }
                let result = try await fuzz(scenarioCase, of: scenario, &page)
                cases.append(result.node)
                hasFindings = hasFindings || result.hasFindings
                isCleanWrong = isCleanWrong || result.isCleanWrong
                runCount += result.count
                causes += result.causes
            }
        }
        guard runCount > 0 || arguments.isGiven("--shard") || watch.stop != nil else {
            throw UsageError("nothing is left to run: no fault asked for fits these cases")
        }
        let document: Node = .map([
            "tapsim": .text(TapSimCommand.version), "cases": .list(cases),
            "stopped": watch.stop.map { .text($0.rawValue) },
        ])
        try known.update(with: causes)
        try keep(page, document, hasFindings)
        if isJSON { console.print(json: document) }
        if isCleanWrong { return .baseline }
        if hasFindings { return .failed }
        return watch.stop == .interrupt ? .interrupted : .passed
    }

    private struct CaseOutcome {
        let node: Node
        /// How many runs there were, sound cards included.
        let count: Int
        /// Keys of the causes that were found.
        var causes: [String] = []
        var hasFindings = false
        /// Whether the client is wrong without any fault.
        var isCleanWrong = false
    }

    /// Keeps the page of the campaign, and says where.
    private func keep(_ page: CampaignPage, _ document: Node, _ hasFindings: Bool) throws {
        guard !arguments.isGiven("--list") else { return }
        let kept = reports.withLock {
            $0.folder.keepCampaign(page.html, document, hasFindings: hasFindings || watch.stop != nil, console)
        }
        if let stop = watch.stop, !isJSON {
            let next = kept.map { "; go on with --resume \($0.document)" } ?? ""
            console.print("stopped by \(stop.words), and not all runs were made\(next)")
        }
        if let kept, !isJSON { console.print("page    \(kept.page)") }
        try reports.withLock { try $0.end() }
    }

    private func fuzz(
        _ scenarioCase: ScenarioCase, of scenario: SelectedScenario, _ page: inout CampaignPage
    ) async throws -> CaseOutcome {
        if !isJSON { console.print(heading(scenarioCase, scenario)) }
        let prepared = try await prepare(scenarioCase)
        let cards = try soundCards(beside: scenarioCase)
        if arguments.isGiven("--list") { return list(cards, choice.runs(of: prepared.phase), scenarioCase, scenario) }
        let sound = try await soundResult(of: cards, prepared)
        let warnings = prepared.baseline.warnings + sound.warnings
        if !isJSON { warnings.flatMap { WarningText($0, style: console.style).lines }.forEach(console.print) }
        let runs = choice.runs(of: prepared.phase)
        if runs.isEmpty, cards.isEmpty { return list([], [], scenarioCase, scenario) }
        let again = { @Sendable (name: String) in AgainLine.words("fuzz", arguments, scenario, scenarioCase, only: name)
        }
        let made = try resumed?.entries(of: entries(scenarioCase, scenario), prepared.phase) ?? [:]
        let (grid, folders) = try await grid(of: runs, prepared, scenario, made, again)
        if !isJSON { tell(grid, prepared, cards, sound, again) }
        let findings =
            prepared.baseline.findings.map(\.node) + sound.findings.map { $0.finding.node(card: $0.card) }
        let head =
            entries(scenarioCase, scenario) + [
                ("clean_findings", .list(findings)), ("sound_cards", .list(cards.map { .text($0.card.name) })),
                ("warnings", .list(warnings.map(\.node))),
            ]
        let gridNode = grid.node(again: { again($0.name) }, folders: folders)
        page.add(
            gridNode, of: grid, head: head, exchanges: prepared.baseline.world.trace.exchanges, folders: folders,
            again: AgainLine.around("NAME", again("NAME")))
        let clean = prepared.baseline.findings + sound.findings.map(\.finding)
        try reports.withLock { try $0.add(grid, clean: clean, of: scenarioCase, scenario) }
        let node = Node.map(head + gridNode.entries.map { ($0.key.text, $0.value) })
        // A client that leaks or misuses a call may read rightly all the same.
        let isMisread = prepared.baseline.findings.contains { [.wrongResult, .silentLoss].contains($0.outcome) }
        return CaseOutcome(
            node: node, count: runs.count + cards.count, causes: grid.causes.map(\.key),
            hasFindings: !grid.causes.allSatisfy(\.isKnown) || !clean.isEmpty,
            isCleanWrong: isMisread || !sound.findings.isEmpty)
    }

    /// The sound cards to try beside the one that the user has named.
    private func soundCards(beside scenarioCase: ScenarioCase) throws -> [SoundCard] {
        let texts = arguments.values("--card")
        guard texts.count == 1 else { return [] }
        return try choice.cards(of: VariedCard.all(beside: scenarioCase)).compactMap { card in
            let scenario = try CardArguments.scenario(texts, seed: scenarioCase.seed, varied: card, console: console)
            let cases = try CaseSelection(arguments, scenarios: scenario.map { [$0] } ?? []).cases
            return cases.first.map { SoundCard(card, $0) }
        }
    }

    private func soundResult(
        of cards: [SoundCard], _ prepared: SystematicFuzz.Prepared
    ) async throws -> SoundResult {
        do {
            return try await SystematicFuzz(jobs: jobs).soundResult(of: cards, prepared)
        } catch {
            throw VerbError(error)
        }
    }

    private func heading(_ scenarioCase: ScenarioCase, _ scenario: SelectedScenario) -> String {
        ScenarioText.heading(
            name: scenarioCase.name(in: scenario.name), seed: scenario.seed, client: CaseRun.clientText(scenarioCase),
            style: console.style)
    }

    private func prepare(_ scenarioCase: ScenarioCase) async throws -> SystematicFuzz.Prepared {
        do {
            let prepared = try await SystematicFuzz(jobs: jobs).prepare(scenarioCase, choice.kinds)
            guard let first = prepared.failures.first else { return prepared }
            let place = first.source.map { "\($0): " } ?? ""
            throw VerbError(
                .baseline,
                "\(place)the client does not do without any fault what the scenario expects: \(first.text). "
                    + "Mend that first; tapsim run shows the whole run.")
        } catch let error as RunError {
            throw VerbError(error)
        }
    }

    private func grid(
        of runs: [SystematicPhase.Run], _ prepared: SystematicFuzz.Prepared, _ scenario: SelectedScenario,
        _ made: [String: VerdictGrid.Entry], _ again: @escaping @Sendable (String) -> [String]
    ) async throws -> (grid: VerdictGrid, folders: [String: String]) {
        watch.begin(runs.count { made[$0.name] == nil })
        let folders = Lock<[String: String]>([:])
        var campaign = SystematicFuzz(jobs: jobs)
        campaign.made = made
        campaign.isOver = { [watch] in watch.isOver }
        campaign.finished = { [reports, console, watch] run in
            watch.add(run.entry)
            let name = run.entry.run.name
            let result = CaseResult(run.scenarioCase, run.record, run.entry.verdict, again: again(name))
            let folder = reports.withLock { $0.folder.keep(result, asRun: name, of: scenario, console) }
            if let folder { folders.withLock { $0[name] = folder } }
        }
        defer { watch.clear() }
        do {
            var grid = try await campaign.grid(of: runs, prepared)
            grid.known = known.keys
            return (grid, folders.withLock { $0 })
        } catch {
            throw VerbError(error)
        }
    }

    private func tell(
        _ grid: VerdictGrid, _ prepared: SystematicFuzz.Prepared, _ cards: [SoundCard], _ sound: SoundResult,
        _ again: (String) -> [String]
    ) {
        let exchanges = prepared.baseline.world.trace.exchanges
        console.print("  clean: \(CountText.of(exchanges.count, "exchange")), the same result in three runs")
        for finding in prepared.baseline.findings {
            let words = PrintableText.visible("\(finding)")
            console.print("  \(console.style.severity("without any fault", .error))  \(words)")
        }
        if !cards.isEmpty { console.print("  sound cards: \(cards.count) more, \(sound.findings.count) misread") }
        for (card, finding) in sound.findings {
            console.print("  \(console.style.severity(finding.outcome.rawValue, .error))  without any fault")
            console.print("        \(PrintableText.visible(finding.reason))")
            console.print("        again   \(ShellWords.text(again(card.isEmpty ? "card.*" : card)))")
        }
        console.print("")
        guard !grid.entries.isEmpty else { return }
        let text = GridText(grid, exchanges: exchanges, style: console.style)
        for line in text.lines(again: { again($0.name) }) { console.print(line) }
    }

    private func list(
        _ cards: [SoundCard], _ runs: [SystematicPhase.Run], _ scenarioCase: ScenarioCase, _ scenario: SelectedScenario
    ) -> CaseOutcome {
        if !isJSON {
            if runs.isEmpty, cards.isEmpty { console.print("  no fault asked for fits this client here") }
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
    fileprivate var verdict: Verdict {
        guard let finding else { return Verdict([]) }
        return Verdict([
            Failure(
                path: "fuzz  \(run.name)", expected: "the right result or a clear error",
                got: "\(finding.outcome.rawValue): \(finding.reason)", nearest: finding.exchange)
        ])
    }
}

extension OutcomeFinding {
    /// The finding with the name of the sound card, if it is on one of those.
    fileprivate func node(card: String) -> Node {
        .map(node.entries.map { ($0.key.text, $0.value) } + (card.isEmpty ? [] : [("card", .text(card))]))
    }
}
