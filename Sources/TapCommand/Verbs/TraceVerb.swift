import TapCards
import TapDocument
import TapTransports
import TapSystem
import TapField
import TapReport
import TapRun
import TapScenario
import TapWire
import TapYAML

extension Verb {
    /// `tapsim trace`: shows kept runs.
    static let trace = Verb(
        name: "trace",
        usages: [
            "show [RUN]", "list", "open [RUN]", "at N [RUN]", "export [RUN] FILE.html|FILE.jsonl|FILE.pcapng",
            "diff RUN RUN",
        ],
        summary: "Show a kept run: its exchanges, its page, or its differences from another run.",
        examples: [
            Example("Show the newest kept run", "tapsim trace show"),
            Example("Open the newest run in the browser", "tapsim trace open"),
            Example("Write a capture for Wireshark", "tapsim trace export run.pcapng"),
        ],
        details: """
            tapsim run keeps an index and the pages of cases in .tapsim/runs, for the newest 20
            runs, and the traces of failed cases; with --trace always it keeps all traces. A
            RUN is the folder of a case or a run there, its name, or a trace.jsonl (default:
            the newest run with a trace). `show` prints every exchange and the paths of the
            page and the trace. `export` writes the page, the trace or a Wireshark capture to
            a file, `-` for standard output; it replaces an existing file only with --force.
            `open` opens the page of a case or the index of several in the browser (default:
            those of the newest run). `at` prints the cards as they were after exchange N (0
            for the beginning) as a scenario file; with --shell it reads frames for them from
            standard input, like tapsim exchange. `diff` prints the first exchange in which
            two runs differ, and the exchanges before it. For two probes (tapsim record
            --probe), first of a real card and then of the engine, `diff --known LIST`
            compares the answers to each question, and fails if there are differences that
            LIST does not contain.
            """,
        options: [
            .flag("--json", "Print a JSON document instead of text"),
            .value("--page", "FILE", "With diff: write a page with both runs side by side"),
            .value("--known", "LIST", "With diff: accept the differences in a YAML file (see docs/recordings.md)"),
            .flag("--force", "With export and --page: replace an existing file"),
            .flag("--shell", "With at: send frames to the cards, one per line"),
            .choice(
                "--format", "FORMAT", TraceVerb.ExportFormat.self,
                "With export: write html, jsonl or pcapng (default: by the file's ending)"),
        ],
        run: { arguments, context in try TraceVerb(arguments, context).run() })
}

