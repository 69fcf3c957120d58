import TapDoors
import TapScenario
import TapYAML

/// The scenario files below a folder.
enum ScenarioFolder {
    /// Where scenarios lie if nothing else is said.
    private static let usual = "Scenarios"
    /// Folders inside one another that are followed.
    private static let maximumDepth = 8

    /// Paths of the files that end in `.yaml`, `.yml` or `.json` and have the key `format`, sorted.
    ///
    /// - Throws: ``VerbError`` if the folder cannot be read.
    static func files(below folder: String?) throws(VerbError) -> [String] {
        let start = folder ?? (Folder.names(in: usual) == nil ? "." : usual)
        guard Folder.names(in: start) != nil else {
            throw VerbError(.usage, "\(SystemError("read the folder \(start)"))")
        }
        var files: [String] = []
        collect(start, depth: 0, into: &files)
        return files
    }

    /// Files and folders as the command line names them, each folder replaced by the scenario files below it.
    ///
    /// - Throws: ``VerbError`` if there is none below a folder.
    static func expanding(_ paths: [String]) throws(VerbError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard Folder.names(in: path) != nil else {
                files.append(path)
                continue
            }
            let trimmed = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
            let found = try Self.files(below: trimmed)
            guard !found.isEmpty else { throw VerbError(.usage, "there is no scenario file below \(path)") }
            files += found
        }
        return files
    }

    private static func collect(_ folder: String, depth: Int, into files: inout [String]) {
        guard depth <= maximumDepth else { return }
        for name in Folder.names(in: folder) ?? [] where !name.hasPrefix(".") {
            let path = folder == "." ? name : "\(folder)/\(name)"
            if isScenario(path) {
                files.append(path)
            } else if Folder.names(in: path) != nil {
                collect(path, depth: depth + 1, into: &files)
            }
        }
    }

    private static func isScenario(_ path: String) -> Bool {
        guard [".yaml", ".yml", ".json"].contains(where: path.hasSuffix), FileContent.isRegular(path),
            let file = try? InputFile.load(path)
        else {
            return false
        }
        // A link may lead to a file of somebody else, which errors would quote.
        guard file.beginsAsScenario || FolderFiles(around: path).isInside(path) else { return false }
        var diagnostics = Diagnostics()
        let document = DocumentReaders.reader(for: path).read(file, into: &diagnostics)
        // A file that cannot be read at all is shown, so that its errors are seen.
        return document.map { $0["format"] != nil && $0["$schema"] == nil } ?? true
    }
}
