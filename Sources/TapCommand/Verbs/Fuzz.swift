import TapDocument
import TapSystem
import TapFuzz
import TapJudge
import TapReport
import TapRun
import TapScenario

extension Verb {
    static let fuzz = Verb(
        name: "fuzz",
        usages: ["FILE|FOLDER… [-- CLIENT ARG…]", "--card NAME[:KEY=VALUE,…] [-- CLIENT ARG…]"],
        summary: "Inject every fault at every exchange of a client, and judge what it does.",
        examples: [
            Example("Try every fault on the reading of a Suica", "tapsim fuzz --card suica -- ./reader"),
            Example("Lose the card at every exchange", "tapsim fuzz --card suica --only rf.lose_tag -- ./reader"),
            Example(
                "Report only new causes in CI, for at most five minutes",
                "tapsim fuzz Scenarios --known known.txt --time 5m"),
        ],
        details: """
            Runs the client without faults to learn the correct result, then on control cards,
            which are other valid cards (tapsim list control-cards). If it fails without faults
            or misreads a control card, the exit code is 5. Then it runs once for each fault at
            each exchange (tapsim list faults). The client may give the correct result or report
            a clear error. A crash, a hang, a wrong result, a leak or harm to the card is a
            finding: the exit code is 1, and .tapsim/runs has a page that shows it.
            """,
        more: """
            Three baseline runs establish the correct result; they must meet what the scenario
            expects. A card given by --card is also varied: histories of other lengths, long
            records, other languages (tapsim list control-cards). A campaign tries up to 16 of
            these control cards, or all of them with --budget.

            Then every fault of the catalogue (tapsim list faults) is injected once at every
            exchange of the baseline run that it applies to, each in its own run. The client
            may give the correct result or report a clear error, within the time limit of
            --timeout or the scenario (default: 20s). A crash, a hang, a wrong or incomplete
            result, a leak or harm to a card is a finding, and the exit code is 1. Nothing is
            random, and card time is virtual unless the scenario sets a clock: the same client
            gives the same grid. Faults that apply to nothing here are listed at the end.

            Findings are grouped by cause: the verdict, the client's reaction and, if it is
            known, the location in its code; each with the shortest run that shows it. If
            there are findings, a page with the grid and the pages of up to 200 runs are kept
            in .tapsim/runs.

            In CI, --known FILE lists known causes, and the exit code is 1 only for new ones.
            The first Ctrl-C ends a campaign early and shows the findings so far; the second
            ends it at once.
            """,
        options: [
            .value(
                "--card", "CARD", isRepeatable: true,
                "Use a card instead of a file: suica:balance=3120,trips=20, or a dump"
            ).in(.cards)
        ] + ReaderArguments.options + ScenarioArguments.options + [
            .value(
                "--only", "PATTERN", isRepeatable: true,
                "Try only matching faults, runs or cards: 'ntag.*', rf.silence@7, 'card.*'"
            ).in(.runs),
            .value("--except", "PATTERN", isRepeatable: true, "Skip matching faults, runs or cards").in(.runs),
            .value("--shard", "I/N", "Run only part I of N, to share the work between machines").in(.ci),
            .value("--jobs", "N", "Run N clients in parallel (default: as many as keep the processors busy)")
                .in(.runs),
            .flag("--start-each", "Start the client for each run instead of copying a running one")
                .in(.client, isRare: true),
            .value("--case", "N|NAME", isRepeatable: true, "Run only this case").in(.runs),
            .value("--tag", "TAG", isRepeatable: true, "Run only scenarios and cases with one of these tags").in(.runs),
            .value("--seed", "N", "Set the seed of all random choices, overriding the scenario's").in(.runs),
            TimeLimit.option(standard: "20s"),
            TapCount.option,
            .value("--known", "FILE", "Report the causes in this file, one per line, but do not count them").in(.ci),
            .flag("--update-known", "Add the new causes to that file").in(.ci),
            .flag(
                "--ignore-plausible",
                "Do not count results of wrong answers that only a second reading could reveal"
            ).in(.ci),
            .flag(
                "--ignore-waiting", "Do not count a client that waits forever for a card that a fault removed"
            ).in(.ci),
            .flag("--list", "Perform the baseline runs, and list the runs that would follow").in(.output),
            .flag("--json", "Print a JSON document instead of text").in(.output),
            ResumedCampaign.option,
        ] + CampaignWatch.options + CIReports.options + [NoReadPermission.option] + ClientPermission.options,
        takesClient: true,
        run: { arguments, context in try await FuzzVerb(arguments, context).run() })
}

final class FuzzVerb {
    /// The maximum number of runs in progress at once; clients mostly wait.
    private static let largestBatch = 256

