import TapDocument
import TapSystem
import TapReport
import TapScenario
import TapServe
import TapWire
import TapYAML

extension Verb {
    static let ctl = Verb(
        name: "ctl",
        usages: [
            "tap CARD [READER]", "remove [CARD]", "swap OUT IN [--gap 30ms]", "set CARD KEY=VALUE…", "reset",
            "journal [--last N]", "verify [--count COMMAND=N] [--never COMMAND] [--file FILE]", "status",
            "plug [READER]", "unplug [READER]", "phone cancel|background|radio on|radio off",
            "keep FOLDER [--because TEXT] [--force]", "stop [--linger]",
        ],
        summary: "Control the cards of tapsim serve or an app, and check what clients did.",
        examples: [
            Example("Take the card away", "tapsim ctl remove"),
            Example("Check what the client did", "tapsim ctl verify --count felica.read=2 --never felica.write"),
        ],
        details: """
            TAPSIM_CTL or --control names the socket of tapsim serve, or of an app that is
            built on VirtualCoreNFC and was started with TAPSIM_CARD or TAPSIM_SCENARIO. Such
            an app prints its socket on standard error, or listens at the path in its own
            TAPSIM_CTL (in the iOS simulator, SIMCTL_CHILD_TAPSIM_CTL).

              tap, remove, swap  Move cards.
              set                Change values of a card in place.
              reset              Restore the initial state.
              journal            Describe the exchanges.
              verify             Compare them with the options, with a FILE that has the
                                 keys of `expect`, or else with the scenario's expectations.
                                 On a failure, show the nearest exchange and exit with 1.
              status             Show the state of the cards and readers.
              plug, unplug       Connect or disconnect a reader of tapsim serve.
              phone              For an app: `cancel` presses the button on the session's
                                 sheet, `background` leaves the app, `radio` switches NFC on
                                 or off.
              keep               Write the page, the trace and the case to FOLDER, as tapsim
                                 run does for a failed case.
              stop               End tapsim serve; an app only stops being controlled.
            """,
        more: """
            Programs can use the socket directly, with one line of JSON in each direction:

              {"tap": "suica"}
              {"swap": {"out": "suica", "in": "tag", "gap": "30ms"}}
              {"set": {"card": "suica", "values": {"balance": 1}}}
              {"verify": {"counts": {"felica.read": 2}}}
              {"journal": {"last": 5}}
              {"status": {}}
              {"phone": "cancel"}
              {"phone": {"radio": "off"}}
            """,
        options: [
            .value("--control", "PATH", "Use this socket instead of TAPSIM_CTL"),
            .value("--gap", "TIME", "With swap: set the time between the old card leaving and the new one arriving"),
            .value("--last", "N", "With journal: show only the newest N exchanges and other commands"),
            .value(
                "--count", "COMMAND=N", isRepeatable: true,
                "With verify: expect a number of commands, such as felica.read=2 or 1..3"),
            .value("--never", "COMMAND", isRepeatable: true, "With verify: expect that a command was not sent"),
            .value("--because", "TEXT", "With keep: state the reason, which the page shows first"),
            .flag("--force", "With keep: replace existing files"),
            .flag("--linger", "With stop: serve connected programs until they disconnect"),
            .value("--file", "FILE", "With verify: read expectations from a file, under `expect` or at its top"),
            .flag("--json", "Print a JSON document instead of text"),
        ],
        run: { arguments, context in
            let console = context.console
            let request = try CtlRequest(arguments, context).node
            let answer = try ControlCall(arguments, in: context.surroundings).answer(to: request)
            if let files = answer["result"]?["files"], let folder = arguments.operands.last {
                return try keep(files, in: folder, arguments, context)
            }
            if arguments.isGiven("--json") {
                console.print(json: answer["result"] ?? .null)
            } else {
                for line in answer["text"]?.items ?? [] { console.print(line.text ?? "") }
            }
            return answer["result"]?["passed"]?.text == "false" ? .failed : .passed
        })

