import TapDocument
import TapSystem
import TapField
import TapImages
import TapRecording
import TapReport
import TapScenario
import TapWire
import TapYAML

/// The values that the command line sets in scenario files: the seed, parameters and station names.
struct ScenarioArguments {
    static let options = [
        Option.value(
            "--param", "NAME=VALUE", isRepeatable: true,
            "Set a parameter, overriding the file and its cases"
        ).in(.cards),
        StationArgument.option,
    ]

    let seed: UInt64?
    let parameters: NodeMap?
    let stations: StationNames?

    init(seed: UInt64? = nil, stations: StationNames? = nil) {
        self.seed = seed
        self.stations = stations
        parameters = nil
    }

    init(_ arguments: Arguments, in folder: WorkingFolder) throws {
        stations = try StationArgument.names(arguments, in: folder)
        seed = try arguments.number("--seed", as: UInt64.self)
        var entries: [NodeMap.Entry] = []
        for text in arguments.values("--param") {
            let entry = try Self.entry(text)
            guard !entries.contains(where: { $0.key.text == entry.key.text }) else {
                throw UsageError("`--param` sets `\(entry.key.text)` twice")
            }
            entries.append(entry)
        }
        parameters = entries.isEmpty ? nil : NodeMap(entries)
    }

    /// Parses a parameter; its source is the option, so that errors quote it.
    private static func entry(_ text: String) throws(UsageError) -> NodeMap.Entry {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw UsageError("`--param \(text)` has no value; write --param NAME=VALUE")
        }
        let file = SourceFile(name: "--param", text: text)
        let name = String(text[..<sign])
        let start = name.unicodeScalars.count
        let key = Scalar(name, range: SourceRange(file, offset: 0, length: start))
        let value = String(text[text.index(after: sign)...])
        let range = SourceRange(file, offset: start + 1, length: value.unicodeScalars.count)
        return NodeMap.Entry(key, .scalar(Scalar(value, range: range)))
    }

    func checkNames(in scenarios: [Scenario]) throws(VerbError) {
        var names: [String] = []
        for name in scenarios.flatMap(\.parameterNames) where !names.contains(name) { names.append(name) }
        for entry in parameters?.entries ?? [] where !names.contains(entry.key.text) {
            let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
            throw VerbError(
                .usage, "--param: no scenario has a parameter `\(entry.key.text)`",
                help: Spelling.suggestion(for: entry.key.text, among: names, before: known))
        }
    }
}

/// `--stations`: station names.
enum StationArgument {
    static let option = Option.value(
        "--stations", "FILE", "Read station names from a CSV file, for card histories and output"
    ).in(.cards, isRare: true)

    static func names(_ arguments: Arguments, in folder: WorkingFolder) throws -> StationNames? {
        guard let path = arguments.value("--stations") else { return nil }
        do {
            return try StationList.read(folder.bytes(of: path, upTo: StationList.maximumBytes))
        } catch {
            throw VerbError(.usage, "--stations \(path): \(error)")
        }
    }
}

enum ScenarioFiles {
    static func load(
        _ path: String, _ values: ScenarioArguments = ScenarioArguments(), in folder: WorkingFolder,
        into diagnostics: inout Diagnostics
    ) throws(VerbError) -> Scenario? {
        let file = try folder.load(path)
        let options = ScenarioLoader.Options(
            files: FolderFiles(around: path, in: folder), seed: values.seed, parameters: values.parameters,
            stations: values.stations)
        if file.isDump { return try dump(file, values, in: folder, into: &diagnostics) }
        return ScenarioLoader(reader: DocumentReaders.reader(for: path), options)
            .load(file, into: &diagnostics)
    }

