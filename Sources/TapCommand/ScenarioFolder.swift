import TapDocument
import TapScenario
import TapSystem
import TapYAML

/// A search for scenario files in folders.
///
/// A file that cannot be read is an error, since a run without it would look as if all had passed.
struct ScenarioFolder {
    private static let defaultFolder = "Scenarios"
    private static let maximumDepth = 8
    private static let endings = [".yaml", ".yml", ".json"]
    /// The keys by which a file without `format` is recognised as a scenario.
    private static let keysOfScenarios = ["cards", "cases", "expect"]

    private let working: WorkingFolder
    private let warn: (String) -> Void

    /// - Parameter warn: A closure that receives a sentence about each file or folder that may have been meant but is left out.
    init(in working: WorkingFolder, warn: @escaping (String) -> Void = { _ in }) {
        self.working = working
        self.warn = warn
    }

    /// Returns the paths of the files that end in `.yaml`, `.yml` or `.json` and have the key `format`, sorted.
    ///
    /// - Parameter skipped: Called with each link that leads to such files; if omitted, links are followed.
    func files(below folder: String?, skipping skipped: ((String) -> Void)? = nil) throws(VerbError) -> [String] {
        let start = folder ?? (working.names(in: Self.defaultFolder) == nil ? "." : Self.defaultFolder)
        var files: [String] = []
        try collect(start, depth: 0, skipping: skipped, into: &files)
        return files
    }

    /// Returns the given files, with each folder replaced by the scenario files below it.
    ///
    /// - Parameter skipped: Called with each link in a folder that leads to such files; if omitted, links are followed.
    func expanding(_ paths: [String], skipping skipped: ((String) -> Void)? = nil) throws(VerbError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard working.isFolder(path) else {
                files.append(path)
                continue
            }
            let trimmed = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
            let found = try self.files(below: trimmed, skipping: skipped)
            guard !found.isEmpty else { throw VerbError(.usage, "there is no scenario file below \(path)") }
            files += found
        }
        return files
    }

    private func collect(
        _ folder: String, depth: Int, skipping skipped: ((String) -> Void)?, into files: inout [String]
    ) throws(VerbError) {
        guard depth <= Self.maximumDepth else {
            return warn("\(folder) is nested too deeply and was not searched; name it to search it")
        }
        guard let names = working.names(in: folder) else {
            throw VerbError(.usage, "\(SystemError("read the folder \(folder)"))")
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder == "." ? name : "\(folder)/\(name)"
            if let skipped, working.target(ofLink: path) != nil {
                var inside: [String] = []
                try? ScenarioFolder(in: working).collectEntry(path, depth: depth, skipping: nil, into: &inside)
                if !inside.isEmpty { skipped(path) }
            } else {
                try collectEntry(path, depth: depth, skipping: skipped, into: &files)
            }
        }
    }

    private func collectEntry(
        _ path: String, depth: Int, skipping skipped: ((String) -> Void)?, into files: inout [String]
    ) throws(VerbError) {
        if working.isFolder(path) {
            try collect(path, depth: depth + 1, skipping: skipped, into: &files)
        } else if try isScenario(path) {
            files.append(path)
        }
    }

    private func isScenario(_ path: String) throws(VerbError) -> Bool {
        guard Self.endings.contains(where: path.lowercased().hasSuffix) else { return false }
        // A pipe or a device would block.
        guard working.isRegular(path) || !working.isThere(path) else { return false }
        let file = try working.load(path)
        if file.beginsAsScenario { return true }
        // A link may lead to a file outside, whose text errors would quote.
        guard FolderFiles(around: path, in: working).isInside(path) else { return false }
        var diagnostics = Diagnostics()
        // Unreadable files are included so that their errors are reported.
        guard let document = DocumentReaders.reader(for: path).read(file, into: &diagnostics) else { return true }
        guard document["$schema"] == nil else { return false }
        if document["format"] == nil, let key = Self.keysOfScenarios.first(where: { document[$0] != nil }) {
            warn("\(path) has `\(key)`, but no `format: 1`, so it does not count as a scenario")
        }
        return document["format"] != nil
    }
}
