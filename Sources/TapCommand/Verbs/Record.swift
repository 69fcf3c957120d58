import TapDocument
import TapTransports
import TapSystem
import TapField
import TapRecording
import TapReport
import TapRun
import TapScenario
import TapWire

extension Verb {
    /// `tapsim record`: scenarios recorded at real readers.
    static let record = Verb(
        name: "record",
        usages: ["FILE [-- CLIENT ARG…]", "--import LOG [-o FILE]", "--check FILE…", "--probe FILE"],
        summary: "Record the exchanges of a program and a card as a scenario that replays them.",
        examples: [
            Example("Record what a program and a real card exchange", "tapsim record card.yaml -- python3 reader.py"),
            Example("Create a scenario from the log of another tool", "tapsim record --import nfcpy.log"),
        ],
        details: """
            Sits between a PC/SC program and the readers of this machine, passes everything on,
            and writes FILE once the program has ended: a scenario with everything that it
            sent and received, so that tapsim run FILE -- CLIENT repeats it without reader and
            card. Without a CLIENT it prints the environment variable with which programs find
            it, and records until it is interrupted. A signal, such as an interrupt or the
            hang-up of a closed terminal, ends the recording, and everything recorded so far is
            written. A second reader, or a card with another ATR, gets its own file: FILE-2
            and so on. Existing files are replaced only with --force.

            With --import it creates the scenario from a log instead: of nfcpy, libnfc, pcscd
            --apdu, pcsc-spy, Proxmark3, opensc-tool -s, a trace.jsonl, or lines of bytes with
            > and <. If some lines cannot be used, it lists them and writes nothing, unless
            --force is given.

            Everything that identifies the card's owner is replaced by placeholders of the same
            length: identifiers, stations, dates, texts, passwords and more, as listed in
            docs/recordings.md. --keep and --private leave it unchanged, and add `private` to
            the file's name. --check finds such data in recordings, and exits with 1 if there
            is any.

            With --probe it reads a card itself, as far as possible without a key or a
            password, and writes nothing to it. FILE is then a card file for tapsim run, with
            comments on what the card refused.
            """,
        options: [
            LiveRecording.service,
            .value("--import", "LOG", "Create the scenario from a log; - is standard input"),
            .choice(
                "--format", "FORMAT", LogFormat.self,
                "With --import: set the log's format (default: detected from its content)"),
            .value(
                "--output", short: "-o", "FILE",
                "With --import: write to this file (default: the log's name with .yaml)"
            ),
            .flag("--check", "Find data in recordings that identifies the card's owner"),
        ] + ProbeVerb.options + RecordedFiles.options,
        takesClient: true,
        run: { arguments, context in
            guard !arguments.isGiven("--probe") else { return try await ProbeVerb(arguments, context).run() }
            try ProbeVerb.refuseOptions(arguments)
            if let log = arguments.value("--import") { return try LogImport(log, arguments, context).run() }
            if let option = ["--format", "--output"].first(where: arguments.isGiven) {
                throw UsageError("`\(option)` needs `--import LOG`")
            }
            return arguments.isGiven("--check")
                ? try check(arguments, context) : try await record(arguments, context)
        })

    private static func record(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        guard let path = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("name the file to write, such as suica.yaml; a client comes after `--`")
        }
        let files = try RecordedFiles(path, arguments)
        try files.check(in: context.folder)
        let recording = try await LiveRecording(arguments, context).made()
        try files.write(recording.sessions, of: arguments.client, notes: recording.omissions, context)
        return .passed
    }

    private static func check(_ arguments: Arguments, _ context: CommandContext) throws -> ExitCode {
        let console = context.console
        guard !arguments.operands.isEmpty, arguments.client == nil else {
            throw UsageError("name the files to check, or their folder")
        }
        let scenarios = try ScenarioFiles.load(arguments.operands, ScenarioArguments(), context)
        let recorded = scenarios.filter { $0.cases.contains { $0.recording != nil } }
        let others = scenarios.filter { !$0.cases.contains { $0.recording != nil } && RecordedFiles.isPrivate($0.file) }
        guard !recorded.isEmpty || !others.isEmpty else {
            throw VerbError(.usage, "no file has a `recording`: \(arguments.operands.joined(separator: ", "))")
        }
        let named = others.map {
            RecordingCheck.Finding(source: SourceReference(file: $0.file, line: 1), what: "the file is named private")
        }
        // The cases of a file share its recording.
        let findings = named + recorded.flatMap { $0.cases.first.map(RecordingCheck.findings) ?? [] }
        if arguments.isGiven("--json") {
            console.print(json: checkedRecordings.node((recorded.count + others.count, findings)))
        } else {
            for finding in findings { console.print("\(finding)") }
            let files =
                others.isEmpty
                ? CountText.of(recorded.count, "recording") : CountText.of(recorded.count + others.count, "file")
            console.print(
                findings.isEmpty
                    ? "\(files), no data that identifies the card's owner"
                    : "\(files), \(CountText.of(findings.count, "location")) with data that identifies the card's owner; "
                        + "record again without `--private` and `--keep`")
        }
        return findings.isEmpty ? .passed : .failed
    }

    static let checkedRecordings = OutputTable<(files: Int, findings: [RecordingCheck.Finding])>(
        "checked-recordings", "Checked recordings",
        .always("files", "The number of files with a recording") { $0.files },
        .always("findings", "The locations of data that identifies the card's owner") { $0.findings })
}

