import TapDocument
import TapRecording
import TapWire

/// One `tapsim record --import`.
struct LogImport {
    private let log: String
    private let format: LogFormat?
    private let files: RecordedFiles
    private let console: Console

    /// Most visits of cards that become files, and most lines that are shown.
    private static let mostFiles = 50
    private static let mostLines = 20

    init(_ log: String, _ arguments: Arguments, _ console: Console) throws {
        if arguments.client != nil { throw UsageError("a client is recorded without --import; a log has none") }
        if arguments.isGiven("--service") { throw UsageError("`--service` belongs to recording a client") }
        guard arguments.operands.isEmpty else {
            throw UsageError("name the file to write with -o: --import \(log) -o \(arguments.operands[0])")
        }
        self.log = log
        self.console = console
        format = try arguments.word("--format")
        files = try RecordedFiles(arguments.value("--output") ?? Self.name(of: log), arguments)
    }

    /// The name of the log with the ending of scenarios, in the working directory.
    private static func name(of log: String) -> String {
        let name = lastPart(of: log)
        guard name != "-" else { return "log.yaml" }
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        return "\(stem.isEmpty ? name[...] : stem).yaml"
    }

    /// The name without its folders, which may tell who the user is.
    private static func lastPart(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    func run() throws -> ExitCode {
        try files.check()
        let bytes =
            log == "-"
            ? try InputFile.standardInput(upTo: LogBounds.bytes).bytes
            : try InputFile.load(log, upTo: LogBounds.bytes).bytes
        let found: ImportedLog
        do throws(LogError) {
            found = try ImportedLog(reading: bytes, as: format)
        } catch {
            throw VerbError(.usage, "\(PrintableText.visible(log)): \(error)")
        }
        let left = found.sessions.count - Self.mostFiles
        let notes = left > 0 ? ["\(CountText.of(left, "visit")) of a card left out; cut the log to write them"] : []
        try files.write(
            Array(found.sessions.prefix(Self.mostFiles)), of: nil, notes: notes + found.notes + lines(found),
            origin: "Imported from \(found.format.title)", console)
        return .passed
    }

    /// The lines without a place.
    private func lines(_ found: ImportedLog) -> [String] {
        let shown = found.unplaced.prefix(Self.mostLines)
        let rest = found.unplacedCount - shown.count
        return shown.map(\.description) + (rest > 0 ? ["\(CountText.of(rest, "more line")) could not be used"] : [])
    }
}
