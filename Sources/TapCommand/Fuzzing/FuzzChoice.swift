import TapDocument
import TapSystem
import TapJudge
import TapScenario

extension RunSelection {
    /// The runs that `--only`, `--except` and `--shard` select.
    init(_ arguments: Arguments) throws(UsageError) {
        var shard = Shard.whole
        if let text = arguments.value("--shard") {
            guard let part = Shard(text) else {
                throw UsageError("`--shard` needs a part such as 2/5, not `\(text)`")
            }
            shard = part
        }
        do throws(Problem) {
            self = try RunSelection(only: arguments.values("--only"), except: arguments.values("--except"), of: shard)
        } catch {
            let option = error.isException ? "--except" : "--only"
            throw UsageError(
                "`\(option) \(error.pattern)` \(error.reason)",
                help: error.suggestion(before: "`tapsim list faults` lists them"))
        }
    }

    /// Returns notes about runs and control cards that were asked for by name but do not exist in a case.
    func notes(for scenarioCase: ScenarioCase, _ phase: SystematicPhase) -> [String] {
        let names = VariedCard.all(for: scenarioCase).map(\.name)
        return missing(from: phase, names).compactMap { name in
            if VariedCard.isName(name) {
                let there =
                    names.isEmpty
                    ? "this case has no control cards"
                    : "the control cards are \(names.joined(separator: ", "))"
                return "`--only \(name)` matches nothing here: \(there)"
            }
            do throws(FuzzRunNameError) {
                _ = try FuzzRun(named: name, among: phase.places)
                return nil
            } catch {
                return "`--only \(name)` matches nothing here: \(error)"
            }
        }
    }

    /// The reason why there is no run.
    var noRunText: String {
        "no selected fault applies to this client"
            + (shard == .whole ? "" : ", or part \(shard) contains none of its runs")
    }
}

/// A file of known causes or lies, one key per line.
struct KnownFile {
    private static let head = """
        # Keys that `--known` does not count as findings, one per line. `--update-known` adds new ones.

        """
    private let path: String?
    private let isUpdated: Bool
    let keys: Set<String>

    /// - Parameters:
    ///   - what: The kind of thing that a line names, for messages.
    ///   - isKey: Returns whether a line is a valid key.
    init(_ arguments: Arguments, of what: String, in folder: WorkingFolder, where isKey: (String) -> Bool) throws {
        path = arguments.value("--known")
        isUpdated = arguments.isGiven("--update-known")
        guard let path else {
            guard !isUpdated else { throw UsageError("`--update-known` needs `--known FILE`, the file to update") }
            keys = []
            return
        }
        // After the campaign it would be too late to report that the file cannot be written.
        if isUpdated {
            guard case .file = try OutputTarget(path, in: folder) else {
                throw UsageError("`--update-known` cannot update \(path), which is a pipe or a device; name a file")
            }
            try folder.makeFolder(of: path)
        }
        guard let text = try Self.text(of: path, in: folder) else {
            guard isUpdated else { throw UsageError("\(path) does not exist; use `--update-known` to create it") }
            keys = []
            return
        }
        let stated = Self.stated(in: text)
        for (line, key) in stated where !isKey(key) {
            throw UsageError(
                "`--known`: \(path):\(line): `\(key)` is not a \(what); write lines as `--update-known` does")
        }
        keys = Set(stated.map(\.key))
    }

    /// Reads the file; `nil` if it does not exist.
    private static func text(of path: String, in folder: WorkingFolder) throws -> String? {
        guard folder.isThere(path) else { return nil }
        let bytes = try folder.load(path).bytes
        let limit = DocumentLimits.scenario.maximumBytes
        guard bytes.count <= limit else { throw UsageError("`--known`: \(path) is longer than \(limit) bytes") }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw UsageError("`--known`: \(path) is not UTF-8 text") }
        return text
    }

    /// The lines with keys, with their numbers.
    private static func stated(in text: String) -> [(line: Int, key: String)] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.enumerated().map { ($0.offset + 1, String($0.element)) }.filter {
            !$0.1.isEmpty && !$0.1.hasPrefix("#")
        }
    }

    /// Adds new keys to the file if `--update-known` is given.
    ///
    /// Creates a missing file even if there is nothing to add.
    func update(with causes: [String], in folder: WorkingFolder) throws {
        guard let path, isUpdated else { return }
        // The file may have been edited in the meantime, or extended by another campaign.
        let found = try Self.text(of: path, in: folder)
        let text = found ?? Self.head
        var known = keys.union(Self.stated(in: text).map(\.key))
        let new = causes.filter { known.insert($0).inserted }
        guard !new.isEmpty || found == nil else { return }
        let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        try folder.replace(path, with: start + new.map { "\($0)\n" }.joined())
    }
}
