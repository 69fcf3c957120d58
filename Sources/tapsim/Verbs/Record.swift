import TapDocument
import TapDoors
import TapRecording
import TapReport
import TapRun
import TapScenario
import TapWire

extension Verb {
    /// `tapsim record`: scenarios of what was said at real readers.
    static let record = Verb(
        name: "record",
        usages: ["FILE [-- CLIENT ARG…]", "--import LOG [-o FILE]"],
        summary: "Record what a program and a card say to each other, as a scenario that replays it.",
        details: """
            Sits between a PC/SC program and the readers of this machine, passes everything on, and writes FILE once the
            program has ended: a scenario with what it sent and what it was answered, so that tapsim run FILE -- CLIENT does
            the same again without reader and card. Without a CLIENT it prints the variable by which programs find it, and
            records until it is interrupted. An interrupt ends the recording, and what was heard is written. Each visit of
            a card becomes a file of its own: FILE, FILE-2 and so on. No file is replaced without --force.

            With --import it makes the scenario of a log instead: of nfcpy, libnfc, pcscd --apdu, pcsc-spy, Proxmark3, a
            trace.jsonl, or of lines of bytes with > and <. Lines that found no place are listed.
            """,
        options: [
            .value(
                "--service", "PATH",
                "The socket of the PC/SC service: that of PCSCLITE_CSOCK_NAME or of pcscd without it."),
            .value("--import", "LOG", "Make the scenario of a log; - for standard input."),
            .choice("--format", "FORMAT", LogFormat.self, "The format of the log, where its content does not tell it."),
            .value(
                "--output", short: "-o", "FILE", "The file to write of a log; without it the log's name with .yaml."),
        ] + RecordedFiles.options,
        takesClient: true,
        run: { arguments, console in
            guard let log = arguments.value("--import") else { return try await RecordVerb(arguments, console).run() }
            return try LogImport(log, arguments, console).run()
        })
}

/// One `tapsim record`.
private struct RecordVerb {
    private let arguments: Arguments
    private let console: Console
    private let file: RecordedFiles

