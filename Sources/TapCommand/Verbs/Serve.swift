import TapDocument
import TapTransports
import TapSystem
import TapField
import TapReport
import TapRun
import TapScenario
import TapServe

extension Verb {
    static let serve = Verb(
        name: "serve",
        usages: ["FILE", "--card NAME[:KEY=VALUE,…]"],
        summary: "Serve the cards of a scenario on open transports until stopped; control them with tapsim ctl.",
        examples: [Example("Serve a Suica until you press Ctrl-C", "tapsim serve --card suica")],
        details: """
            Opens the transports for libpcsclite and libnfc, or only the one that --transport
            or the scenario names, such as nfcpy, and prints the environment variables with
            which clients find them. Only this user can connect. Serves until it is
            interrupted, until tapsim ctl stop, or until the process that started it ends.
            With --json or --env standard output is closed after the lines that a program
            waits for. libpcsclite reads the path of its service only once per process: for a
            process that uses several services in turn, start them all with the same --socket.
            In a shell:

              eval "$(tapsim serve --env --parent $$ --card suica &)"   # $$ is the shell
              . <(tapsim serve --env --card suica)                      # bash, zsh
              ./client && tapsim ctl verify --count felica.read=2; tapsim ctl stop
            """,
        options: [
            .value(
                "--card", "CARD", isRepeatable: true, "Use a card instead of a file: suica:balance=3120,trips=20"
            ).in(.cards)
        ] + ReaderArguments.options + ScenarioArguments.options + [
            .value("--case", "N|NAME", "Serve this case of the file (default: the only one)").in(.runs),
            .value("--seed", "N", "Set the seed of all random choices, overriding the scenario's").in(.runs),
            .value("--socket", "PATH", "Let the PC/SC service listen at this path, for containers and fixed paths")
                .in(.client),
            .value("--mode", "MODE", "Set the permissions of that socket, such as 0660 (default: this user only)")
                .in(.client),
            .value("--tty", "PATH", "Create a link to libnfc's serial port, for programs with a fixed port")
                .in(.client),
            ParentArgument.option.in(.client),
            .flag("--json", "Print one line of JSON with env, control and pid").in(.output),
            .flag("--env", "Print export commands for a shell").in(.output),
            .flag("--verbose", short: "-v", "Describe exchanges as they happen").in(.output),
        ],
        run: { arguments, context in
            do {
                return try ServeVerb(arguments, context).run()
            } catch {
                // The shell that evaluates the output sees the failure, and does not continue with a real reader.
                let code = (error as? VerbError)?.code ?? .usage
                if arguments.isGiven("--env") { context.console.print("(exit \(code.rawValue))") }
                throw error
            }
        })
}

