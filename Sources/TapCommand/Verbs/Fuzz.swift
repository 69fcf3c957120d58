import TapDocument
import TapSystem
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
            varied: histories of other lengths, long records, other languages, TLV blocks before the message. The exit code is
            5 if the client misreads one of these sound cards, or if a clean run fails. Then every fault of the catalogue (tapsim
            list faults) is injected once at every exchange of the clean run that it fits, each in a run of its own. The client
            may give the correct result or report a clear error. A crash, a hang, a wrong or incomplete result, a leak or harm
            to a card is a finding, and the exit code is 1. Nothing is random, and card time is virtual unless the scenario
            states a clock: the same client gives the same grid. Faults that fit nothing here are named at the end. Findings
            are grouped by cause: the verdict, what the client did, and where in its code if it says so; each with the shortest run
            that shows it. If there are findings, a page with the grid and the pages of up to 200 of them are kept in
            .tapsim/runs.

            In CI, --known FILE lists causes that are already known, and the exit code is 1 only for new ones. The first
            Ctrl-C ends a campaign early and shows what was found so far; the second ends it at once.
            """,
        options: ReaderArguments.options + ScenarioArguments.options + [
            .value("--card", "CARD", isRepeatable: true, "A card for a file: suica:balance=3120,trips=20, or a dump."),
            .value(
                "--only", "PATTERN", isRepeatable: true,
                "Only these faults: 'ntag.*', one run: rf.silence@7, or sound cards: 'card.*'"),
            .value("--except", "PATTERN", isRepeatable: true, "Not these faults, runs or cards, as for --only."),
            .value("--shard", "I/N", "Only one of N equal parts, so that machines share the work."),
            .value("--jobs", "N", "How many runs to make at once. Default: as many as keep the processors busy."),
            .flag("--start-each", "Start the client for each run, even if copies of it could be made."),
            .value("--case", "N|NAME", isRepeatable: true, "Only this case."),
            .value("--tag", "TAG", isRepeatable: true, "Only scenarios and cases with one of these tags."),
            .value("--seed", "N", "The seed of everything drawn by chance, in place of the scenario's."),
            TapCount.option,
            TimeLimit.option,
            .value("--known", "FILE", "A file with a cause in each line; these are reported, but are not findings."),
            .flag("--update-known", "Add to that file what was found."),
            .flag(
                "--ignore-plausible",
                "Do not count what comes of wrong answers that pass every check, which only a second reading shows."),
            .flag(
                "--ignore-waiting", "Do not count that a client waits for ever for a card that a fault has taken away."),
            .flag("--list", "Make the clean runs, and list the runs that would follow."),
            .flag("--json", "Print one JSON document instead of text."),
            ResumedCampaign.option,
        ] + CampaignWatch.options + CIReports.options + [NoReadPermission.option] + ClientPermission.options,
        takesClient: true,
        run: { arguments, console in try await FuzzVerb(arguments, console).run() })
}

struct FuzzVerb {
    let arguments: Arguments
    let console: Console
    let choice: FuzzChoice
    let knownFile: KnownFile
    let known: KnownCauses
    let watch: CampaignWatch
    let resumed: ResumedCampaign?
    let isJSON: Bool
    let jobs: JobLimit
    /// Runs are kept as they end, on several threads.
    let reports: Lock<CIReports>

    init(_ arguments: Arguments, _ console: Console) throws {
        self.arguments = arguments
        let console = console.beside(arguments.value("--junit"))
        self.console = console
        reports = Lock(try CIReports(arguments, console))
        choice = try FuzzChoice(arguments)
        knownFile = try KnownFile(arguments, of: "cause", where: KnownCauses.isKey)
        known = KnownCauses(
            knownFile.keys, excusing: Set(Excuse.allCases.filter { arguments.isGiven("--ignore-\($0.rawValue)") }))
        resumed = try ResumedCampaign(arguments)
        watch = try CampaignWatch(arguments, known: known, console)
        isJSON = arguments.isGiven("--json")
        let count: Int? = try arguments.number("--jobs")
        if let count, !(1...Processors.maximumJobs).contains(count) {
            throw UsageError("`--jobs` needs a number from 1 to \(Processors.maximumJobs)")
        }
        jobs = count.map { JobLimit(exactly: $0) } ?? JobLimit()
    }

    var campaign: FuzzCampaign {
        var campaign = FuzzCampaign(jobs: jobs)
        campaign.startsOnce = !arguments.isGiven("--start-each")
        campaign.deadline = watch.deadline
        campaign.beginsClean = { [watch] in watch.beginClean($0, of: $1) }
        return campaign
    }

    func run() async throws -> ExitCode {
        let selection = try CaseSelection(arguments, scenarios: try SelectedFiles.scenarios(arguments, console))
        let permission = try ClientPermission(arguments)
        try permission.check(selection.cases)
        permission.announce(selection.cases, console)
        try reports.withLock { try $0.begin(selection.scenarios) }
        var cases: [Node] = []
        var page = CampaignPage(tapsim: TapSimCommand.version)
        var (newCauses, isCleanWrong): ([String], Bool) = ([], false)
        var (runCount, judgedCount) = (0, 0)
        for scenario in selection.scenarios {
            for scenarioCase in scenario.cases where !watch.isOver {
                guard !scenarioCase.isSkipped || !arguments.values("--case").isEmpty else {
                    try reports.withLock { try $0.addSkipped(scenarioCase, of: scenario) }
                    if !isJSON { console.print("\(heading(scenarioCase, scenario))\n  skipped") }
                    continue
                }
                guard let result = try await outcome(of: scenarioCase, scenario, &page) else { continue }
                cases.append(result.node)
                newCauses += result.newCauses
                isCleanWrong = isCleanWrong || result.isCleanWrong
                runCount += result.count
                judgedCount += result.judgedCount
            }
        }
        if judgedCount == 0, watch.stop == .time {
            throw VerbError(
                .environment,
                "`--time` was over before a run under a fault ended, so nothing was judged; give it more time")
        }
        guard !cases.isEmpty || watch.stop != nil else {
            try reports.withLock { try $0.end() }
            throw VerbError.allSkipped
        }
        guard runCount > 0 || arguments.isGiven("--shard") || watch.stop != nil else {
            throw UsageError("nothing is left to run: no fault asked for fits these cases")
        }
        let document: Node = .map([
            "tapsim": .text(TapSimCommand.version), "cases": .list(cases),
            "stopped": watch.stop.map { .text($0.rawValue) },
        ])
        try knownFile.update(with: newCauses)
        try keep(page, document, hasFindings: !newCauses.isEmpty)
        if isJSON { console.print(json: document) }
        if isCleanWrong { return .baseline }
        if !newCauses.isEmpty { return .failed }
        return watch.stop == .interrupt ? .ended : .passed
    }

    /// The outcome of a case; `nil` if the time was over before its clean runs ended.
    private func outcome(
        of scenarioCase: ScenarioCase, _ scenario: SelectedScenario, _ page: inout CampaignPage
    ) async throws -> CaseOutcome? {
        do {
            return try await fuzz(scenarioCase, of: scenario, &page)
        } catch let error as VerbError where error.isAbandoned && watch.isOver {
            return nil
        }
    }

    /// Keeps the page of the campaign, and says where.
    private func keep(_ page: CampaignPage, _ document: Node, hasFindings: Bool) throws {
        guard !arguments.isGiven("--list") else { return }
        var page = page
        page.stop = watch.stop?.words
        let kept = reports.withLock {
            $0.folder.keepCampaign(page.html, document, hasFindings: hasFindings || watch.stop != nil, console)
        }
        if let stop = watch.stop, !isJSON {
            console.print("stopped by \(stop.words) before all runs were made")
            if let kept {
                console.print("go on   \(ShellWords.text(AgainLine.words(resuming: arguments, from: kept.document)))")
            }
        }
        if let kept, !isJSON { console.print("page    \(kept.page)") }
        try reports.withLock { try $0.end() }
    }
}