    /// Returns the scenario of a file that is treated as a dump.
    ///
    /// A scenario or a log is rejected with a hint at the right command.
    static func dump(
        _ file: SourceFile, _ values: ScenarioArguments, in folder: WorkingFolder, into diagnostics: inout Diagnostics
    ) throws(VerbError) -> Scenario? {
        let path = file.name
        if !CardImage.isDump(file) {
            if file.beginsAsScenario {
                throw VerbError(
                    .usage, "\(path) is a scenario, not a dump; use it with `tapsim run` or `tapsim card show`")
            }
            if let client = ClientArguments.of(file) {
                throw VerbError(
                    .usage, "\(path) is a program, not a scenario or a card",
                    help: "to run it as a client: tapsim run --card suica -- \(ShellText.text(client))")
            }
            if let format = LogFormat.of(file.bytes) {
                let importing = ShellText.text(ReproduceLine.words(importing: path))
                throw VerbError(
                    .usage,
                    "\(path) is not a card but looks like \(format.title). To turn it into a scenario: \(importing)"
                )
            }
        }
        return ScenarioLoader.scenario(
            from: CardArguments.dump(path, in: folder), file: path,
            .init(
                files: FolderFiles(around: "--card", named: [path], in: folder), seed: values.seed,
                stations: values.stations),
            into: &diagnostics)
    }

    /// Loads files and the files below folders, all or none: all errors are reported before anything runs.
    static func load(
        _ paths: [String], _ values: ScenarioArguments, _ context: CommandContext
    ) throws(VerbError) -> [Scenario] {
        var diagnostics = Diagnostics()
        var scenarios: [Scenario] = []
        for path in try ScenarioFolder(in: context.folder, warn: context.console.warn).expanding(paths) {
            if let scenario = try load(path, values, in: context.folder, into: &diagnostics) {
                scenarios.append(scenario)
            }
        }
        try report(diagnostics, context.console)
        try values.checkNames(in: scenarios)
        return scenarios
    }

    static func report(_ diagnostics: Diagnostics, _ console: Console) throws(VerbError) {
        guard !diagnostics.isEmpty else { return }
        console.printError(diagnostics.text(colour: console.errorStyle.isOn))
        guard !diagnostics.hasErrors else {
            console.printError("\n\(CountText.of(diagnostics.errorCount, "error")); nothing was run")
            throw VerbError(diagnostics)
        }
    }
}

extension SourceFile {
    /// A Boolean value that indicates whether a file on the command line is meant as a card dump.
    var isDump: Bool {
        let isDocument = [".yaml", ".yml", ".json"].contains(where: name.lowercased().hasSuffix)
        return CardImage.isDump(self) || !isDocument && !beginsAsScenario
    }
}

/// The arguments that start a program.
private enum ClientArguments {
    private static let interpreters = [
        ".py": "python3", ".js": "node", ".mjs": "node", ".rb": "ruby", ".sh": "sh", ".pl": "perl",
    ]

    /// Returns the arguments for a file with a known extension, or with the first bytes of a script or of a Linux program.
    static func of(_ file: SourceFile) -> [String]? {
        let name = file.name.lowercased()
        if let known = interpreters.first(where: { name.hasSuffix($0.key) }) { return [known.value, file.name] }
        let isProgram = file.bytes.starts(with: Array("#!".utf8)) || file.bytes.starts(with: Array("\u{7F}ELF".utf8))
        return isProgram ? [file.name.contains("/") ? file.name : "./\(file.name)"] : nil
    }
}

/// The files that a scenario may read, which are those below its root.
///
/// The root is the working directory if the scenario is below it (as for programs), else the scenario's folder. Links are
/// resolved first, so that none leads outside.
struct FolderFiles: ReferencedFiles {
    private let working: WorkingFolder
    private let root: String?
    /// Files given on the command line, wherever they are, by their real paths.
    private let named: [String: String]

    init(around path: String, named paths: [String] = [], in working: WorkingFolder) {
        self.working = working
        named = Dictionary(paths.compactMap { path in working.realPath(of: path).map { ($0, path) } }) { first, _ in
            first
        }
        let folder = working.realPath(of: Self.folder(of: path))
        guard let folder, let top = working.realPath(of: ".") else {
            root = folder
            return
        }
        root = folder == top || RealPath.isInside(folder, top) ? top : folder
    }