struct ServeVerb {
    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let isForProgram: Bool
    private let parent: ProcessWatch
    private let place: PCSCTransport.Place
    private let order: AuditOrder?

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context
        isForProgram = arguments.isGiven("--json") || arguments.isGiven("--env")
        guard !arguments.isGiven("--json") || !arguments.isGiven("--env") else {
            throw UsageError("use either `--json` or `--env`")
        }
        place = try Self.place(arguments, in: context.folder)
        parent = try ParentArgument.process(arguments)
        order = try AuditOrder.ofEnvironment(context)
    }

    func run() throws -> ExitCode {
        let scenario = try ServedScenario(arguments, context)
        if arguments.isGiven("--socket"), let transport = scenario.scenarioCase.reader?.transport, transport != .pcsc {
            throw UsageError(
                "`--socket` is for the PC/SC service, but only the transport \(transport.rawValue) is open")
        }
        let link = arguments.value("--tty").map(context.folder.wholePath)
        if link != nil, let transport = scenario.scenarioCase.reader?.transport, transport != .libnfc {
            throw UsageError(
                "`--tty` is for the serial port of libnfc, but only the transport \(transport.rawValue) is open")
        }
        do {
            let end = try ServiceEnd(with: parent)
            let served = try ServedField(
                order?.applied(to: scenario.scenarioCase) ?? scenario.scenarioCase, at: place, terminalLink: link,
                reproduceCommand: scenario.reproduceCommand, origin: scenario.origin,
                observer: observer,
                tellExhausted: { [console] in console.warn(Self.exhaustionText($0)) })
            let lingers = Lock(false)
            let service = try Self.service(of: served) { isLingering in
                lingers.withLock { $0 = isLingering }
                end.ask()
            }
            defer {
                // The field closes first, so that no request waits for a delayed answer.
                served.close()
                service.close()
            }
            announce(served, service, scenario)
            guard console.hasReader, console.isOutputRead else {
                throw VerbError(
                    .environment, "nobody is reading standard output, so the connection settings cannot be delivered")
            }
            if isForProgram { console.endOutput() }
            end.wait()
            try scenario.states.keep(served.world, context)
            if lingers.withLock({ $0 }) { linger(served, service, end) }
            return .passed
        } catch let error as VerbError {
            throw error
        } catch {
            throw VerbError(.environment, "\(error)")
        }
    }

    /// Serves connected programs until they close their connections; new programs cannot connect.
    private func linger(_ served: ServedField, _ service: FieldService, _ end: ServiceEnd) {
        served.retire()
        service.close()
        end.wait { served.clientCount > 0 }
    }

    /// The message for when the limit of frames is used up.
    private static func exhaustionText(_ limit: Int) -> String {
        "readers have sent \(limit) frames, the limit in settings.limits.exchanges; further frames get no answer "
            + "until `tapsim ctl reset`"
    }

    private static func service(
        of served: ServedField, stop: @escaping @Sendable (_ lingers: Bool) -> Void
    ) throws(VerbError) -> FieldService {
        do {
            return try FieldService(served.field, stop: stop)
        } catch {
            served.close()
            throw VerbError(.environment, "cannot open the control socket: \(error)")
        }
    }

    private static func place(_ arguments: Arguments, in folder: WorkingFolder) throws(UsageError)
        -> PCSCTransport.Place
    {
        guard let path = arguments.value("--socket") else {
            guard !arguments.isGiven("--mode") else { throw UsageError("`--mode` needs `--socket`") }
            return .ownFolder
        }
        let text = arguments.value("--mode") ?? "0600"
        guard let mode = UInt16(text, radix: 8), mode <= 0o777 else {
            throw UsageError("`--mode` needs octal digits such as 0660, not `\(text)`")
        }
        return .path(folder.wholePath(of: path), mode: mode)
    }

    private var observer: (any TraceObserver)? { order?.observer(alongside: printer) ?? printer }

    private var printer: (any TraceObserver)? {
        guard arguments.isGiven("--verbose") else { return nil }
        let (console, isForProgram) = (console, isForProgram)
        return ExchangePrinter(style: isForProgram ? console.errorStyle : console.style) {
            isForProgram ? console.printError($0) : console.print($0)
        }
    }

    static let ready = OutputTable<(variables: [(name: String, value: String)], control: String)>(
        "served", "Open transports",
        .always("env", "The variables that clients need") { OutputMap($0.variables.map { ($0.name, $0.value) }) },
        .always("control", "The control socket") { $0.control },
        .always("pid", "The process") { _ in ProcessEnvironment.processNumber })

    /// Prints the settings of the open transports in one piece.
    private func announce(_ served: ServedField, _ service: FieldService, _ scenario: ServedScenario) {
        let variables = served.variables + [(FieldService.variable, service.path)]
        let exports = variables.map { "export \($0.name)=\(ShellText.text([$0.value]))" }
        if arguments.isGiven("--json") {
            console.print(JSONWriter.text(Self.ready.node((variables, service.path))))
        } else if arguments.isGiven("--env") {
            console.print(exports.joined(separator: "\n"))
        } else {
            console.print(
                ScenarioText.heading(
                    name: scenario.scenarioCase.displayName, seed: scenario.scenarioCase.seed,
                    client: "served until interrupted or `tapsim ctl stop`", style: console.style))
            for line in exports { console.print("  \(line)") }
        }
    }
}

struct ServedScenario {
    let states: CardStates
    var scenarioCase: ScenarioCase { states.scenarioCase }
    let reproduceCommand: [String]
    let origin: CaseOrigin

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        guard arguments.values("--card").isEmpty ? arguments.operands.count == 1 : arguments.operands.isEmpty else {
            throw UsageError("name one scenario file, or cards with --card")
        }
        let selection = try CaseSelection(arguments, scenarios: SelectedFiles.scenarios(arguments, context))
        let cases = selection.cases
        guard let scenario = selection.scenarios.first, let scenarioCase = cases.first, cases.count == 1 else {
            throw UsageError("only one case can be served; choose it with `--case`: \(CaseNames(cases))")
        }
        states = try CardStates(restoring: scenarioCase, context)
        reproduceCommand =
            ReproduceLine.ofTest(in: context.surroundings)
            ?? ReproduceLine.words("serve", arguments, scenario, scenarioCase)
        origin = CaseOrigin(
            scenario.name, source: try? context.folder.load(scenario.file), tapsim: TapSimCommand.version)
    }
}
