import TapDocument
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapServe
import TapWire

extension Verb {
    static let run = Verb(
        name: "run",
        usages: ["FILE|FOLDER… [-- CLIENT ARG…]", "--card NAME[:KEY=VALUE,…] [-- CLIENT ARG…]"],
        summary: "Present the cards of scenarios to a client, and judge what it does.",
        examples: [
            Example("Read a Suica with the built-in client", "tapsim run --card suica:balance=3120,trips=20"),
            Example("Let your own program read it", "tapsim run --card suica -- python3 reader.py"),
            Example("Run all scenarios of a folder in CI", "tapsim run Scenarios --junit results.xml"),
        ],
        details: """
            The program after -- reads the cards. If omitted, the built-in client that the
            scenario names reads them, or a suitable one. Programs that use libpcsclite or
            libnfc find the reader automatically. For other transports, write {nfcpy},
            {pn532-tcp}, {felica-rs} or {proxmark3} among the program's arguments, and TapSim
            puts the address there. tapsim list cards lists the cards; a dump of another tool
            can replace a FILE (tapsim card --help).
            """,
        more: """
            Programs that use libpcsclite find the reader through PCSCLITE_CSOCK_NAME, which
            names a private PC/SC service. Programs that use libnfc find it through
            LIBNFC_DEVICE, which names a PN532 on a serial port; TAPSIM_TTY has the path of the
            port. The client's standard input is empty: attach a debugger from
            another terminal. Transports on ports of 127.0.0.1 open only with --transport, or
            if an argument of the client contains their name in braces, which is replaced by
            the address:

              {nfcpy}      TAPSIM_NFCPY      the path that nfcpy takes
              {pn532-tcp}  TAPSIM_PN532_TCP  HOST:PORT of a PN532; for pyserial write
                                             socket://{pn532-tcp}
              {felica-rs}  TAPSIM_FELICA_RS  HOST:PORT for felica-rs' RemoteDriver
              {proxmark3}  TAPSIM_PROXMARK3  tcp:HOST:PORT for proxmark3 -p

            The transport vpcd is a reader of the system's PC/SC service. Cards come from
            templates (tapsim list cards), ICs (tapsim list ics) or dumps. tapsim list models
            lists the reader models. With --reader the client reads a real card on a real
            reader instead (tapsim list readers). A client may run for 60s unless the scenario
            or --timeout sets another limit.
            """,
        options: [
            .value(
                "--card", "CARD", isRepeatable: true,
                "Use a card instead of a file: suica:balance=3120,trips=20, or a dump"
            ).in(.cards)
        ] + ReaderArguments.options + ScenarioArguments.options + [
            .value(
                "--reader", "NAME", "Use the real reader with this text in its name instead of virtual cards"
            ).in(.cards),
            .value("--case", "N|NAME", isRepeatable: true, "Run only this case").in(.runs),
            .value("--tag", "TAG", isRepeatable: true, "Run only scenarios and cases with one of these tags").in(.runs),
            .value("--seed", "N", "Set the seed of all random choices, overriding the scenario's").in(.runs),
            TimeLimit.option,
            TapCount.option,
            .flag("--verbose", short: "-v", "Describe exchanges as they happen").in(.output),
            .flag("--json", "Print a JSON document instead of text").in(.output),
            RunArchive.option,
        ] + CIReports.options + [
            NoReadPermission.option,
            .flag("--env", "Show the environment variables that the client gets").in(.client, isRare: true),
            .flag("--debug", "Set no time limits, for debugging the client").in(.client),
        ] + ClientPermission.options,
        takesClient: true,
        run: { arguments, context in try await RunVerb(arguments, context).run() })
}

