import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapServe
import TapWire

extension Verb {
    static let audit = Verb(
        name: "audit",
        usages: ["[FILE|FOLDER…] -- TEST COMMAND…", "--card NAME[:KEY=VALUE,…] -- TEST COMMAND…"],
        summary: "Let cards lie to a test suite, and report the lies that its tests do not notice.",
        examples: [Example("Find the lies that a test suite does not notice", "tapsim audit --card suica -- pytest")],
        details: """
            The command is a test suite, whatever runs it: pytest, ctest, a script. It first
            runs without a lie and must pass. Then it runs once for each lie: a wrong answer
            injected to see whether a test notices, such as a card that reports success after
            refusing a command, returns one block instead of another, or acknowledges a write
            without storing it. A lie is a fault of the catalogue at every exchange that it
            applies to (tapsim list lies). If the suite still passes, it has no test for the
            lie: the exit code is 1, and the report describes what a client could do wrong in
            the field. If the suite fails without a lie, or reads no card, the exit code is 5.
            If the output names single tests, the report states how many lies each of them
            noticed.

            The programs of the suite read the cards of --card or a file, as with tapsim run.
            Cards that the tests create themselves lie too: with tapsim serve, run or
            exchange, the pytest plugin, or TapTesting. They get the lie from the variable
            TAPSIM_LIE, with which you can also try a single test by hand. Cards do not lie
            with --reader, or in worlds that Swift code creates itself.
            """,
        options: [
            .value(
                "--card", "CARD", isRepeatable: true,
                "Use a card instead of a file: suica:balance=3120,trips=20, or a dump"
            ).in(.cards)
        ] + ReaderArguments.options + ScenarioArguments.options + [
            .value("--only", "PATTERN", isRepeatable: true, "Try only these lies, such as 'ntag.*'").in(.runs),
            .value("--except", "PATTERN", isRepeatable: true, "Skip these lies").in(.runs),
            .value("--jobs", "N", "Run the suite N times in parallel (default: 1, since suites share files)").in(.runs),
            .value("--case", "N|NAME", isRepeatable: true, "Run only this case").in(.runs),
            .value("--tag", "TAG", isRepeatable: true, "Run only scenarios and cases with one of these tags").in(.runs),
            .value("--seed", "N", "Set the seed of all random choices, overriding the scenario's").in(.runs),
            TimeLimit.option,
            .value("--known", "FILE", "Let the lies in this file, one per line, go unnoticed").in(.ci),
            .flag("--update-known", "Add the unnoticed lies to that file").in(.ci),
            .flag("--json", "Print a JSON document instead of text").in(.output),
        ] + CIReports.options + ClientPermission.options,
        takesClient: true,
        run: { arguments, context in try await AuditVerb(arguments, context).run() })
}