/// One run of `tapsim trace`.
struct TraceVerb {
    private static let actions = ["show", "list", "open", "at", "export", "diff"]

    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }

    init(_ arguments: Arguments, _ context: CommandContext) {
        self.arguments = arguments
        self.context = context.alongside(arguments.value("--page"))
    }

    func run() throws -> ExitCode {
        let words = Array(arguments.operands.dropFirst())
        try checkOptions()
        switch arguments.operands.first {
        case "show": try show(try one(words, "show"))
        case "list": list()
        case "open": try open(words)
        case "at": return try at(words)
        case "export": try export(words)
        case "diff": return try diff(words)
        case let word:
            guard let word else { throw UsageError("name an action: \(ListText.choice(Self.actions))") }
            throw UsageError(action: word, of: "trace", among: Self.actions)
        }
        return .passed
    }

    /// Rejects options of other actions.
    private func checkOptions() throws(UsageError) {
        let owners = [("--format", "export"), ("--page", "diff"), ("--known", "diff"), ("--shell", "at")]
        guard let action = arguments.operands.first, Self.actions.contains(action) else { return }
        for (option, owner) in owners where arguments.isGiven(option) && action != owner {
            let format = arguments.value("--format").map { ": tapsim trace export FILE --format \($0)" } ?? ""
            throw UsageError("`trace \(action)` has no option `\(option)`", help: "use `trace \(owner)`\(format)")
        }
    }

    private func one(_ words: [String], _ action: String) throws -> String {
        guard words.count <= 1 else { throw UsageError("`trace \(action)` takes one run") }
        return try KeptCase.folder(words.first, in: context.folder)
    }

    private func kept(_ word: String?) throws(VerbError) -> KeptCase {
        KeptCase(try KeptCase.folder(word, in: context.folder), in: context.folder)
    }

    static let shown = OutputTable<Trace>(
        "shown-trace", "A trace that is shown",
        .always("exchanges", "The exchanges", \.exchanges))

    private func show(_ path: String) throws {
        let kept = KeptCase(path, in: context.folder)
        let trace = try kept.trace()
        guard !arguments.isGiven("--json") else {
            return console.print(json: Self.shown.node(trace))
        }
        for line in TraceText(trace, style: console.style).lines { console.print(line) }
        console.print(LineLabel.trace.line(kept.tracePath))
        if let page = kept.pagePath { console.print(LineLabel.page.line(page)) }
    }

    /// The document for a file, given its path.
    static let exported = OutputTable<String>(
        "exported", "A file that was written or is shown",
        .always("file", "The file") { $0 })

    private func open(_ words: [String]) throws {
        let run = try? KeptCase.path(words.first, in: context.folder)
        guard let page = try run.flatMap(page) ?? kept(try one(words, "open")).pagePath else {
            throw VerbError(.usage, "there is no page next to that trace")
        }
        if arguments.isGiven("--json") { console.print(json: Self.exported.node(page)) } else { console.print(page) }
        try Browser.open(page, in: context.surroundings)
    }

    /// Returns the page of a case, a campaign, or a run: of its only case, or the index of several.
    private func page(of folder: String) -> String? {
        let pages = [RunFolder.casePage, RunFolder.campaignPage, RunFolder.indexPage].map { "\(folder)/\($0)" }
        let page = pages.first(where: context.folder.isThere)
        let cases = KeptCase.pages(of: folder, in: context.folder)
        return page == pages.last && cases.count == 1 ? cases[0] : page
    }

    static let cards = OutputTable<NodeMap>(
        "cards", "Cards after an exchange",
        .always("format", "1, as in a scenario file") { _ in 1 },
        .always("cards", "The cards, as a scenario has them", as: OutputDocument.scenario) { Node.map($0) })

    /// Prints the cards after an exchange, or sends frames to them.
    private func at(_ words: [String]) throws -> ExitCode {
        guard let number = words.first.flatMap({ Int($0) }), number >= 0, words.count <= 2 else {
            throw UsageError("`trace at` needs the number of an exchange and, optionally, a run")
        }
        let kept = try kept(words.count == 2 ? words[1] : nil)
        guard let path = kept.scenarioPath else {
            throw VerbError(.usage, "there is no resolved.json next to \(kept.tracePath), so its cards are unknown")
        }
        guard
            let scenarioCase = try ScenarioFiles.load([path], ScenarioArguments(), context).first?.cases.first
        else { throw VerbError(.usage, "\(path) has no case") }
        let world: World
        do {
            world = try TraceReplay(scenarioCase, try kept.trace()).field(after: number)
        } catch let problem as TraceReplay.Problem {
            throw VerbError(.usage, problem.description)
        }
        guard arguments.isGiven("--shell") else {
            let cards = scenarioCase.cards.compactMap { card in
                scenarioCase.state(of: card.name, in: world)?["cards"]?.entries.first
            }
            let document = Self.cards.node(NodeMap(cards))
            console.print(
                arguments.isGiven("--json")
                    ? JSONWriter.text(document, .pretty)
                    : DocumentFormatter.text(of: document, table: ScenarioLoader.table))
            return .passed
        }
        return try shell(world, after: number)
    }

    private func shell(_ world: World, after number: Int) throws -> ExitCode {
        for (card, state) in zip(world.cards, world.cardStates) {
            let place = card.isPresent ? state.state : "not on the reader"
            console.printError("\(card.name) after exchange \(number): \(place)")
        }
        var world = world
        world.exchangeLimit = .max
        let first = world.cards.first(where: \.isPresent) ?? world.cards.first
        let technology: Technology = first?.engine is any FeliCaEngine ? .felica212 : .typeA106
        return try Verb.answerInput(LineExchange(world, technology: technology), context)
    }

    /// The document for a kept case, given its folder.
    static let keptCase = OutputTable<String>(
        "kept-case", "A case that was kept",
        .always("folder", "Its folder, the newest run first") { $0 })

    private func list() {
        let folders = RunFolder.runs(in: context.folder).reversed().flatMap {
            KeptCase.cases(of: "\(RunFolder.parent)/\($0)", in: context.folder)
        }
        guard !arguments.isGiven("--json") else {
            return console.print(json: .list(folders.map(Self.keptCase.node)))
        }
        for folder in folders { console.print(folder) }
    }

    enum ExportFormat: String, CaseIterable {
        case html, jsonl, pcapng
    }

    private func export(_ words: [String]) throws {
        guard let file = words.last, words.count <= 2 else {
            throw UsageError("`trace export` needs the name of a file")
        }
        let named = file.lastIndex(of: ".").flatMap { ExportFormat(rawValue: String(file[file.index(after: $0)...])) }
        guard let format = try arguments.word("--format") ?? named else {
            let endings = ListText.choice(ExportFormat.allCases.map { ".\($0)" })
            throw UsageError("`\(file)` must end in \(endings), or give `--format`")
        }
        let kept = try kept(words.count == 2 ? words[0] : nil)
        let bytes =
            switch format {
            case .html: try kept.page()
            case .jsonl: try KeptCase.bytes(of: kept.tracePath, in: context.folder)
            case .pcapng: PacketCapture(try kept.trace()).bytes
            }
        guard file != "-" else { return console.printAsIs(bytes) }
        try context.folder.write(file, with: bytes, isReplacing: arguments.isGiven("--force"))
        let console = context.alongside(file).console
        if arguments.isGiven("--json") { console.print(json: Self.exported.node(file)) } else { console.print(file) }
    }

    /// Prints the first difference of two runs.
    private func diff(_ words: [String]) throws -> ExitCode {
        guard words.count == 2 else { throw UsageError("`trace diff` takes two runs") }
        let traces = try words.map { try kept($0).trace() }
        if let file = arguments.value("--page") {
            let pages = try words.map { try kept($0).pageContent() }
            let page = Array(RunPage.html(pages[0], alongside: pages[1]).utf8)
            try context.folder.write(file, with: page, isReplacing: arguments.isGiven("--force"))
        }
        if let list = arguments.value("--known") { return try diff(traces[0], traces[1], known: list) }
        let difference = TraceDifference(traces[0], traces[1])
        if arguments.isGiven("--json") {
            console.print(json: difference.node)
        } else {
            for line in difference.lines { console.print(line) }
        }
        return difference.isNone ? .passed : .failed
    }

    /// Prints the different answers of two cards, except for the known differences in a list.
    private func diff(_ real: Trace, _ engine: Trace, known list: String) throws -> ExitCode {
        let known: KnownDifferences
        do {
            known = try KnownDifferences(try context.folder.load(list), YAMLReader())
        } catch let problem as KnownDifferences.Problem {
            throw VerbError(.usage, problem.description)
        }
        let difference = AnswerDifference(real, engine, known: known)
        if arguments.isGiven("--json") {
            console.print(json: difference.node)
        } else {
            for line in difference.lines { console.print(line) }
        }
        return difference.isKnown ? .passed : .failed
    }
}

