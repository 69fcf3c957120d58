import TapDocument
import TapScenario
import TapWire
import TapYAML

extension Verb {
    static let fmt = Verb(
        name: "fmt",
        usages: ["[--check] FILE|FOLDER…", "[--check] -"],
        summary: "Format scenario files in one style, without changing their meaning or comments.",
        examples: [Example("Format all scenarios of a folder", "tapsim fmt Scenarios")],
        details: """
            Lists the rewritten files; a file with errors is reported and left unchanged. With -
            it reads standard input and writes standard output. With --check it writes
            nothing, lists the files that would be rewritten, and exits with 1 if there are
            any. In a folder only YAML files are formatted, and symbolic links are skipped and
            listed; to format the target of a link, name the link.
            """,
        options: [.flag("--check", "List the files that would be rewritten, and write nothing")],
        run: { arguments, context in try FmtVerb(arguments, context).run() })
}

private struct FmtVerb {
    private let operands: [String]
    private let isCheck: Bool
    private let context: CommandContext
    private var console: Console { context.console }
    private let formatter = DocumentFormatter(reader: YAMLReader(), table: ScenarioLoader.table)

    init(_ arguments: Arguments, _ context: CommandContext) throws(UsageError) {
        operands = arguments.operands
        isCheck = arguments.isGiven("--check")
        self.context = context
        guard !operands.isEmpty else { throw UsageError("name the files to rewrite, or - for standard input") }
        guard operands == ["-"] || !operands.contains("-") else {
            throw UsageError("`-` cannot be combined with files")
        }
    }

    func run() throws -> ExitCode {
        guard operands != ["-"] else { return try runStandardInput() }
        var (rewritten, left) = (0, 0)
        let paths = try self.paths()
        for path in paths {
            do {
                if try rewrite(path) { rewritten += 1 }
            } catch {
                if let message = error.message { console.fail(message, help: error.help) }
                left += 1
            }
        }
        guard left == 0 else {
            console.printError("\(CountText.of(left, "file")) left unchanged")
            return .usage
        }
        return isCheck && rewritten > 0 ? .failed : .passed
    }

    /// Returns the files to rewrite.
    ///
    /// JSON has no style here and is skipped in folders.
    private func paths() throws -> [String] {
        if let path = operands.first(where: isJSON) {
            throw UsageError("`fmt` formats YAML, but \(path) is JSON")
        }
        let found = try ScenarioFolder(in: context.folder, warn: context.console.warn).expanding(operands) { link in
            guard !isJSON(link) else { return }
            console.warn("skipped \(link), a symbolic link; to format its target, name the link")
        }
        return found.filter { !isJSON($0) }
    }

    private func isJSON(_ path: String) -> Bool { path.lowercased().hasSuffix(".json") }

    /// Rewrites a file unless `--check` is given, and returns whether its formatting differed.
    private func rewrite(_ path: String) throws(VerbError) -> Bool {
        let file = try context.folder.load(path)
        let text = try text(of: file, FolderFiles(around: path, in: context.folder))
        guard file.hasByteOrderMark || Array(text.utf8) != file.bytes else { return false }
        if !isCheck { try context.folder.replace(path, with: text) }
        console.print(path)
        return true
    }

    private func runStandardInput() throws(VerbError) -> ExitCode {
        let file = try context.input.rest()
        let text = try text(of: file, FolderFiles(around: "./-", in: context.folder))
        guard isCheck else {
            console.printAsIs(text)
            return .passed
        }
        let isClean = !file.hasByteOrderMark && Array(text.utf8) == file.bytes
        if !isClean { console.print("-") }
        return isClean ? .passed : .failed
    }

    /// Returns the formatted text, and prints the file's errors.
    private func text(of file: SourceFile, _ companions: FolderFiles) throws(VerbError) -> String {
        var found = Diagnostics()
        let text: String?
        do { text = try formatter.text(of: file, into: &found) } catch { throw VerbError(.ownBug, "\(error)") }
        let loader = ScenarioLoader(reader: YAMLReader(), .init(files: companions))
        // The rewritten text must load: `format` may have been in the wrong place.
        if let text, loader.load(SourceFile(name: file.name, text: text), into: &found) != nil { return text }
        var diagnostics = Diagnostics()
        _ = loader.load(file, into: &diagnostics)
        console.printError(diagnostics.text(colour: console.errorStyle.isOn))
        throw VerbError(diagnostics)
    }
}