    static let keptFiles = OutputTable<(folder: String, names: [String])>(
        "kept-files", "A kept test",
        .always("folder", "The folder") { $0.folder },
        .always("files", "The files written there") { $0.names })

    private static func keep(
        _ files: Node, in folder: String, _ arguments: Arguments, _ context: CommandContext
    ) throws -> ExitCode {
        var contents = files.entries.map { (name: $0.key.text, bytes: Array(($0.value.text ?? "").utf8)) }
        // A packet capture is binary and does not come through the socket; it is created from the trace.
        if let lines = files["trace.jsonl"]?.text,
            let trace = try? TraceReader.trace(SourceFile(name: "trace.jsonl", text: lines))
        {
            contents.append(("trace.pcapng", PacketCapture(trace).bytes))
        }
        let names = contents.map(\.name)
        let isForced = arguments.isGiven("--force")
        for name in names {
            // Anything may listen on the socket, and its answer contains file names.
            guard (try? NameRule().parse(name)) != nil else {
                throw VerbError(
                    .environment, "the service sent a file with the invalid name `\(name)`; nothing was written")
            }
            try context.folder.refuseLinks(on: name, below: folder)
            if !isForced { try context.folder.checkFree("\(folder)/\(name)") }
        }
        try context.folder.makeFolder(of: "\(folder)/")
        for file in contents {
            try context.folder.write("\(folder)/\(file.name)", with: file.bytes, isReplacing: isForced)
        }
        if arguments.isGiven("--json") {
            context.console.print(json: keptFiles.node((folder, names)))
        } else {
            context.console.print("kept in \(folder): \(names.joined(separator: ", "))")
        }
        return .passed
    }
}

private struct ControlCall {
    private let path: String

    init(_ arguments: Arguments, in surroundings: Surroundings) throws(VerbError) {
        guard let path = arguments.value("--control") ?? surroundings[FieldService.variable], !path.isEmpty else {
            throw VerbError(
                .environment,
                "\(FieldService.variable) is not set, so the service is unknown; "
                    + "evaluate the output of `tapsim serve --env`, or name the socket with `--control`")
        }
        self.path = surroundings.folder.path(to: path)
    }

    func answer(to request: Node) throws(VerbError) -> Node {
        let client: ControlClient
        do {
            client = try ControlClient(to: path)
        } catch {
            throw VerbError(
                .environment,
                "cannot reach the service: \(error); start `tapsim serve`, or an app with TAPSIM_CARD")
        }
        guard let line = client.ask(JSONWriter.text(request)) else {
            throw VerbError(.environment, "the service at \(path) did not answer; it has ended or hangs")
        }
        var diagnostics = Diagnostics()
        let reader = JSONReader(limits: Self.limits)
        let answer = reader.read(SourceFile(name: "answer", text: line), into: &diagnostics)
        guard let answer, let isDone = answer["ok"]?.text else {
            throw VerbError(
                .environment,
                "the program that listens at \(path) is neither tapsim serve nor an app with virtual cards")
        }
        guard isDone == "true" else { throw VerbError(.usage, answer["error"]?.text ?? "refused") }
        return answer
    }

    /// The limits for answers, since a journal may be larger than any scenario.
    private static let limits = DocumentLimits(
        maximumBytes: ControlClient.maximumAnswerLength, maximumDepth: DocumentLimits.scenario.maximumDepth,
        maximumNodes: 10_000_000)
}

struct CtlRequest {
    let node: Node