private struct RunVerb {
    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let isJSON: Bool
    private let order: AuditOrder?

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context.alongside(arguments.value("--junit"))
        order = try AuditOrder.ofEnvironment(context)
        isJSON = arguments.isGiven("--json")
        guard !arguments.isGiven("--debug") || !arguments.isGiven("--timeout") else {
            throw UsageError("`--debug` sets no time limit; omit `--timeout` or `--debug`")
        }
    }

    func run() async throws -> ExitCode {
        let selection = try CaseSelection(arguments, scenarios: SelectedFiles.scenarios(arguments, context))
            .withoutPhones
        if arguments.isGiven("--transport"), selection.cases.contains(where: \.isBuiltin) {
            throw UsageError("`--transport` needs a client after `--`; the built-in client uses no transport")
        }
        let permission = try ClientPermission(arguments)
        try permission.check(selection.cases, in: context.folder)
        try check(selection.cases)
        permission.announce(selection.cases, console)
        var reports = try RunReports(arguments, context)
        try reports.begin(selection.scenarios)
        do {
            for scenario in selection.scenarios {
                if !isJSON { console.print(heading(of: scenario)) }
                try await run(scenario, &reports)
            }
        } catch {
            throw reports.breakOff(error)
        }
        try reports.end()
        if !isJSON { finish(reports) }
        if var error = reports.tally.emptiness {
            error.isInDocument = isJSON
            throw error
        }
        return reports.tally.exitCode
    }

    /// Rejects impossible cases before the first one runs.
    private func check(_ cases: [ScenarioCase]) throws(VerbError) {
        for scenarioCase in cases where !scenarioCase.isSkipped {
            do { try CaseRun.check(scenarioCase) } catch { throw VerbError(.usage, error.description) }
        }
    }

    private func heading(of scenario: SelectedScenario) -> String {
        ScenarioText.heading(
            name: scenario.name, title: scenario.cases.first?.title, seed: scenario.seed, client: scenario.clientText,
            style: console.style)
    }

    private func run(_ scenario: SelectedScenario, _ reports: inout RunReports) async throws {
        let width = scenario.cases.map { $0.displayName.count }.max() ?? 0
        if !isJSON { for dropped in scenario.droppedExpectations { console.print("  \(dropped)") } }
        var hasShown = false
        var failures: [String: String] = [:]
        var outcomes = OutcomeRun(caseRun)
        for scenarioCase in scenario.cases {
            guard !scenarioCase.isSkipped || !arguments.values("--case").isEmpty else {
                try reports.addSkipped(scenarioCase, of: scenario)
                if !isJSON { console.print("  skip  \(PrintableText.visible(scenarioCase.displayName))") }
                continue
            }
            let (restored, record, wall): (ScenarioCase, RunRecord, Duration)
            do throws(VerbError) {
                (restored, record, wall) = try await run(scenarioCase, &outcomes)
            } catch {
                try reports.add(error, of: scenarioCase, scenario)
                throw error
            }
            let scenarioCase = restored
            let reproduceCommand = ReproduceLine.words("run", arguments, scenario, scenarioCase)
            var result = CaseResult(
                scenarioCase, record, Judge.judge(scenarioCase, record), reproduceCommand: reproduceCommand)
            result.wall = wall
            try reports.add(&result, of: scenario)
            guard !isJSON else { continue }
            if !hasShown, result.verdict.isPassed, scenarioCase.isBuiltin {
                showOnce(record)
                hasShown = true
            }
            let text = { (earlier: String?) in
                CaseText(
                    result, nameWidth: width, showsOutput: arguments.client == nil, like: earlier, style: console.style)
            }
            let failure = result.verdict.isPassed ? nil : text(nil).failureText
            for line in text(failure.flatMap { failures[$0] }).lines { console.print(line) }
            if let failure, failures[failure] == nil { failures[failure] = scenarioCase.displayName }
        }
    }

    /// Runs a case with its cards as the previous run left them, and saves them.
    private func run(
        _ scenarioCase: ScenarioCase, _ outcomes: inout OutcomeRun
    ) async throws(VerbError) -> (ScenarioCase, RunRecord, Duration) {
        let states = isOnHardware ? nil : try CardStates(restoring: scenarioCase, context)
        let restored = states?.scenarioCase ?? scenarioCase
        let begin = ContinuousClock.now
        let record = try await record(of: restored, &outcomes)
        let wall = ContinuousClock.now - begin
        try states?.keep(record.world, context)
        return (restored, record, wall)
    }

    /// Shows the output of a built-in client, for one case only, since it is the same for the others.
    private func showOnce(_ record: RunRecord) {
        for line in record.client.standardOutput.split(separator: "\n") {
            console.print("  \(PrintableText.visible(line))")
        }
    }

    private func record(
        of scenarioCase: ScenarioCase, _ outcomes: inout OutcomeRun
    ) async throws(VerbError) -> RunRecord {
        do {
            return try await outcomes.run(scenarioCase)
        } catch {
            throw VerbError(error)
        }
    }

    private var isOnHardware: Bool { arguments.isGiven("--reader") }

    private var caseRun: CaseRun {
        let console = console
        let isJSON = isJSON
        var run = CaseRun(in: context.surroundings)
        run.hasTimeLimit = !arguments.isGiven("--debug")
        run.hardware = arguments.value("--reader")
        run.order = order
        if arguments.isGiven("--verbose") {
            let style = isJSON ? console.errorStyle : console.style
            run.observer = ExchangePrinter(style: style) { isJSON ? console.printError($0) : console.print($0) }
        }
        // The output of a client on the command line belongs on the terminal.
        if arguments.client != nil, !isJSON { run.clientOutput = { console.pass($1, from: $0) } }
        if arguments.isGiven("--env") {
            run.clientEnvironment = { variables in
                for (name, value) in variables { console.printError("\(name)=\(ShellText.text([value]))") }
            }
        }
        return run
    }

    private func finish(_ reports: RunReports) {
        for line in reports.assumptions.lines { console.print(line) }
        for line in reports.locations { console.print(line) }
        let tally = reports.tally
        console.print(
            ScenarioText.summary(
                passed: tally.passedCount, failed: tally.failedCount, skipped: tally.skippedCount,
                style: console.style))
    }
}