    let arguments: Arguments
    let context: CommandContext
    var console: Console { context.console }
    let settings: Campaign.Settings
    let knownFile: KnownFile
    let watch: CampaignWatch
    let resumed: ResumedCampaign?
    let isJSON: Bool
    var reports: CIReports
    var limits: CampaignLimits
    var account = CampaignAccount()
    var page = CampaignPage(tapsim: TapSimCommand.version)
    /// A Boolean value that indicates whether any case has runs, in this shard or another one.
    var hasRuns = false

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        let context = context.alongside(arguments.value("--junit"))
        self.context = context
        isJSON = arguments.isGiven("--json")
        reports = try CIReports(arguments, context)
        var settings = Campaign.Settings(try RunSelection(arguments))
        knownFile = try KnownFile(arguments, of: "cause", in: context.folder, where: KnownCauses.isKey)
        settings.known = KnownCauses(
            knownFile.keys, excusing: Set(Excuse.allCases.filter { arguments.isGiven("--ignore-\($0.rawValue)") }))
        resumed = try ResumedCampaign(arguments, in: context.folder)
        limits = try CampaignLimits(arguments)
        watch = CampaignWatch(arguments, context.console)
        settings.guided = try arguments.duration("--budget", what: "a guided phase").map { .time($0) }
        settings.largestBatch = Self.largestBatch
        settings.showsCauses = reports.folder.keepsFindings
        let count: Int? = try arguments.number("--jobs")
        if let count, !(1...Processors.maximumJobs).contains(count) {
            throw UsageError("`--jobs` needs a number from 1 to \(Processors.maximumJobs)")
        }
        settings.jobs = count.map { count in Jobs { count } } ?? JobLimit().jobs
        self.settings = settings
    }

    func run() async throws -> ExitCode {
        let selection = try CaseSelection(arguments, scenarios: try SelectedFiles.scenarios(arguments, context))
        let permission = try ClientPermission(arguments)
        try permission.check(selection.cases, in: context.folder)
        permission.announce(selection.cases, console)
        try reports.begin(selection.scenarios)
        var cases: [Node] = []
        do {
            try await fuzz(selection.scenarios, into: &cases)
            do throws(VerbError) {
                try checkJudged(cases)
            } catch {
                if !cases.isEmpty, let scenario = selection.scenarios.first, let first = scenario.cases.first {
                    try reports.add(error, to: "runs under faults", of: first, scenario)
                }
                throw error
            }
            guard hasRuns || limits.stop != nil else {
                throw UsageError("there is nothing to run: no selected fault applies to these cases")
            }
        } catch {
            throw breakOff(error, cases)
        }
        try finish(cases)
        return switch account.verdict(limits.stop) {
        case .passed: .passed
        case .findings: .failed
        case .misreadings: .baseline
        case .interrupted: .ended
        case .judgedNothing: .environment
        }
    }

    private func fuzz(_ scenarios: [SelectedScenario], into cases: inout [Node]) async throws {
        for scenario in scenarios {
            for scenarioCase in scenario.cases where !limits.isOver() {
                guard !scenarioCase.isSkipped || !arguments.values("--case").isEmpty else {
                    try reports.addSkipped(scenarioCase, of: scenario)
                    if !isJSON { console.print("\(heading(scenarioCase, scenario))\n  skipped") }
                    continue
                }
                do {
                    cases.append(try await fuzz(scenarioCase, of: scenario))
                } catch let error as RunAbandoned {
                    // The time ran out before the case's baseline runs ended.
                    guard limits.isOver() else { throw VerbError(.environment, "\(error)") }
                } catch let error as VerbError {
                    try reports.add(error, to: "without any fault", of: scenarioCase, scenario)
                    throw error
                }
            }
        }
    }

    /// Throws an error for a campaign that says nothing about any client.
    private func checkJudged(_ cases: [Node]) throws(VerbError) {
        guard account.verdict(limits.stop) != .judgedNothing else {
            throw VerbError(
                .environment,
                "`--time` ran out before any run with a fault ended, so nothing was judged; allow more time")
        }
        guard limits.stop == nil else { return }
        guard !cases.isEmpty else { throw VerbError.allSkipped }
        // The few runs of a shard may all miss their exchange.
        guard !hasRuns || account.judgedCount > 0 || arguments.isGiven("--list") || arguments.isGiven("--shard") else {
            throw VerbError(
                .baseline,
                "no run reached its fault, so nothing was judged; find out why the client does not send again what it "
                    + "sent in its first run, such as a result that it keeps in a file")
        }
    }

    /// Keeps the results of the cases before one that cannot be fuzzed, and returns the error.
    private func breakOff(_ error: any Error, _ cases: [Node]) -> any Error {
        guard !cases.isEmpty, var error = error as? VerbError else {
            try? reports.end()
            return error
        }
        if (try? finish(cases, error)) != nil { error.isInDocument = isJSON }
        return error
    }

    private func finish(_ cases: [Node], _ error: VerbError? = nil) throws {
        let document = Self.output.node((cases, limits.stop, error))
        try knownFile.update(with: account.newCauses, in: context.folder)
        try keep(document, isWhole: error == nil && limits.stop == nil)
        if isJSON { console.print(json: document) }
    }

    static let output = OutputTable<(cases: [Node], stop: CampaignLimits.Stop?, error: VerbError?)>(
        "campaign-document", "A campaign",
        .always("tapsim", "The version of TapSim") { _ in TapSimCommand.version },
        .always(
            "cases", "The cases; with `--list`, the planned runs",
            as: .list(.either([CampaignCase.outputShape, PlannedCase.outputShape]))
        ) { $0.cases },
        .maybe("stopped", "The reason why it stopped before all runs finished") { $0.stop },
        .maybe("error", "The error that ended the campaign early") { $0.error })

    /// Keeps the page of the campaign, and prints its path.
    private func keep(_ document: Node, isWhole: Bool) throws {
        guard !arguments.isGiven("--list") else { return }
        page.stop = limits.stop?.words
        let hasFindings = !account.newCauses.isEmpty
        let kept = reports.folder.keepCampaign(
            page.html, document, hasFindings: hasFindings || !isWhole, console)
        if let stop = limits.stop, !isJSON {
            console.print("stopped by \(stop.words) before all runs finished")
            if let kept {
                let resuming = ReproduceLine.words(resuming: arguments, from: kept.document)
                console.print(LineLabel.resume.line(ShellText.text(resuming)))
            }
        }
        if let kept, !isJSON { console.print(LineLabel.page.line(kept.page)) }
        try reports.end()
    }
}