extension RecordingCheck.Finding: OutputModel {
    package static let output = OutputTable<Self>(
        "recording-finding", "A location of data that identifies the card's owner",
        .maybe("file", "The path of the scenario", \.source?.file),
        .maybe("line", "Its line, from 1", \.source?.line),
        .always("what", "The kind of data, without its value", \.what))
}

/// A recording of one program, or of all programs that use the variable, until the program ends or the user interrupts.
struct LiveRecording {
    static let service = Option.value(
        "--service", "PATH", "Use this PC/SC socket (default: PCSCLITE_CSOCK_NAME, or the socket of pcscd)")

    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }

    init(_ arguments: Arguments, _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
    }

    /// Performs the recording; it is an error if nothing was recorded.
    func made() async throws -> RecordingRun {
        let recording: RecordingRun
        do { recording = try RecordingRun(at: servicePath()) } catch let error as RunError { throw VerbError(error) }
        defer { recording.close() }
        if let client = arguments.client {
            try await listen(to: client, recording)
        } else {
            try serve(recording)
        }
        guard recording.count > 0 else {
            let reason =
                recording.wasUsed
                ? "the program sent nothing to a card"
                : "no program reached the readers through \(recording.variables.map(\.name).joined(separator: ", "))"
            throw VerbError(.failed, "nothing was recorded, and no file was written: \(reason)")
        }
        return recording
    }

    private func servicePath() throws(VerbError) -> String {
        guard
            let path = arguments.value("--service").map(context.folder.path)
                ?? PCSCRelay.usualService(in: context.surroundings)
        else {
            throw VerbError(
                .environment, "no PC/SC service answers",
                help: arguments.isGiven("--from-run")
                    ? "name a virtual card with `--card`, such as `--card suica`, or start pcscd with a reader"
                    : "start pcscd with a reader, or name the socket of a service with `--service`")
        }
        guard ControlClient.isAnswered(path) else {
            throw VerbError(
                .environment, "nothing answers at \(path); name the socket of a PC/SC service with `--service`")
        }
        return path
    }

    private func listen(to client: [String], _ recording: RecordingRun) async throws {
        EndRequest.take(isOrderly: true)
        let (console, surroundings) = (context.console, context.surroundings)
        let result = try await BlockingThread.value { () -> Result<ClientOutcome, RunError> in
            do throws(RunError) {
                return .success(
                    try recording.run(ProgramClient(client), in: surroundings, isOver: { EndRequest.isMade }) {
                        console.pass($1, from: $0)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let outcome): report(outcome)
        case .failure(let error): throw VerbError(error)
        }
    }

    /// Reports how the client ended if that may explain a short recording.
    private func report(_ outcome: ClientOutcome) {
        switch outcome.end {
        case .exit(0), .dismissed: break
        case .exit(let code): console.warn("the client exited with \(code)")
        case .signal(let number): console.warn("the client was ended by signal \(number)")
        case .timeLimit: console.warn("the client was ended")
        }
    }

    /// Records programs that are started elsewhere.
    private func serve(_ recording: RecordingRun) throws {
        do {
            let end = try ServiceEnd(with: .parent)
            for variable in recording.variables {
                console.printError("export \(variable.name)=\(ShellText.text([variable.value]))")
            }
            console.printError("recording until interrupted")
            end.wait()
        } catch {
            throw VerbError(.environment, "\(error)")
        }
    }
}

/// The files to which recorded sessions are written.
struct RecordedFiles {
    /// The comment in a private file.
    static let warning = "PRIVATE: this file identifies the card's owner. Do not share it."
    private static let privateEnding = ".private.yaml"
    private static let endings = [privateEnding, ".yaml", ".yml"]

    /// A Boolean value that indicates whether the name of a file marks it as private.
    static func isPrivate(_ path: String) -> Bool { path.hasSuffix(privateEnding) }

    let path: String
    /// The scrubbing of personal data; `nil` if nothing is to be replaced.
    let scrubbing: Scrubbing?
    let isPrivate: Bool
    /// A Boolean value that indicates whether to replace files and to write imports that leave doubts.
    let isForced: Bool
    private let isJSON: Bool

    static let options: [Option] = [
        .flag(
            "--private",
            "Keep data that identifies the owner, in a file named FILE.private.yaml"),
        .value(
            "--keep", "KIND", isRepeatable: true,
            "Keep one kind of such data: \(Scrubbing.Kind.names.joined(separator: ", ")) or a service code"
        ),
        .flag("--force", "Replace existing files, and write imports that leave doubts"),
        .flag("--json", "Print a JSON document instead of text"),
    ]

    init(_ path: String, _ arguments: Arguments) throws(UsageError) {
        guard let ending = Self.endings.first(where: path.hasSuffix), path.count > ending.count else {
            throw UsageError("the file is a scenario, so `\(path)` needs an ending; name it \(path).yaml")
        }
        let kept = try arguments.values("--keep").map { text throws(UsageError) in
            guard let kind = Scrubbing.Kind(text) else {
                throw UsageError(
                    "`--keep` takes \(ListText.choice(Scrubbing.Kind.names)) or the code of a service, not `\(text)`")
            }
            return kind
        }
        scrubbing = arguments.isGiven("--private") ? nil : Scrubbing(keeping: Set(kept))
        isPrivate = scrubbing == nil || !kept.isEmpty
        isForced = arguments.isGiven("--force")
        isJSON = arguments.isGiven("--json")
        self.path = isPrivate ? path.dropLast(ending.count) + Self.privateEnding : path
    }

    /// Rejects an existing file, and a path that cannot be written, before anything is recorded.
    func check(in folder: WorkingFolder) throws(VerbError) { try Self.check(path, isForced: isForced, in: folder) }

    static func check(_ path: String, isForced: Bool, in folder: WorkingFolder) throws(VerbError) {
        if !isForced { try folder.checkFree(path) }
        try folder.makeFolder(of: path)
        try folder.checkWritable(path)
    }

    /// Writes a file for each session, and reports the files.
    ///
    /// - Parameters:
    ///   - client: The recorded program; `nil` for logs.
    ///   - origin: The origin of the sessions, as the beginning of a sentence.
    ///   - notes: Notes about all sessions, a sentence each.
    func write(
        _ sessions: [RecordedSession], of client: [String]?, notes: [String], origin: String = "Recorded",
        _ context: CommandContext
    ) throws {
        let (console, folder) = (context.alongside(path).console, context.folder)
        var written: [(path: String, count: Int)] = []
        var notes = notes
        for (index, session) in sessions.enumerated() {
            let path = place(index + 1, in: folder)
            var session = session
            session.client = client
            let (file, own) = file(of: session, for: path, origin)
            try folder.makeFolder(of: path)
            try folder.write(path, with: Array(file.text.utf8), isReplacing: isForced)
            notes += own.filter { !notes.contains($0) }
            let count = session.exchanges.count
            written.append((path, count))
            guard !isJSON else { continue }
            console.print("wrote \(path): \(CountText.of(count, "exchange"))")
            // With several files, each holds only a part of what the program did.
            if sessions.count == 1 {
                let program = file.session.client ?? ["./client"]
                let replaying = ReproduceLine.words(running: path, client: program)
                console.print(LineLabel.reproduce.line(ShellText.text(replaying)))
            }
        }
        if sessions.count > 1 { notes.append("each file replays its part of what the program did") }
        if isJSON {
            console.print(json: Self.output.node((written, notes)))
        } else {
            for note in notes { console.printError("note: \(note)") }
        }
    }

    static let output = OutputTable<(files: [(path: String, count: Int)], notes: [String])>(
        "recorded-files", "Recorded scenarios",
        .always("files", "One for each visit of a card", as: .list(file.shape)) { $0.files.map(file.node) },
        .always("notes", "Notes on what was replaced, left out or not understood") { $0.notes })

    private static let file = OutputTable<(path: String, count: Int)>(
        "recorded-file", "A scenario of a recording",
        .always("file", "Its path") { $0.path }, .always("exchanges", "The number of exchanges") { $0.count })

    /// Returns the file of a session, and notes about what was replaced in it.
    private func file(
        of session: RecordedSession, for path: String, _ origin: String
    ) -> (file: RecordingFile, notes: [String]) {
        let scrubbed = scrubbing?.scrub(session)
        var file = RecordingFile(name: Self.name(of: path), scrubbed?.session ?? session)
        let reader = file.session.readerName.map { " at the reader \(PrintableText.visible($0))" } ?? ""
        file.comments =
            ["\(origin)\(reader)."]
            + (isPrivate ? [Self.warning] : [])
        return (file, scrubbed?.notes ?? [])
    }

    /// Returns the path for a session; later sessions get a number and go to files that do not exist yet.
    private func place(_ number: Int, in folder: WorkingFolder) -> String {
        guard number > 1 || !isForced && folder.isTaken(path) else { return path }
        let ending = Self.endings.first(where: path.hasSuffix) ?? ""
        let places = (max(number, 2)...).lazy.map { "\(path.dropLast(ending.count))-\($0)\(ending)" }
        return places.first { folder.isFree($0) || isForced && folder.target(ofLink: $0) == nil } ?? path
    }

    /// Returns the name of the scenario or the card in a file.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem = String(name.dropLast(endings.first(where: name.hasSuffix)?.count ?? 0))
        return NameRule.name(like: stem) ?? "recording"
    }
}