    init(_ arguments: Arguments, _ console: Console) throws {
        self.arguments = arguments
        self.console = console
        if let option = ["--format", "--output"].first(where: arguments.isGiven) {
            throw UsageError("`\(option)` belongs to --import LOG")
        }
        guard let path = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("name the file to write, such as suica.yaml; a client comes after `--`")
        }
        guard arguments.isGiven("--private") else {
            throw UsageError("a recording says whose card it is; --private writes it to FILE.private.yaml")
        }
        file = try RecordedFiles(path, arguments)
    }

    func run() async throws -> ExitCode {
        try file.check()
        guard let service = arguments.value("--service") ?? PCSCRelay.usualService else {
            throw VerbError(
                .environment,
                "no PC/SC service answers; start pcscd and hold a reader ready, or name the socket of one with --service"
            )
        }
        guard ControlClient.isAnswered(service) else {
            throw VerbError(
                .environment, "nothing answers at \(service); name the socket of a PC/SC service with --service")
        }
        let recording: RecordingRun
        do { recording = try RecordingRun(at: service) } catch { throw VerbError(error) }
        defer { recording.close() }
        try await listen(to: recording)
        recording.close()
        return try write(recording)
    }

    private func listen(to recording: RecordingRun) async throws {
        guard let client = arguments.client else { return try serve(recording) }
        EndRequest.take()
        let console = console
        let result = try await BlockingThread.value { () -> Result<ClientOutcome, RunError> in
            do throws(RunError) {
                return .success(
                    try recording.run(ProgramClient(client), isOver: { EndRequest.isMade }) {
                        console.pass($1, from: $0)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let outcome): tell(outcome)
        case .failure(let error): throw VerbError(error)
        }
    }

    /// Says how the client ended, where that may be the reason why little was heard.
    private func tell(_ outcome: ClientOutcome) {
        switch outcome.end {
        case .exit(0), .dismissed: break
        case .exit(let code): console.warn("the client left with \(code)")
        case .signal(let number): console.warn("the client was ended by signal \(number)")
        case .timeLimit: console.warn("the client was ended")
        }
    }

    /// Records programs that are started elsewhere.
    private func serve(_ recording: RecordingRun) throws {
        do {
            let end = try ServiceEnd(with: .parent)
            for variable in recording.variables {
                console.printError("export \(variable.name)=\(ShellWords.text([variable.value]))")
            }
            console.printError("recording until interrupted")
            end.wait()
        } catch {
            throw VerbError(.environment, "\(error)")
        }
    }

    private func write(_ recording: RecordingRun) throws -> ExitCode {
        let sessions = recording.sessions
        guard !sessions.isEmpty else {
            let reason =
                recording.wasUsed
                ? "the program sent nothing to a card"
                : "no program reached the readers by \(recording.variables.map(\.name).joined(separator: ", "))"
            throw VerbError(.failed, "nothing was heard, and no file was written: \(reason)")
        }
        try file.write(sessions, of: arguments.client, notes: recording.omissions, console)
        return .passed
    }
}

/// The files that sessions are written to, one for each visit of a card.
struct RecordedFiles {
    private let path: String
    private let isPrivate: Bool
    private let isReplacing: Bool
    private let isJSON: Bool

    static let options: [Option] = [
        .flag(
            "--private",
            "Keep what tells whose card it is: FILE is then named FILE.private.yaml, for this user alone."),
        .flag("--force", "Replace files that are there."),
        .flag("--json", "Print one JSON document instead of text."),
    ]

    init(_ path: String, _ arguments: Arguments) throws(UsageError) {
        guard let ending = Self.endings.first(where: path.hasSuffix), path.count > ending.count else {
            throw UsageError("`\(path)` is to be a scenario; name it \(path).yaml")
        }
        isPrivate = arguments.isGiven("--private")
        isReplacing = arguments.isGiven("--force")
        isJSON = arguments.isGiven("--json")
        self.path = isPrivate ? path.dropLast(ending.count) + Self.privateEnding : path
    }

    private static let privateEnding = ".private.yaml"
    private static let endings = [privateEnding, ".yaml", ".yml"]

    /// Refuses a file that is there, before something is recorded that would have no place.
    func check() throws(VerbError) {
        guard isReplacing || !OutputFile.isThere(path) else {
            throw VerbError(.usage, "\(path) is there already; --force replaces it")
        }
    }

    /// Writes a file for each session, and tells of it.
    ///
    /// - Parameters:
    ///   - client: The program that was recorded; nil for logs.
    ///   - origin: Where they come from, the beginning of a sentence.
    ///   - notes: What there is to say of all, a sentence each.
    func write(
        _ sessions: [RecordedSession], of client: [String]?, notes: [String], origin: String = "Recorded",
        _ console: Console
    ) throws {
        var written: [Node] = []
        for (index, session) in sessions.enumerated() {
            let path = place(index + 1)
            var file = RecordingFile(name: Self.name(of: path), session)
            file.client = client
            file.comments = comments(session, origin)
            try OutputFile.makeFolder(of: path)
            try OutputFile.replace(path, with: file.text)
            let count = session.exchanges.count
            written.append(["file": .text(path), "exchanges": .number(count)])
            guard !isJSON else { continue }
            console.print("wrote \(path): \(CountText.of(count, "exchange"))")
            if index == 0 {
                console.print("again   \(ShellWords.text(["tapsim", "run", path] + Self.words(of: client)))")
            }
        }
        if isJSON {
            console.print(json: ["files": .list(written), "notes": .list(notes.map(Node.text))])
        } else {
            for note in notes { console.printError("note: \(note)") }
        }
    }

    private static func words(of client: [String]?) -> [String] { client.map { ["--"] + $0 } ?? [] }

    /// Where a session goes: behind the first to a file that is not there yet.
    private func place(_ number: Int) -> String {
        guard number > 1 || !isReplacing && OutputFile.isThere(path) else { return path }
        let ending = Self.endings.first(where: path.hasSuffix) ?? ""
        let places = (max(number, 2)...).lazy.map { "\(path.dropLast(ending.count))-\($0)\(ending)" }
        return places.first { isReplacing || !OutputFile.isThere($0) } ?? path
    }

    private static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return String(name.dropLast(endings.first(where: name.hasSuffix)?.count ?? 0))
    }

    private func comments(_ session: RecordedSession, _ origin: String) -> [String] {
        let reader = session.readerName.map { " at the reader \(PrintableText.visible($0))" } ?? ""
        return ["\(origin)\(reader)."]
            + (isPrivate ? ["PRIVATE: it says whose card this is. Do not give it to others."] : [])
    }
}
