import TapDocument
import TapSystem
import TapRecording
import TapReport
import TapRun
import TapScenario
import TapWire

/// One run of `tapsim record --probe`.
struct ProbeVerb {
    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let file: RecordedFiles
    private let tracePath: String?

    static let options: [Option] = [
        .flag("--probe", "Read the card on a reader without keys, and write FILE as a card file"),
        .value(
            "--reader", "NAME", "With --probe: use the reader with this text in its name (default: the only one)"),
        .value("--card", "CARD", "With --probe: read a virtual card instead of one on a reader"),
        .value("--trace", "FILE", "With --probe: save the exchanges, for tapsim trace show and diff"),
    ]

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context
        guard let file = arguments.operands.first, arguments.operands.count == 1, arguments.client == nil else {
            throw UsageError("`record --probe` takes the name of the file to write, such as card.yaml")
        }
        if let option = ["--service", "--import", "--format", "--output", "--check"].first(where: arguments.isGiven) {
            throw UsageError("`\(option)` cannot be combined with `--probe`, which reads a card itself")
        }
        guard !arguments.isGiven("--card") || !arguments.isGiven("--reader") else {
            throw UsageError("`--card` reads a virtual card and `--reader` a real one; omit one of them")
        }
        self.file = try RecordedFiles(file, arguments)
        guard let trace = arguments.value("--trace") else {
            tracePath = nil
            return
        }
        guard trace.hasSuffix(Self.traceEnding) else {
            let stem = trace.hasSuffix(".json") ? trace.dropLast(".json".count) : trace[...]
            throw UsageError("a trace ends in \(Self.traceEnding); write --trace \(stem)\(Self.traceEnding)")
        }
        let hasStatedName = !self.file.isPrivate || trace.hasSuffix(Self.privateTraceEnding)
        tracePath = hasStatedName ? trace : trace.dropLast(Self.traceEnding.count) + Self.privateTraceEnding
    }

    /// Rejects options that belong to a probe.
    static func refuseOptions(_ arguments: Arguments) throws(UsageError) {
        if let option = ["--reader", "--card", "--trace"].first(where: arguments.isGiven) {
            throw UsageError("`\(option)` needs `--probe`")
        }
    }

    private static let privateTraceEnding = ".private.jsonl"
    private static let traceEnding = ".jsonl"

    func run() async throws -> ExitCode {
        try file.check(in: context.folder)
        if let tracePath {
            try RecordedFiles.check(tracePath, isForced: arguments.isGiven("--force"), in: context.folder)
        }
        let outcome = try await probe()
        let scrubbed = file.scrubbing?.scrub(outcome.session)
        let session = scrubbed?.session ?? outcome.session
        if let tracePath {
            try context.folder.makeFolder(of: tracePath)
            let text = TraceLines(session.trace).text
            try context.folder.write(tracePath, with: Array(text.utf8), isReplacing: arguments.isGiven("--force"))
        }
        let notes = (outcome.interruption.map { ["the probe ended early: \($0)"] } ?? []) + outcome.notes
        do {
            let card = try SeenCard(session)
            try write(
                card, session, isComplete: outcome.interruption == nil,
                notes + card.notes + (scrubbed?.notes ?? []))
        } catch let problem as SeenCard.Problem {
            for note in notes { console.printError("note: \(note)") }
            throw VerbError(.failed, "no card was written: \(problem)")
        }
        return outcome.interruption == nil ? .passed : .failed
    }

    /// Handles signals from the first exchange on.
    ///
    /// Until then there is nothing to keep, and a signal ends the command.
    private static let takingSignals: Void = EndRequest.take(isOrderly: true)

    private func probe() async throws -> CardProbeRun.Outcome {
        var run = CardProbeRun()
        run.isOver = {
            _ = Self.takingSignals
            return EndRequest.isMade
        }
        let console = console
        do {
            if let word = arguments.value("--card") {
                return try await run.probe(try LoadedCard(word, context).definition)
            }
            return try await run.probe(reader: try arguments.value("--reader") ?? CardProbeRun.onlyReader()) { reader in
                let seconds = CardProbeRun.patience.components.seconds
                console.printError("waiting up to \(seconds) s for a card on \(PrintableText.visible(reader))")
            }
        } catch let error as RunError {
            throw VerbError(error)
        }
    }

    private func write(
        _ card: SeenCard, _ session: RecordedSession, isComplete: Bool, _ notes: [String]
    ) throws {
        let console = context.alongside(file.path).alongside(tracePath).console
        let reader = session.readerName.map { "a card on \(PrintableText.visible($0))" } ?? "a virtual card"
        let head =
            ["Written by tapsim record --probe from \(reader)."] + (file.isPrivate ? [RecordedFiles.warning] : [])
        let path = file.path
        try context.folder.makeFolder(of: path)
        let text = CardFile.text(name: RecordedFiles.name(of: path), card.definition, head: head, notes: notes)
        try context.folder.write(path, with: Array(text.utf8), isReplacing: arguments.isGiven("--force"))
        guard !arguments.isGiven("--json") else {
            let count = session.exchanges.count
            return console.print(json: Self.output.node((path, tracePath, card, count, isComplete, notes)))
        }
        console.print("wrote \(path): \(card.definition.icName), \(CountText.of(session.exchanges.count, "exchange"))")
        if let tracePath { console.print("trace \(tracePath)") }
        for note in notes { console.printError("note: \(note)") }
    }

    static let output = OutputTable<
        (path: String, trace: String?, card: SeenCard, count: Int, isComplete: Bool, notes: [String])
    >(
        "probed-card", "A card that was read",
        .always("file", "The file of the card") { $0.path },
        .maybe("trace", "The file with the exchanges") { $0.trace },
        .always("ic", "Its IC") { $0.card.definition.icName },
        .always("exchanges", "The number of exchanges") { $0.count },
        .always("complete", "Whether the probe was completed") { $0.isComplete },
        .always("notes", "Notes on what the file lacks and what was replaced") { $0.notes })
}
