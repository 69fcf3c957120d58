import TapDocument
import TapSystem
import TapJudge
import TapRecording
import TapReport
import TapRun
import TapScenario
import TapWire
import TapYAML

extension Verb {
    static let initialize = Verb(
        name: "init",
        usages: [
            "[FOLDER] [--card CARD] [--ci github|gitlab|none]", "[FOLDER] --from-run --card CARD… [-- CLIENT ARG…]",
            "[FOLDER] --from-run -- CLIENT ARG…",
        ],
        summary: "Write a first scenario and a pipeline that runs it in CI.",
        examples: [
            Example("Write a scenario and a pipeline for GitHub", "tapsim init"),
            Example(
                "Write what your program does with a Suica", "tapsim init --from-run --card suica -- python3 reader.py"),
        ],
        details: """
            The scenario describes one card, a Suica by default, and states what the built-in
            client finds on it. With --from-run it states what happened in a run: exchanges,
            result or output, and counts. A CLIENT after -- runs twice, and the scenario
            states only what both runs have in common. A client that keeps running and waits
            for cards runs again with `taps: 1`; its last line before the first card is used
            as the sign that it is ready. Without --card the client reads your card on a
            PC/SC reader of this machine, and the scenario is a recording, as from tapsim
            record. The files assume that commands run in FOLDER. Existing files are replaced
            only with --force.

            The pipeline installs tapsim as this one was installed: from the URL of a wheel,
            or from a wheel on this machine, which is copied to FOLDER/wheels. Otherwise put a
            wheel there, or give another command with --install. The pipeline also installs
            what requirements.txt lists and the system packages needed for it, and runs each
            --setup command, such as make, before the scenarios.
            """,
        options: ReaderArguments.options + [
            .value(
                "--card", "CARD", isRepeatable: true,
                "Use this card: suica:balance=3120,trips=20, or any card of tapsim run"),
            .choice(
                "--ci", "SERVICE", Pipeline.Service.self,
                "Write a pipeline for github, gitlab or none (default: github)"),
            .value("--install", "COMMAND", "Install tapsim in CI with this command: 'pip install URL-OF-A-WHEEL'"),
            .value(
                "--setup", "COMMAND", isRepeatable: true,
                "Run this command in CI before the scenarios, such as make or npm ci"),
            .value("--name", "NAME", "Name the scenario and its file (default: first)"),
            .value("--seed", "N", "Set the seed of all random choices"),
            .flag("--from-run", "Write what a run of the client did, or record it"),
            LiveRecording.service,
            .flag("--force", "Replace existing files"),
        ],
        takesClient: true,
        run: { arguments, context in try await InitVerb(arguments, context).run() })
}

