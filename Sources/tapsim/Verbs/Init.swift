import TapDocument
import TapDoors
import TapJudge
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
        ],
        summary: "Write a first scenario and a file that runs it in CI.",
        details: """
            The scenario is about one card, a Suica if none is given, and states what the built-in client finds on it. With
            --from-run it states what a run did: exchanges, result and counts; a CLIENT behind -- is run twice, and only what
            both runs have in common is stated. The files are for commands that are run in FOLDER. Nothing that is there is
            replaced without --force.
            """,
        options: ReaderArguments.options + [
            .value("--card", "CARD", isRepeatable: true, "The card: suica:balance=3120,trips=20 or any of tapsim run."),
            .value("--ci", "SERVICE", "The service the CI file is for: github (without it), gitlab or none."),
            .value("--name", "NAME", "The name of the scenario and its file; first without it."),
            .value("--seed", "N", "The seed of everything drawn by chance."),
            .flag("--from-run", "State what a run of the client did."),
            .flag("--force", "Replace files that are there."),
        ],
        takesClient: true,
        run: { arguments, console in try await InitVerb(arguments, console).run() })
}

private struct InitVerb {
    private static let defaultCard = "suica:balance=3120,trips=20"

    private let arguments: Arguments
    private let console: Console
    private let folder: String
    private let name: String
    private let service: ContinuousIntegration
    private let cards: [String]
    private let isFromRun: Bool

    init(_ arguments: Arguments, _ console: Console) throws {
        self.arguments = arguments
        self.console = console
        guard arguments.operands.count < 2 else { throw UsageError("name one folder; a client comes after `--`") }
        folder = arguments.operands.first ?? "."
        name = arguments.value("--name") ?? "first"
        guard (try? NameRule("the name of a scenario").parse(name)) != nil else {
            throw UsageError("`--name` needs letters, digits, `_`, `-` and `.`, not `\(name)`")
        }
        service = try arguments.word("--ci") ?? .github
        isFromRun = arguments.isGiven("--from-run")
        let given = arguments.values("--card")
        guard isFromRun || arguments.client == nil else { throw UsageError("a client goes with `--from-run`") }
        guard !isFromRun || !given.isEmpty else { throw UsageError("`--from-run` needs a card: --card suica") }
        guard isFromRun || given.count < 2 else { throw UsageError("several cards go with `--from-run`") }
        cards = given.isEmpty ? [Self.defaultCard] : given
        try Self.checkPlace(of: arguments.client ?? [], folder)
    }

    /// Refuses a client that is found from here but not from the folder in which the scenario will run.
    private static func checkPlace(of client: [String], _ folder: String) throws(UsageError) {
        guard RealPath.of(folder) != RealPath.of(".") else { return }
        for word in client where !word.hasPrefix("/") && !word.hasPrefix("-") && RealPath.of("./\(word)") != nil {
            throw UsageError(
                "the scenario is to run in \(folder), where `\(word)` is not found; change to that folder and leave FOLDER out"
            )
        }
    }

    func run() async throws -> ExitCode {
        let command = "tapsim run Scenarios\(permission)"
        var files = [(path: path("Scenarios/\(name).yaml"), text: "")]
        if let path = service.path { files.append((self.path(path), service.text(running: command))) }
        if !arguments.isGiven("--force"), let known = files.map(\.path).first(where: OutputFile.isThere) {
            throw VerbError(.usage, "\(known) is there already; --force replaces it\(advice(about: known))")
        }
        files[0].text = try await scenario()
        for file in files { try OutputFile.makeFolder(of: file.path) }
        try check(files[0].text, at: files[0].path)
        for (path, text) in files {
            try OutputFile.replace(path, with: text)
            console.print("wrote \(path)")
        }
        tellNextSteps()
        return .passed
    }

    /// The option that the command needs besides.
    private var permission: String {
        let client = arguments.client.flatMap { ClientPermission.obstacle(to: ProgramClient($0), in: folder) }
        return client == nil ? "" : " --allow-client"
    }

    private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

    private func advice(about path: String) -> String {
        path.hasSuffix(".yaml") ? ", --name writes another" : ", --ci none leaves it out"
    }

    private func scenario() async throws -> String {
        let seed = try arguments.number("--seed", as: UInt64.self)
        guard let scenario = try CardArguments.scenario(cards, seed: seed, console: console),
            let test = try CaseSelection(arguments, scenarios: [scenario]).cases.first
        else { throw VerbError(.usage) }
        // What a program does by chance differs from run to run; a built-in client repeats itself.
        let count = test.isBuiltin ? 1 : 2
        var records: [RunRecord] = []
        for _ in 0..<count { records.append(try await record(of: test)) }
        guard records.allSatisfy({ if case .exit = $0.client.end { true } else { false } }) else {
            throw VerbError(.failed, "the client did not end by itself, so no end can be stated; no file was written")
        }
        if case .exit(let code)? = records.first?.client.end, code != 0 {
            let reason = records[0].client.standardError.split(separator: "\n").last.map { ": \($0)" } ?? ""
            console.warn("the client left with \(code), and the scenario expects just that\(reason)")
        }
        let draft = ScenarioDraft(
            name: name, cards: try CardArguments.nodes(cards), reader: try reader(test),
            client: CaseRun.client(of: test), seed: test.seed, files: FolderFiles(around: "--card"))
        let document = try movingPaths(in: draft.document(of: records, isFromRun ? .full : .brief))
        return DocumentFormatter.text(of: document, comments: comments, table: ScenarioLoader.table)
    }