struct AuditVerb {
    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let lies: [Lie]
    private let known: KnownFile
    private let jobs: Int
    private let isJSON: Bool
    /// Behind a lock, since runs end on several threads and are kept as they end.
    private let reports: Lock<CIReports>

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context.alongside(arguments.value("--junit"))
        lies = try Self.lies(arguments)
        known = try KnownFile(arguments, of: "lie", in: context.folder) { name in
            FaultCatalogue.lies.contains { $0.name == name }
        }
        jobs = try arguments.number("--jobs") ?? 1
        guard (1...Processors.maximumJobs).contains(jobs) else {
            throw UsageError("`--jobs` needs a number from 1 to \(Processors.maximumJobs)")
        }
        isJSON = arguments.isGiven("--json")
        reports = Lock(try CIReports(arguments, context))
    }

    private static func lies(_ arguments: Arguments) throws(UsageError) -> [Lie] {
        func patterns(_ option: String) throws(UsageError) -> [Glob] {
            let patterns = arguments.values(option).map { Glob($0) }
            let names = FaultCatalogue.lies.map(\.name)
            for pattern in patterns where !names.contains(where: pattern.matches) {
                throw UsageError(
                    "`\(option) \(pattern)` matches no lie",
                    help: Spelling.suggestion(
                        for: pattern.description, among: names, before: "`tapsim list lies` lists them"))
            }
            return patterns
        }
        let (wanted, exceptions) = (try patterns("--only"), try patterns("--except"))
        return FaultCatalogue.lies.filter { lie in
            (wanted.isEmpty || wanted.contains { $0.matches(lie.name) })
                && !exceptions.contains { $0.matches(lie.name) }
        }
    }

    func run() async throws -> ExitCode {
        let selection = try CaseSelection(arguments, scenarios: try scenarios()).withoutPhones
        if selection.cases.contains(where: \.isBuiltin) {
            throw UsageError("name the command of a test suite after `--`: tapsim audit -- pytest")
        }
        let permission = try ClientPermission(arguments)
        try permission.check(selection.cases, in: context.folder)
        permission.announce(selection.cases, console)
        try reports.withLock { try $0.begin(selection.scenarios) }
        EndRequest.take()
        var suites: [AuditedSuite] = []
        var (unnoticed, hasFindings) = ([String](), false)
        for scenario in selection.scenarios {
            for scenarioCase in scenario.cases where !EndRequest.isMade {
                guard !scenarioCase.isSkipped || !arguments.values("--case").isEmpty else {
                    try reports.withLock { try $0.addSkipped(scenarioCase, of: scenario) }
                    continue
                }
                let suite: AuditedSuite
                do {
                    suite = try await audit(scenarioCase, of: scenario)
                } catch {
                    throw breakOff(error, of: scenarioCase, scenario, suites, unnoticed)
                }
                suites.append(suite)
                let report = suite.report
                unnoticed += report.results(.unnoticed).map(\.lie.name)
                hasFindings = hasFindings || !report.findings.isEmpty
            }
        }
        guard !suites.isEmpty || EndRequest.isMade else {
            try reports.withLock { try $0.end() }
            throw VerbError.allSkipped
        }
        try known.update(with: unnoticed, in: context.folder)
        if isJSON {
            console.print(json: Self.output.node((suites, nil)))
        } else if EndRequest.isMade {
            console.print("interrupted before all runs finished")
        }
        try reports.withLock { try $0.end() }
        if hasFindings { return .failed }
        return EndRequest.isMade ? .ended : .passed
    }

    /// Returns the scenarios on the command line; if there are none, a scenario without cards, for a suite whose tests make
    /// their own.
    private func scenarios() throws -> [Scenario] {
        guard arguments.values("--card").isEmpty, arguments.operands.isEmpty else {
            return try SelectedFiles.scenarios(arguments, context, needsFile: false)
        }
        return try CardArguments.scenario(
            [], seed: ScenarioArguments(arguments, in: context.folder).seed, context
        ).map { [$0] }
            ?? []
    }

    private func audit(
        _ scenarioCase: ScenarioCase, of scenario: SelectedScenario
    ) async throws -> AuditedSuite {
        if !isJSON {
            console.print(
                ScenarioText.heading(
                    name: scenarioCase.name(in: scenario.name), seed: scenario.seed,
                    client: CaseRun.clientText(scenarioCase), style: console.style))
        }
        let commands = LieCommands(arguments: arguments, scenario: scenario, scenarioCase: scenarioCase)
        let folders = Lock<[String: String]>([:])
        let report = try await report(of: scenarioCase, scenario, commands, folders)
        let folder = { (lie: Lie) in folders.withLock { $0[lie.name] } }
        guard report.hasReachedLies || EndRequest.isMade else {
            throw VerbError(
                .baseline,
                "the suite passes without a lie, but no selected lie applies to what its programs did"
            )
        }
        if !isJSON {
            let text = AuditText(report, style: console.style)
            for line in text.lines(reproduceCommand: commands.reproduceCommand, alone: commands.alone, folder: folder) {
                console.print(line)
            }
        }
        try reports.withLock { try $0.add(report, of: scenarioCase, scenario) }
        return AuditedSuite(
            head: CampaignHead(scenarioCase, scenario), report: report, commands: commands,
            folders: folders.withLock { $0 })
    }

    static let output = OutputTable<(suites: [AuditedSuite], error: VerbError?)>(
        "audit-document", "An audit",
        .always("tapsim", "The version of TapSim") { _ in TapSimCommand.version },
        .always("cases", "The cases") { $0.suites },
        .always("stopped", "Whether it was interrupted before all runs finished") { _ in EndRequest.isMade },
        .maybe("error", "The error that ended the audit early") { $0.error })

    /// Keeps the results of the suites before one that cannot be audited, and returns the error.
    private func breakOff(
        _ error: any Error, of scenarioCase: ScenarioCase, _ scenario: SelectedScenario, _ suites: [AuditedSuite],
        _ unnoticed: [String]
    ) -> any Error {
        guard var error = error as? VerbError else { return error }
        reports.withLock { reports in
            try? reports.add(error, to: "without any lie", of: scenarioCase, scenario)
            try? reports.end()
        }
        guard !suites.isEmpty else { return error }
        try? known.update(with: unnoticed, in: context.folder)
        if isJSON { console.print(json: Self.output.node((suites, error))) }
        error.isInDocument = isJSON
        return error
    }

    private func report(
        of scenarioCase: ScenarioCase, _ scenario: SelectedScenario, _ commands: LieCommands,
        _ folders: Lock<[String: String]>
    ) async throws(VerbError) -> AuditReport {
        let done = Lock(0)
        var audit = SuiteAudit(jobs: jobs)
        audit.surroundings = context.surroundings
        audit.isOver = { EndRequest.isMade }
        if !isJSON { audit.baselineOutput = { [console] in console.pass($1, from: $0) } }
        audit.finished = { [console, reports, lies] finished in
            done.withLock { done in
                done += 1
                console.showProgress("\(done) of \(CountText.of(lies.count, "lie"))")
            }
            let lie = finished.result.lie
            // If a suite's tests make their own cards, there is nothing to look at here.
            guard finished.record.world.exchangeCount > 0 else { return }
            let verdict = Verdict(finished.result.failure.map { [$0] } ?? [])
            let result = CaseResult(
                finished.scenarioCase, finished.record, verdict, reproduceCommand: commands.reproduceCommand(lie))
            let folder = reports.withLock { $0.folder.keep(result, as: lie.name, of: scenario, console) }
            if let folder { folders.withLock { $0[lie.name] = folder } }
        }
        defer { console.showProgress("") }
        do {
            let baseline = try await audit.baseline(scenarioCase)
            let results = try await audit.results(of: lies, after: baseline)
            return AuditReport(
                baseline: baseline.end, hasOwnCards: baseline.hasOwnCards, results, of: lies.count, known: known.keys)
        } catch {
            throw VerbError(error)
        }
    }
}