    /// Options and the actions they belong to.
    private static let ownOptions = [
        "--gap": "swap", "--last": "journal", "--count": "verify", "--never": "verify", "--file": "verify",
        "--because": "keep", "--force": "keep", "--linger": "stop",
    ]

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        let word = arguments.operands.first ?? ""
        for (option, owner) in Self.ownOptions.sorted(by: { $0.key < $1.key })
        where arguments.isGiven(option) && word != owner {
            throw UsageError("`\(option)` is only for `\(owner)`")
        }
        let rest = Array(arguments.operands.dropFirst())
        switch (word, rest.count) {
        case ("tap", 1), ("remove", 1), ("plug", 1), ("unplug", 1):
            node = .map([(key: word, value: .text(rest[0]))])
        case ("tap", 2): node = ["tap": ["card": .text(rest[0]), "reader": .text(rest[1])]]
        case ("swap", 2): node = ["swap": Self.swap(rest, gap: arguments.value("--gap"))]
        case ("set", 2...): node = ["set": try Self.set(rest[0], rest.dropFirst())]
        case ("journal", 0): node = ["journal": try Self.journal(arguments)]
        case ("verify", 0):
            let asker = arguments.value("--file") ?? "--"
            node = ["verify": try Self.verify(arguments, context), "asked_by": .text(asker)]
        case ("keep", 1): node = ["keep": .map(["because": arguments.value("--because").map(Node.text)])]
        case ("stop", 0): node = ["stop": .map(["linger": arguments.isGiven("--linger") ? .boolean(true) : nil])]
        case ("phone", 1): node = ["phone": .text(rest[0])]
        case ("phone", 2): node = ["phone": .map([(key: rest[0], value: .text(rest[1]))])]
        case ("remove", 0), ("reset", 0), ("status", 0), ("plug", 0), ("unplug", 0):
            node = .map([(key: word, value: .map([]))])
        default:
            throw Self.misunderstood(word)
        }
    }

    private static func misunderstood(_ word: String) -> UsageError {
        let usages = Verb.ctl.usages
        let verbs = usages.map { String($0.prefix { $0 != " " }) }
        if let index = verbs.firstIndex(of: word) { return UsageError("write `tapsim ctl \(usages[index])`") }
        guard !word.isEmpty else { return UsageError("name an action: \(ListText.choice(verbs))") }
        return UsageError(action: word, of: "ctl", among: verbs)
    }

    private static func swap(_ cards: [String], gap: String?) -> Node {
        .map(["out": .text(cards[0]), "in": .text(cards[1]), "gap": gap.map(Node.text)])
    }

    private static func set(_ card: String, _ values: ArraySlice<String>) throws -> Node {
        do {
            return ["card": .text(card), "values": try CardArgument.values(values.joined(separator: ","))]
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func journal(_ arguments: Arguments) throws -> Node {
        .map(["last": try arguments.number("--last", as: Int.self).map { .number($0) }])
    }

    private static func verify(_ arguments: Arguments, _ context: CommandContext) throws -> Node {
        let counts = try arguments.values("--count").map { text throws(UsageError) -> (key: String, value: Node) in
            guard let sign = text.firstIndex(of: "=") else {
                throw UsageError("`--count \(text)` has no number; write --count felica.read=2")
            }
            return (String(text[..<sign]), .text(String(text[text.index(after: sign)...])))
        }
        let never = arguments.values("--never").map(Node.text)
        guard let path = arguments.value("--file") else {
            return .map([
                "counts": counts.isEmpty ? nil : .map(counts), "never": never.isEmpty ? nil : .list(never),
            ])
        }
        guard counts.isEmpty, never.isEmpty else {
            throw UsageError("`--file` cannot be combined with `--count` or `--never`")
        }
        return try expectations(in: path, context)
    }

    private static func expectations(in path: String, _ context: CommandContext) throws(VerbError) -> Node {
        var diagnostics = Diagnostics()
        let file = try context.folder.load(path)
        let node = DocumentReaders.reader(for: path).read(file, into: &diagnostics)
        try ScenarioFiles.report(diagnostics, context.console)
        guard let node, node.kind == .map else {
            throw VerbError(.usage, "\(path) contains no expectations; write the keys of `expect`")
        }
        return node["expect"] ?? node
    }
}