    func identity(of name: String) -> String { working.realPath(of: name) ?? name }

    func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(ReferencedFileProblem) -> ReferencedFile {
        let joined = Self.joined(path, Self.folder(of: file))
        guard let real = working.realPath(of: joined) else {
            throw ReferencedFileProblem(
                .unreadable, "there is no such file",
                hint: "paths are relative to the folder of the file that names them")
        }
        try checkInside(real)
        // A pipe or a device would block.
        guard FileContent.isRegular(real) else {
            throw ReferencedFileProblem(.unreadable, "it is not a regular file", hint: "name a regular file")
        }
        do {
            let bytes = try FileContent.bytes(of: real, upTo: maximumBytes, isFollowing: false)
            return ReferencedFile(identity: real, name: named[real] ?? shown(joined, real), bytes: bytes)
        } catch {
            throw ReferencedFileProblem(.unreadable, "\(error)", hint: "make it readable")
        }
    }

    func isInside(_ path: String) -> Bool {
        guard let root, let real = working.realPath(of: path) else { return false }
        return RealPath.isInside(real, root)
    }

    func reader(for name: String) -> any DocumentReader { DocumentReaders.reader(for: name) }

    /// Returns the path for a file that need not exist yet, but whose folder must.
    func place(of path: String, namedIn file: String) throws(ReferencedFileProblem) -> String {
        let joined = Self.joined(path, Self.folder(of: file))
        guard let folder = working.realPath(of: Self.folder(of: joined)) else {
            throw ReferencedFileProblem(.unreadable, "its folder does not exist", hint: "create the folder")
        }
        let name = joined.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw ReferencedFileProblem(.unreadable, "it is a folder", hint: "name a file in it")
        }
        let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        let real = RealPath.of(place)
        guard real != nil || RealPath.target(ofLink: place) == nil else {
            throw ReferencedFileProblem(.unreadable, "it is a dangling link", hint: "remove the link")
        }
        try checkInside(real ?? place)
        return joined
    }

    private func checkInside(_ real: String) throws(ReferencedFileProblem) {
        guard named[real] == nil else { return }
        guard let root, RealPath.isInside(real, root) else {
            throw ReferencedFileProblem(
                .outside, "it is outside \(root ?? "the root")",
                hint: "a scenario may use files below the working directory, or below its own folder if it is elsewhere"
            )
        }
    }

    private static func joined(_ path: String, _ folder: String) -> String {
        folder == "." ? path : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes `..` from a path if the result is the same file, that is, if no folder is a link.
    private func shown(_ path: String, _ real: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        let short = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        return working.realPath(of: short) == real ? short : path
    }
}

/// The scenario that `--card` stands for: only the cards.
enum CardArguments {
    /// Returns the scenario.
    ///
    /// A second card of the same name gets a number; without arguments there is no card.
    static func scenario(
        _ texts: [String], seed: UInt64?, stations: StationNames? = nil, _ context: CommandContext
    ) throws -> Scenario? {
        let folder = context.folder
        for path in texts.compactMap(CardArgument.path) where path.hasPrefix("/") { _ = try folder.load(path) }
        var document: Node
        do {
            document = try CardArgument.scenario(texts.map { Self.fromHere($0, folder) })
        } catch {
            throw VerbError(.usage, "--card \(error.message)", help: error.help)
        }
        if texts.isEmpty { document = ["format": 1, "scenario": "no-card", "cards": .map(NodeMap([]))] }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(
            from: document, file: Scenario.argumentsFile,
            .init(files: files(of: document, folder), seed: seed, stations: stations),
            into: &diagnostics)
        try ScenarioFiles.report(diagnostics, context.console)
        return scenario
    }

    /// The scenario of a dump.
    static func dump(_ path: String, in folder: WorkingFolder) -> Node {
        CardArgument(dump: fromHere(path, folder)).scenario
    }

    static func nodes(_ texts: [String], in folder: WorkingFolder) throws(VerbError) -> Node {
        do {
            return try CardArgument.cards(texts.map { Self.fromHere($0, folder) })
        } catch {
            throw VerbError(.usage, "--card \(error.message)", help: error.help)
        }
    }