    /// Makes the paths of the cards relative to the folder of the scenario.
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

    /// The path of a file relative to the folder of the scenario.
    private func moved(_ path: String) throws(VerbError) -> String {
        let name = path.split(separator: "/").last ?? ""
        let parent = path.dropLast(name.count)
        // The state file of a card may not exist yet.
        let real = RealPath.of(path) ?? RealPath.of(parent.isEmpty ? "." : String(parent)).map { "\($0)/\(name)" }
        guard let real, let root = RealPath.of(folder), RealPath.isInside(real, root) else {
            throw VerbError(
                .usage,
                "\(path) lies outside \(folder), in which the scenario is to run; copy it there, and name the copy")
        }
        return "../" + real.dropFirst(root == "/" ? 1 : root.utf8.count + 1)
    }

    /// Refuses a scenario that does not load from its future place, such as one with a dump beside the command.
    private func check(_ text: String, at path: String) throws {
        var diagnostics = Diagnostics()
        _ = ScenarioLoader(reader: YAMLReader(), .init(files: FolderFiles(around: path)))
            .load(SourceFile(name: path, text: text), into: &diagnostics)
        if diagnostics.hasErrors { try ScenarioFiles.tell(diagnostics, console) }
    }

    private func reader(_ test: ScenarioCase) throws -> ReaderSpec? {
        try ReaderArguments(arguments).isGiven ? test.reader : nil
    }

    private func record(of test: ScenarioCase) async throws -> RunRecord {
        var run = CaseRun()
        if arguments.client != nil { run.clientOutput = { console.pass($1, from: $0) } }
        do {
            return try await run.run(test)
        } catch {
            throw VerbError(error)
        }
    }

    private var comments: [String] {
        let cards = ShellWords.text(cards.flatMap { ["--card", $0] })
        let client = arguments.client.map { " -- \(ShellWords.text($0))" } ?? ""
        guard isFromRun else {
            return [
                "A first scenario: a card, who reads it, and what has to come out. Change the card, name your program under",
                "`client` as {run: [./client]}, and say what you expect of it.",
            ]
        }
        return ["What a run did: tapsim run \(PrintableText.visible(cards + client))"]
    }

    private func tellNextSteps() {
        let file = "Scenarios/\(name).yaml"
        console.print("next:")
        if folder != "." { console.print("  cd \(ShellWords.text([folder]))") }
        console.print("  tapsim run \(file)\(permission)")
        if arguments.client == nil { console.print("  tapsim run \(file) -- ./client    with your program") }
        if service != .none { console.print("  \(service.advice)") }
    }
}

enum ContinuousIntegration: String, CaseIterable {
    case github
    case gitlab
    case none

    /// Its path below the top of a repository, if any.
    var path: String? {
        switch self {
        case .github: ".github/workflows/tapsim.yml"
        case .gitlab: ".gitlab-ci.yml"
        case .none: nil
        }
    }

    /// The steps that make the file work.
    var advice: String {
        "in the variables of your repository, set TAPSIM_URL to where CI fetches the one-file tapsim that Tools/package makes"
    }

    /// The address of the command in shell syntax; unset, it says what is missing.
    private static let address = "\"${TAPSIM_URL:?set it in the variables of the repository}\""

    func text(running command: String) -> String {
        switch self {
        case .github:
            """
            # Runs the scenarios of this repository. The variable TAPSIM_URL of the repository leads to the tapsim of one file that
            # Tools/package of TapSim makes; it needs no reader, no daemon and no root.
            name: TapSim
            on: [push, pull_request]
            permissions:
              contents: read
            jobs:
              scenarios:
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                  - name: Fetch tapsim
                    env:
                      TAPSIM_URL: ${{ vars.TAPSIM_URL }}
                    run: |
                      curl --fail --silent --show-error --location --output "$RUNNER_TEMP/tapsim" \(Self.address)
                      chmod +x "$RUNNER_TEMP/tapsim"
                      echo "$RUNNER_TEMP" >> "$GITHUB_PATH"
                  # Build or install your client before this line; scenarios name it, or the last command does behind `--`.
                  - run: tapsim fmt --check Scenarios
                  - run: \(command)

            """
        case .gitlab:
            """
            # Runs the scenarios of this repository. The variable TAPSIM_URL of the project leads to the tapsim of one file that
            # Tools/package of TapSim makes; it needs no reader, no daemon and no root.
            scenarios:
              image: debian:stable-slim
              before_script:
                - apt-get update -qq && apt-get install -qq --yes curl ca-certificates
                - curl --fail --silent --show-error --location --output /usr/local/bin/tapsim \(Self.address)
                - chmod +x /usr/local/bin/tapsim
              script:
                # Build or install your client before this line; scenarios name it, or the last command does behind `--`.
                - tapsim fmt --check Scenarios
                - \(command)

            """
        case .none: ""
        }
    }
}
