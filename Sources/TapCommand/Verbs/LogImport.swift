import TapDocument
import TapImages
import TapRecording
import TapWire

/// One run of `tapsim record --import`.
struct LogImport {
    private let log: String
    private let format: LogFormat?
    private let files: RecordedFiles
    private let context: CommandContext

    /// The maximum number of card visits that become files.
    private static let mostFiles = 50
    private static let mostLines = 20

    init(_ log: String, _ arguments: Arguments, _ context: CommandContext) throws {
        if arguments.client != nil { throw UsageError("`--import` reads a log and takes no client") }
        if arguments.isGiven("--service") { throw UsageError("`--service` is only for recording a client") }
        guard arguments.operands.isEmpty else {
            throw UsageError("name the file to write with -o: --import \(log) -o \(arguments.operands[0])")
        }
        self.log = log
        self.context = context
        format = try arguments.word("--format")
        files = try RecordedFiles(arguments.value("--output") ?? Self.name(of: log), arguments)
    }

    /// Returns the name of the log with the ending `.yaml`, in the working directory.
    private static func name(of log: String) -> String {
        let name = lastPart(of: log)
        guard name != "-" else { return "log.yaml" }
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        return "\(stem.isEmpty ? name[...] : stem).yaml"
    }

    /// Returns the name without its folders, which may reveal who the user is.
    private static func lastPart(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    func run() throws -> ExitCode {
        try files.check(in: context.folder)
        let bytes =
            log == "-"
            ? try context.input.rest(upTo: LogBounds.bytes).bytes
            : try context.folder.load(log, upTo: LogBounds.bytes).bytes
        let found: ImportedLog
        do throws(LogError) {
            found = try ImportedLog(reading: bytes, as: format)
        } catch {
            let isDump = error.code == .unknownFormat && CardImage.isKnown(SourceFile(name: log, bytes: bytes))
            let reason = isDump ? "the file is a dump of a card, not a log; use it in place of a scenario" : "\(error)"
            throw VerbError(.usage, "\(PrintableText.visible(log)): \(reason)")
        }
        let doubts = doubts(about: found)
        guard doubts.isEmpty || files.isForced else { throw refusal(doubts) }
        try files.write(
            Array(found.sessions.prefix(Self.mostFiles)), of: nil, notes: doubts,
            origin: "Imported from \(found.format.title)", context)
        return .passed
    }

    /// The reasons why the recording may not be what happened.
    private func doubts(about found: ImportedLog) -> [String] {
        let left = found.sessions.count - Self.mostFiles
        let visits = left > 0 ? ["\(CountText.of(left, "card visit")) left out; split the log to import them"] : []
        let lines = found.unusedLines.prefix(Self.mostLines).map(\.description)
        let rest = found.unusedLineCount - lines.count
        return visits + found.notes + lines + (rest > 0 ? ["\(CountText.of(rest, "more line")) could not be used"] : [])
    }

    /// Lists the doubts and returns the error: a recording with gaps would replay something that never happened.
    private func refusal(_ doubts: [String]) -> VerbError {
        context.console.printError("The recording may differ from what happened:")
        for doubt in doubts { context.console.printError("  \(doubt)") }
        return VerbError(
            .failed, "\(PrintableText.visible(log)): nothing was written",
            help: "correct the log, name its format with `--format`, or write the recording as it is with `--force`")
    }
}