/// The reports of a run besides its text, extended case by case.
private struct RunReports {
    private(set) var tally = RunTally()
    private(set) var assumptions: AssumptionText
    private var document: RunDocument?
    private var reports: CIReports
    private let archive: RunArchive?
    private let console: Console
    private var index: String?

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        assumptions = AssumptionText(style: context.console.style)
        document = arguments.isGiven("--json") ? RunDocument(context.console) : nil
        reports = try CIReports(arguments, context)
        archive = try RunArchive(arguments, in: context.folder)
        console = context.console
        if archive != nil { reports.folder.collectFiles() }
    }

    func begin(_ scenarios: [SelectedScenario]) throws {
        try archive?.begin()
        try reports.begin(scenarios)
    }

    /// The lines that name the index of several cases, if one has failed, and the ZIP file.
    var locations: [String] {
        guard let index else { return [] }
        let hasSeveral = reports.folder.page == index
        return (tally.failedCount > 0 && hasSeveral ? ["index   \(index)"] : [])
            + (archive.map { ["report  \($0.path)"] } ?? [])
    }

    /// Adds a case, and records in the result where it is kept.
    mutating func add(_ result: inout CaseResult, of scenario: SelectedScenario) throws {
        try reports.add(&result, of: scenario)
        tally.add(result)
        assumptions.add(result)
        document?.add(result, of: scenario)
    }

    /// Adds a case that the scenario skips.
    mutating func addSkipped(_ scenarioCase: ScenarioCase, of scenario: SelectedScenario) throws {
        tally.addSkipped()
        reports.folder.listSkipped(scenarioCase)
        try reports.addSkipped(scenarioCase, of: scenario)
    }

    /// Adds a case that cannot be run.
    mutating func add(_ error: VerbError, of scenarioCase: ScenarioCase, _ scenario: SelectedScenario) throws {
        try reports.add(error, of: scenarioCase, scenario)
    }

    /// Ends a run that cannot continue, and returns the error with the reason.
    mutating func breakOff(_ error: any Error) -> any Error {
        try? keep()
        try? reports.end()
        return document?.breakOff(tally, error) ?? error
    }

    mutating func end() throws {
        document?.end(tally)
        try keep()
        try reports.end()
    }

    /// Writes the index, and packs the files of the run.
    private mutating func keep() throws {
        index = reports.folder.keepIndex(console)
        try archive?.write(reports.folder.files)
    }
}