/// The audit of one case.
struct AuditedSuite: OutputModel {
    fileprivate let head: CampaignHead
    fileprivate let report: AuditReport
    fileprivate let commands: LieCommands
    /// The folders of kept runs, by the names of their lies.
    fileprivate let folders: [String: String]

    static let output = OutputTable<Self>(
        "audited-suite", "An audited test suite",
        CampaignHead.output.rows(of: \.head),
        .always("own_cards", "Whether its tests created their own cards", \.report.hasOwnCards),
        .always("lies", "The lies, in the order of `tapsim list lies`", as: .list(lie.shape)) { suite in
            suite.report.results.map { lie.node((suite, $0)) }
        },
        .filled(
            "tests", "The tests that the output of the suite names, in order", as: .list(test.shape)
        ) { $0.report.tests.map(test.node) },
        .always("planned", "The number of planned lies", \.report.plannedCount),
        .always("totals", "The number of lies with each verdict") { suite in
            OutputMap(LieResult.Verdict.allCases.map { ($0.rawValue, suite.report.results($0).count) })
        })

    private static let test = OutputTable<AuditedTest>(
        "audited-test", "A test of a suite that cards lied to",
        .always("name", "Its name, as the suite prints it", \.name),
        .maybe("ran", "The lies under which it ran; absent if the suite names only tests that fail", \.ran),
        .always("noticed", "The lies under which it failed", \.noticed))

    private static let lie = OutputTable<(suite: AuditedSuite, result: LieResult)>(
        "told-lie", "A lie and its result",
        .always("name", "Its name, for `--only` and `--known`") { $0.result.lie.name },
        .always("fault", "The fault, injected at every exchange that it applies to") {
            $0.result.lie.fault.description
        },
        .always("says", "The behaviour of the card") { $0.result.lie.summary },
        .always("unseen", "The mistake in the field of a client whose tests do not notice") { $0.result.lie.unseen },
        .always("verdict", "The verdict on the suite") { $0.result.verdict },
        .maybe(
            "end", "How the suite ended; absent if it was not run, since the lie applies to nothing in the baseline run"
        ) {
            $0.result.end
        },
        .always("known", "Whether the `--known` file lists it") {
            $0.suite.report.known.contains($0.result.lie.name)
        },
        .always("reproduce", "The command that repeats it") {
            ShellText.text($0.suite.commands.reproduceCommand($0.result.lie))
        },
        .always("alone", "The command that runs the suite without an audit, with cards that tell this lie") {
            $0.suite.commands.alone($0.result.lie)
        },
        .maybe("kept", "The folder with the trace, for an unnoticed lie") {
            $0.suite.folders[$0.result.lie.name]
        })
}

extension LieResult.Verdict: OutputValue {}

/// The commands that repeat the run for a lie.
private struct LieCommands: Sendable {
    let arguments: Arguments
    let scenario: SelectedScenario
    let scenarioCase: ScenarioCase

    func reproduceCommand(_ lie: Lie) -> [String] {
        ReproduceLine.words("audit", arguments, scenario, scenarioCase, only: lie.name)
    }

    /// Returns the command that runs the suite without an audit, with cards that tell the lie.
    func alone(_ lie: Lie) -> String {
        let hasCards = !scenarioCase.cards.isEmpty
        let words = hasCards ? ReproduceLine.words("run", arguments, scenario, scenarioCase) : arguments.client ?? []
        return "\(AuditOrder.lieVariable)=\(lie.name) \(ShellText.text(words))"
    }
}

extension AuditOrder {
    /// Returns the lie that the environment asks for, and warns on standard error if cards will lie outside an audit.
    static func ofEnvironment(_ context: CommandContext) throws(VerbError) -> AuditOrder? {
        do {
            let order = try AuditOrder { context.surroundings[$0] }
            if let order, let lie = order.lie, !order.isOfAudit {
                context.console.warn("\(lieVariable)=\(lie.name): cards lie. \(lie.summary)")
            }
            return order
        } catch {
            throw VerbError(.usage, error.message, help: error.hint)
        }
    }
}