/// A kept case: its folder, or only its trace.
struct KeptCase {
    private let working: WorkingFolder
    let tracePath: String
    /// The page, if there is one next to the trace.
    var pagePath: String? { alongside(RunFolder.casePage) }
    /// The case that was run, if it is next to the trace.
    var scenarioPath: String? { alongside("resolved.json") }

    init(_ path: String, in working: WorkingFolder) {
        self.working = working
        tracePath = path.hasSuffix(".jsonl") ? path : "\(path)/trace.jsonl"
    }

    private func alongside(_ name: String) -> String? {
        let folder = tracePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let path = folder.isEmpty ? (tracePath.hasPrefix("/") ? "/\(name)" : name) : "\(folder)/\(name)"
        return working.isThere(path) ? path : nil
    }

    /// The maximum number of cases that an error names.
    private static let mostNamed = 5

    /// Returns the cases of a run, in order.
    static func cases(of run: String, in working: WorkingFolder) -> [String] {
        (working.names(in: run) ?? []).map { "\(run)/\($0)" }.filter { working.isThere("\($0)/trace.jsonl") }
    }

    /// Returns the pages of the cases of a run, in order.
    static func pages(of run: String, in working: WorkingFolder) -> [String] {
        (working.names(in: run) ?? []).map { "\(run)/\($0)/\(RunFolder.casePage)" }.filter(working.isThere)
    }