    /// The files that cards on the command line may name: those below the working directory, and the dumps themselves.
    private static func files(of document: Node, _ folder: WorkingFolder) -> FolderFiles {
        let dumps = document["cards"]?.entries.compactMap { $0.value[CardLanguage.dumpKey]?.text } ?? []
        return FolderFiles(around: "--card", named: dumps, in: folder)
    }

    /// Makes an absolute path relative to the working directory, since paths in scenarios start at a folder.
    private static func fromHere(_ text: String, _ folder: WorkingFolder) -> String {
        guard text.hasPrefix("/"), let here = folder.realPath(of: ".") else { return text }
        return here.split(separator: "/").map { _ in "../" }.joined() + text.drop { $0 == "/" }
    }
}

/// The files in which the cards of a case keep their state.
///
/// A state is read before a run and replaced atomically afterwards if the file is unchanged. If somebody else has changed the
/// file in the meantime, such as another run with the same card, it stays, and the state is written to a new file next to it.
struct CardStates {
    /// The case with its cards as the previous run left them.
    let scenarioCase: ScenarioCase
    /// The content of the existing files, by path.
    private let found: [String: [UInt8]]

    /// Reads the states.
    ///
    /// - Throws: ``VerbError`` if a state cannot be read or belongs to another card.
    init(restoring scenarioCase: ScenarioCase, _ context: CommandContext) throws(VerbError) {
        var restored = scenarioCase
        var found: [String: [UInt8]] = [:]
        var diagnostics = Diagnostics()
        for card in scenarioCase.keptCards {
            let path = try Self.path(of: card, scenarioCase, context.folder)
            guard context.folder.realPath(of: path) != nil else { continue }
            guard context.folder.isRegular(path) else {
                throw VerbError(
                    .usage, "\(path), which stores the card `\(card.name)`, is not a file; name another one")
            }
            let state = try context.folder.load(path)
            found[path] = state.bytes
            restored = restored.restoring(card, from: state, into: &diagnostics) ?? restored
        }
        try ScenarioFiles.report(diagnostics, context.console)
        (self.scenarioCase, self.found) = (restored, found)
    }

    /// Saves the cards as a run left them.
    ///
    /// - Throws: ``VerbError`` if a state cannot be written.
    func keep(_ world: World, _ context: CommandContext) throws(VerbError) {
        var found = found
        for card in scenarioCase.keptCards {
            guard let state = scenarioCase.state(of: card.name, in: world) else { continue }
            let path = try Self.path(of: card, scenarioCase, context.folder)
            let bytes = Array("\(JSONWriter.text(state, .pretty))\n".utf8)
            if Self.isUnchanged(path, since: found[path], context.folder) {
                try context.folder.write(path, with: bytes, isReplacing: found[path] != nil)
                found[path] = bytes
            } else {
                let other = (1...).lazy.map { "\(path).\($0)" }.first(where: context.folder.isFree) ?? path
                try context.folder.write(other, with: bytes, isReplacing: false)
                context.console.warn(
                    "\(path) has changed since it was read and is left as it is; the card `\(card.name)` was saved to "
                        + "\(other)")
            }
        }
    }

    /// A Boolean value that indicates whether a file still has the content that was read, or still does not exist.
    private static func isUnchanged(_ path: String, since found: [UInt8]?, _ folder: WorkingFolder) -> Bool {
        guard let found else { return folder.isFree(path) }
        return folder.isRegular(path) && (try? folder.load(path).bytes) == found
    }

    private static func path(
        of card: KeptCard, _ scenarioCase: ScenarioCase, _ folder: WorkingFolder
    ) throws(VerbError) -> String {
        do {
            return try FolderFiles(around: scenarioCase.file, in: folder).place(of: card.path, namedIn: card.file)
        } catch {
            throw VerbError(
                .usage, "cannot save the state of \(card.name) to \(card.path): \(error.reason); \(error.hint)")
        }
    }
}