/// The JSON document of a run, written as the run progresses.
struct RunDocument {
    private let console: Console
    private var stream: JSONWriter.Stream?
    private var scenario: SelectedScenario?

    static let output = OutputTable<(tally: RunTally, error: VerbError?)>(
        "run-document", "A run",
        .always("tapsim", "The version of TapSim") { _ in TapSimCommand.version },
        .open("scenarios", of: scenario.shape, "The scenarios that were run"),
        .always("passed", "The number of passed cases") { $0.tally.passedCount },
        .always("failed", "The number of failed cases") { $0.tally.failedCount },
        .always("skipped", "The number of skipped cases") { $0.tally.skippedCount },
        .maybe("error", "The error that ended the run early") { $0.error })

    private static let scenario = OutputTable<SelectedScenario>(
        "scenario", "A scenario of a run",
        .always("name", "Its name", \.name), .always("file", "Its file", \.file),
        .always("seed", "The seed", \.seed), .open("cases", of: CaseResult.outputShape, "Its cases that were run"))

    /// Creates the document, without writing anything: a run that fails before its first case leaves no output.
    init(_ console: Console) {
        self.console = console
    }

    mutating func add(_ result: CaseResult, of selected: SelectedScenario) {
        begin()
        if let scenario, (scenario.name, scenario.file) != (selected.name, selected.file) { endScenario() }
        if scenario == nil {
            stream.mutate {
                $0.beginMap()
                Self.scenario.begin(selected, in: &$0)
            }
            scenario = selected
        }
        stream.mutate {
            CaseResult.output.write(result, to: &$0)
            // The results so far outlast an interrupted run.
            $0.flush()
        }
    }

    mutating func end(_ tally: RunTally) {
        begin()
        end(tally, error: tally.emptiness)
    }

    /// Closes the document of a run that cannot continue, so that it stays valid JSON, and returns the error that it
    /// contains.
    mutating func breakOff(_ tally: RunTally, _ error: any Error) -> any Error {
        guard stream != nil else { return error }
        var error = error as? VerbError ?? VerbError(.ownBug, "\(error)")
        end(tally, error: error)
        error.isInDocument = true
        return error
    }

    private mutating func begin() {
        guard stream == nil else { return }
        let console = console
        stream = JSONWriter.Stream(.pretty) { console.printAsIs($0) }
        stream.mutate { Self.output.begin((RunTally(), nil), in: &$0) }
    }

    private mutating func endScenario() {
        guard let scenario else { return }
        stream.mutate { Self.scenario.end(scenario, in: &$0) }
        self.scenario = nil
    }

    private mutating func end(_ tally: RunTally, error: VerbError?) {
        endScenario()
        stream.mutate { Self.output.end((tally, error), in: &$0) }
        console.printAsIs("\n")
    }
}

extension Optional {
    fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
        guard var value = take() else { return }
        change(&value)
        self = value
    }
}

struct RunTally {
    private(set) var passedCount = 0
    private(set) var failedCount = 0
    private(set) var skippedCount = 0
    private var hadTimeLimit = false

    mutating func add(_ result: CaseResult) {
        if result.verdict.isPassed { passedCount += 1 } else { failedCount += 1 }
        switch result.record.client.end {
        case .timeLimit, .idleLimit, .lineLimit: hadTimeLimit = true
        default: break
        }
    }

    mutating func addSkipped() { skippedCount += 1 }

    /// The error if no case ran, since nothing was tested.
    var emptiness: VerbError? { passedCount + failedCount == 0 ? .allSkipped : nil }

    /// The exit code; a time limit takes precedence over a failure.
    var exitCode: ExitCode {
        if hadTimeLimit { return .timeLimit }
        return failedCount > 0 ? .failed : .passed
    }
}