    /// Returns the folder of a case, or a trace: as given, by the name of a run, or of the newest run with a trace.
    static func folder(_ word: String?, in working: WorkingFolder) throws(VerbError) -> String {
        let newest = RunFolder.runs(in: working).last { run in
            !Self.cases(of: "\(RunFolder.parent)/\(run)", in: working).isEmpty
        }
        let path = try path(word ?? newest, in: working)
        guard !path.hasSuffix(".jsonl"), !working.isThere("\(path)/trace.jsonl") else { return path }
        let cases = Self.cases(of: path, in: working)
        guard let first = cases.first else {
            throw VerbError(
                .usage,
                "\(path) contains no trace of a run; `tapsim run --trace always` keeps those of passed cases too")
        }
        guard cases.count == 1 else {
            let names = ListText.choice(Array(cases.prefix(mostNamed)))
            let rest = cases.count - mostNamed
            throw VerbError(
                .usage,
                "\(path) contains several cases; name one: \(names)"
                    + (rest > 0 ? ", or another of the \(cases.count) that `tapsim trace list` shows" : ""))
        }
        return first
    }

    /// Returns the path for an argument: a file, a folder, or the name of a run.
    ///
    /// Default: the newest run.
    static func path(_ word: String?, in working: WorkingFolder) throws(VerbError) -> String {
        guard let word = word ?? RunFolder.runs(in: working).last else {
            throw VerbError(.usage, "there are no runs in \(RunFolder.parent); `tapsim run` keeps its runs")
        }
        let candidates = [word, "\(RunFolder.parent)/\(word)"]
        guard let path = candidates.first(where: working.isThere) else {
            throw VerbError(.usage, "there is no run \(word); `tapsim trace list` lists the kept runs")
        }
        return path
    }

    static func bytes(of path: String, in working: WorkingFolder) throws(VerbError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try working.bytes(of: path, upTo: TraceReader.maximumBytes)
        } catch {
            throw VerbError(.usage, "\(error)")
        }
        guard bytes.count <= TraceReader.maximumBytes else {
            throw VerbError(.usage, "\(path) is longer than \(TraceReader.maximumBytes >> 20) MiB")
        }
        return bytes
    }

    /// Returns the content of the page.
    func pageContent() throws(VerbError) -> Node {
        let file = SourceFile(name: pagePath ?? tracePath, bytes: try page())
        guard let content = RunPage.content(of: file) else {
            throw VerbError(.usage, "\(file.name) is not the page of a run")
        }
        return content
    }

    func page() throws(VerbError) -> [UInt8] {
        guard let pagePath else { throw VerbError(.usage, "there is no page next to \(tracePath)") }
        return try Self.bytes(of: pagePath, in: working)
    }

    func trace() throws(VerbError) -> Trace {
        let file = SourceFile(name: tracePath, bytes: try Self.bytes(of: tracePath, in: working))
        do {
            return try TraceReader.trace(file)
        } catch {
            throw VerbError(.usage, error.description)
        }
    }
}