private struct InitVerb {
    private static let defaultCard = "suica:balance=3120,trips=20"

    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let folder: String
    private let name: String
    private let service: Pipeline.Service
    private let setup: [String]
    /// The system packages that the client needs in CI, without those that `--setup` names.
    private let packages: [String]
    private let cards: [String]
    private let isFromRun: Bool
    /// A Boolean value that indicates whether the card is the user's own, on a real reader.
    private let isRecording: Bool

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context
        guard arguments.operands.count < 2 else { throw UsageError("name one folder; a client comes after `--`") }
        folder = try Self.folder(arguments.operands.first, context)
        name = arguments.value("--name") ?? "first"
        guard (try? NameRule("the name of a scenario").parse(name)) != nil else {
            throw UsageError("`--name` needs letters, digits, `_`, `-` and `.`, not `\(name)`")
        }
        service = try arguments.word("--ci") ?? .github
        setup = try Self.setup(arguments, folder, service, context)
        packages = Self.packages(of: arguments, folder, context)
        isFromRun = arguments.isGiven("--from-run")
        let given = arguments.values("--card")
        guard isFromRun || arguments.client == nil else { throw UsageError("a client needs `--from-run`") }
        isRecording = isFromRun && given.isEmpty
        guard !isRecording || arguments.client != nil else {
            throw UsageError("`--from-run` needs a card (`--card suica`) or a client that reads yours (`-- ./client`)")
        }
        guard isFromRun || given.count < 2 else { throw UsageError("several cards need `--from-run`") }
        cards = given.isEmpty ? [Self.defaultCard] : given
        try Self.checkPlace(of: arguments.client ?? [], folder, context)
    }

    private static func folder(_ given: String?, _ context: CommandContext) throws(UsageError) -> String {
        guard let given else { return "." }
        let path = given.count > 1 && given.hasSuffix("/") ? String(given.dropLast()) : given
        let isFile =
            [".yaml", ".yml", ".json"].contains(where: path.hasSuffix) && context.folder.names(in: path) == nil
        guard !isFile else {
            let name = path.split(separator: "/").last?.split(separator: ".").first ?? "first"
            throw UsageError(
                "`init` takes the folder of a repository, not a file; "
                    + "`--name \(name)` writes Scenarios/\(name).yaml in it")
        }
        return path
    }

    private static func setup(
        _ arguments: Arguments, _ folder: String, _ service: Pipeline.Service, _ context: CommandContext
    ) throws(UsageError) -> [String] {
        for option in ["--install", "--setup"] {
            for command in arguments.values(option) {
                guard service != .none else {
                    throw UsageError("`\(option)` is for CI, but `--ci none` writes no pipeline")
                }
                guard !command.isEmpty, PrintableText.visible(command) == command, !command.contains("\n") else {
                    throw UsageError("`\(option)` needs a command on one line")
                }
            }
        }
        let isThere = context.folder.isRegular(requirements(in: folder))
        return arguments.values("--setup") + (isThere ? ["pip install -r \(requirementsName)"] : [])
    }

    private static let requirementsName = "requirements.txt"

    private static func requirements(in folder: String) -> String {
        folder == "." ? requirementsName : "\(folder)/\(requirementsName)"
    }

    private static func packages(
        of arguments: Arguments, _ folder: String, _ context: CommandContext
    ) -> [String] {
        var packages = ClientPackages.named(inRequirements: requirements(in: folder), in: context.folder)
        if let program = arguments.client?.first {
            if isBuilt(program, in: context.folder) {
                packages += ClientPackages.building(program, in: context.folder)
            } else if !program.contains("/"), !ClientPermission.isInterpreter(program) {
                packages += [ClientPackages.providing(program, in: context.surroundings)].compactMap(\.self)
            }
        }
        let named = arguments.values("--setup").flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        return packages.filter { !named.contains($0) }
    }

    /// Rejects a client that exists here but not in the folder where the scenario will run.
    private static func checkPlace(
        of client: [String], _ folder: String, _ context: CommandContext
    ) throws(UsageError) {
        let here = context.folder
        guard here.realPath(of: folder) != here.realPath(of: ".") else { return }
        for word in client where !word.hasPrefix("/") && !word.hasPrefix("-") && here.realPath(of: word) != nil {
            throw UsageError(
                "the scenario will run in \(folder), where `\(word)` does not exist; change to that folder and omit FOLDER"
            )
        }
    }

    func run() async throws -> ExitCode {
        let scenario = "Scenarios/\(name).yaml"
        var files = [(path: path(scenario), text: "")]
        let wheel = service == .none ? nil : wheel
        for name in [scenario, service.path, wheel.map(Self.place)].compactMap(\.self) {
            try context.folder.refuseLinks(on: name, below: folder)
        }
        if let path = service.path { files.append((self.path(path), pipeline(with: wheel).text(for: service))) }
        if !arguments.isGiven("--force"), let known = files.map(\.path).first(where: context.folder.isTaken) {
            throw VerbError(.usage, "\(known) already exists; use `--force` to replace it\(advice(about: known))")
        }
        let notes: [String]
        (files[0].text, notes) = try await isRecording ? recording() : self.scenario()
        for file in files { try context.folder.makeFolder(of: file.path) }
        try check(files[0].text, at: files[0].path)
        for (path, text) in files {
            try context.folder.write(path, with: Array(text.utf8), isReplacing: arguments.isGiven("--force"))
            console.print("wrote \(path)")
        }
        if let kind { console.print("  \(kind)") }
        for note in notes { console.printError("note: \(note)") }
        if let wheel { try copy(wheel) }
        printNextSteps()
        return .passed
    }

    /// The source of the scenario, if there are two possibilities.
    private var kind: String? {
        guard isFromRun else { return nil }
        return isRecording
            ? "the scenario is a recording of your card"
            : "the scenario states what the client did with the cards of --card"
    }

    /// Records the client with the user's card, and returns a scenario that replays it, with notes.
    private func recording() async throws -> (text: String, notes: [String]) {
        let recording = try await LiveRecording(arguments, context).made()
        let sessions = recording.sessions
        var session = sessions[0]
        session.client = arguments.client
        let scrubbed = session.scrubbed()
        let isCut = sessions.count > 1
        let rest =
            isCut ? ["a second reader or card was left out; `tapsim record` writes it to its own file"] : []
        return (RecordingFile(name: name, scrubbed.session).text, scrubbed.notes + recording.omissions + rest)
    }

    /// The reason why the client needs `--allow-client`, if it does.
    private var obstacle: String? {
        arguments.client.flatMap { ClientPermission.obstacle(to: ProgramClient($0), in: folder, context.folder) }
    }

    /// The option that the command also needs, with a leading space.
    private var permission: String { obstacle == nil ? "" : " --allow-client" }

    /// The wheel to copy into the repository, if this tapsim was installed from one.
    private var wheel: String? {
        guard arguments.value("--install") == nil, case .wheel(let path) = Installation.own else { return nil }
        return path
    }

    private func pipeline(with wheel: String?) -> Pipeline {
        let own =
            switch Installation.own {
            case .address(let address): "pip install \(ShellText.text([address]))"
            case .wheel: wheel.map { "pip install \(ShellText.text(["./\(Self.place(of: $0))"]))" } ?? ""
            // Not by name: in an index without TapSim, anybody can register the name.
            case .other: "pip install ./\(Self.anyWheel)"
            }
        return Pipeline(
            install: arguments.value("--install") ?? own, packages: packages, setup: setup,
            run: "tapsim run --junit \(Pipeline.results) Scenarios\(permission)",
            permission: obstacle.map { obstacle in
                [
                    "--allow-client, since a scenario starts \(PrintableText.visible(obstacle)).",
                    "Remove it if people you do not trust contribute scenarios: their programs would run with your permissions.",
                ]
            } ?? [])
    }

    private static let anyWheel = "wheels/tapsim-*.whl"

    /// Returns the path of a wheel in the repository.
    private static func place(of wheel: String) -> String { "wheels/\(wheel.split(separator: "/").last ?? "")" }

    private func copy(_ wheel: String) throws {
        let path = path(Self.place(of: wheel))
        guard !context.folder.isTaken(path) || arguments.isGiven("--force") else { return }
        do {
            let bytes = try FileContent.bytes(of: wheel, upTo: Self.largestWheel)
            guard bytes.count <= Self.largestWheel else {
                throw VerbError(
                    .usage,
                    "\(wheel) is larger than \(Self.largestWheel >> 20) MiB; use `--install` to say how CI installs tapsim"
                )
            }
            try context.folder.makeFolder(of: path)
            try context.folder.replace(path, with: bytes)
        } catch let error as SystemError {
            throw VerbError(.usage, "\(error); use `--install` to say how CI installs tapsim")
        }
        console.print("wrote \(path), from which CI installs tapsim")
    }

    private static let largestWheel = 256 << 20

    private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

    private func advice(about path: String) -> String {
        path.hasSuffix(".yaml") ? ", or `--name` to write another" : ", or `--ci none` to leave it out"
    }

    private func scenario() async throws -> (text: String, notes: [String]) {
        let seed = try arguments.number("--seed", as: UInt64.self)
        guard let scenario = try CardArguments.scenario(cards, seed: seed, context),
            let test = try CaseSelection(arguments, scenarios: [scenario]).cases.first
        else { throw VerbError(.usage) }
        let draft = ScenarioDraft(
            name: name, cards: try CardArguments.nodes(cards, in: context.folder), reader: try reader(test),
            client: CaseRun.client(of: test), seed: test.seed, files: FolderFiles(around: "--card", in: context.folder))
        let runs = try await DraftRuns(of: test, for: draft, console, run: record)
        let records = runs.records
        if case .exit(let code)? = records.first?.client.end, code != 0 {
            let reason = records[0].client.standardError.split(separator: "\n").last.map { ": \($0)" } ?? ""
            console.warn("the client exited with \(code), and the scenario expects this exit code\(reason)")
        }
        if case .exit(0)? = records.first?.client.end, let failure = Judge.judge(test, records[0]).failures.first {
            // A scenario of this run would pass, although nothing was read.
            throw VerbError(.failed, "the run fails: \(failure.text); no file was written", help: failure.hint)
        }
        let (drafted, notes) = runs.draft.document(of: records, isFromRun ? .full : .brief)
        for note in notes where note.isWarning { console.warn("\(note)") }
        let text = DocumentFormatter.text(
            of: try movingPaths(in: drafted), comments: comments, table: ScenarioLoader.table)
        return (text, notes.filter { !$0.isWarning }.map(\.description))
    }

    /// Makes the paths in the cards relative to the scenario's folder.
    private func movingPaths(in document: Node) throws(VerbError) -> Node {
        let cards = try document["cards"]?.entries.map { card throws(VerbError) in
            (key: card.key.text, value: try movingPaths(ofCard: card.value))
        }
        return .map(
            document.entries.map { entry in
                let isCards = entry.key.text == "cards"
                return (key: entry.key.text, value: isCards ? cards.map(Node.map) ?? entry.value : entry.value)
            })
    }

    private func movingPaths(ofCard card: Node) throws(VerbError) -> Node {
        .map(
            try card.entries.map { entry throws(VerbError) in
                let isPath = CardLanguage.pathKeys.contains(entry.key.text)
                return (key: entry.key.text, value: isPath ? .text(try moved(entry.value.text ?? "")) : entry.value)
            })
    }

    /// Returns the path of a file relative to the scenario's folder.
    private func moved(_ path: String) throws(VerbError) -> String {
        let name = path.split(separator: "/").last ?? ""
        let parent = path.dropLast(name.count)
        // A card's state file may not exist yet.
        let here = context.folder
        let real =
            here.realPath(of: path) ?? here.realPath(of: parent.isEmpty ? "." : String(parent)).map { "\($0)/\(name)" }
        guard let real, let root = here.realPath(of: folder), RealPath.isInside(real, root) else {
            throw VerbError(
                .usage,
                "\(path) is outside \(folder), where the scenario will run; copy it there, and name the copy")
        }
        return "../" + real.dropFirst(root == "/" ? 1 : root.utf8.count + 1)
    }

    /// Rejects a scenario that would not load from its future location, for example because of the path of a dump.
    private func check(_ text: String, at path: String) throws {
        var diagnostics = Diagnostics()
        _ = ScenarioLoader(reader: YAMLReader(), .init(files: FolderFiles(around: path, in: context.folder)))
            .load(SourceFile(name: path, text: text), into: &diagnostics)
        if diagnostics.hasErrors { try ScenarioFiles.report(diagnostics, console) }
    }

    private func reader(_ test: ScenarioCase) throws -> ReaderSpec? {
        try ReaderArguments(arguments).isGiven ? test.reader : nil
    }

    private func record(of test: ScenarioCase) async throws -> RunRecord {
        var run = CaseRun(in: context.surroundings)
        if arguments.client != nil { run.clientOutput = { console.pass($1, from: $0) } }
        do {
            return try await run.run(test)
        } catch {
            throw VerbError(error)
        }
    }

    private var comments: [String] {
        let options = ["--model", "--transport", "--seed"].flatMap { name in
            arguments.value(name).map { [name, $0] } ?? []
        }
        let cards = ShellText.text(cards.flatMap { ["--card", $0] } + options)
        let client = arguments.client.map { " -- \(ShellText.text($0))" } ?? ""
        guard isFromRun else {
            return [
                "A first scenario: a card, its reader program and the expected result. Change the card, name your program under",
                "`client` as {run: [./client]}, and state what you expect.",
            ]
        }
        return ["Written from a run: tapsim run \(PrintableText.visible(cards + client))"]
    }

    private func printNextSteps() {
        let file = "Scenarios/\(name).yaml"
        console.print("next:")
        if folder != "." { console.print("  cd \(ShellText.text([folder]))") }
        console.print("  tapsim run \(file)\(permission)")
        if arguments.client == nil { console.print("  tapsim run \(file) -- ./client    with your program") }
        guard service != .none else { return }
        if Installation.own == .other, arguments.value("--install") == nil {
            console.print(
                "  CI installs tapsim from \(Self.anyWheel): put the wheel of TapSim \(TapSimCommand.version) there, or "
                    + "use --install to say how CI installs it")
        }
        console.print("  git add \(ShellText.text(written)), commit and push")
        if arguments.values("--setup").isEmpty, let program = arguments.client?.first { printClientNotes(program) }
    }

    /// Prints what CI has to do for the client, as far as it can be determined.
    private func printClientNotes(_ program: String) {
        let name = PrintableText.visible(program)
        if Self.isBuilt(program, in: context.folder) {
            console.print("  `\(name)` is compiled, so CI has to build it: --setup make, or your own command")
        } else if !program.contains("/"), !ClientPermission.isInterpreter(program), packages.isEmpty {
            console.print("  `\(name)` has to be installed in CI too: --setup 'apt-get install …', or your own command")
        }
    }

    private var installsOwnWheel: Bool {
        if case .address = Installation.own { return false }
        return arguments.value("--install") == nil
    }

    /// The files to add to git.
    private var written: [String] {
        ["Scenarios", service.path ?? ""] + (installsOwnWheel ? ["wheels"] : [])
    }

    /// A Boolean value that indicates whether a program below the working directory is machine code; repositories usually
    /// contain only its source.
    private static func isBuilt(_ program: String, in folder: WorkingFolder) -> Bool {
        guard program.contains("/"), !program.hasPrefix("/") else { return false }
        let magic: [[UInt8]] = [[0x7F, 0x45, 0x4C, 0x46], [0xCF, 0xFA, 0xED, 0xFE]]
        guard let bytes = try? folder.bytes(of: program, upTo: 4) else { return false }
        return magic.contains(Array(bytes.prefix(4)))
    }
}
