import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// Which runs of a campaign are made.
struct FuzzChoice {
    private let patterns: [Glob]
    private let exceptions: [Glob]
    private let shard: Shard

    init(_ arguments: Arguments) throws(UsageError) {
        patterns = try Self.patterns(of: "--only", arguments)
        exceptions = try Self.patterns(of: "--except", arguments)
        guard let text = arguments.value("--shard") else {
            shard = .whole
            return
        }
        guard let part = Shard(text) else {
            throw UsageError("`--shard` needs a part of the whole such as 2/5, not `\(text)`")
        }
        shard = part
    }

    private static func patterns(of option: String, _ arguments: Arguments) throws(UsageError) -> [Glob] {
        let patterns = arguments.values(option).map { Glob($0) }
        for pattern in patterns
        where !pattern.isOnCards && !FaultCatalogue.all.contains(where: { fits($0, pattern) }) {
            let guess = Spelling.question(for: pattern.description, among: FaultCatalogue.all.map(\.name))
            throw UsageError("`\(option) \(pattern)` fits no fault; tapsim list faults names them\(guess)")
        }
        return patterns
    }

    var kinds: [FaultKind] {
        FaultCatalogue.all.filter { kind in
            (patterns.isEmpty || patterns.contains { Self.fits(kind, $0) })
                && !exceptions.contains { $0.matches(kind.name) }
        }
    }

    /// The sound cards asked for, which are judged together and so belong to the first part of the work.
    func cards(of all: [VariedCard]) -> [VariedCard] {
        guard shard.holds(0) else { return [] }
        return all.filter { card in
            (patterns.isEmpty || patterns.contains { $0.matches(card.name) })
                && !exceptions.contains { $0.matches(card.name) }
        }
    }

    /// The runs of the phase that belong to this part of the work.
    func runs(of phase: SystematicPhase) -> [FuzzRun] {
        wantedRuns(of: phase).enumerated().filter { shard.holds($0.offset) }.map(\.element)
    }

    /// The runs named by `--only` that the phase does not have.
    func namedRuns(beside phase: SystematicPhase) throws(UsageError) -> [FuzzRun] {
        let all = Set(phase.runs.map(\.name))
        let names = patterns.map(\.description).filter { $0.contains("@") && !$0.contains("*") && !all.contains($0) }
        var runs: [FuzzRun] = []
        for name in names {
            if let run = try Self.run(named: name, among: phase) { runs.append(run) }
        }
        return runs
    }

    /// A run of several faults, or of arguments that the phase does not try; nil for a run that cannot come about here.
    private static func run(named name: String, among phase: SystematicPhase) throws(UsageError) -> FuzzRun? {
        do throws(FuzzRunNameError) {
            return try FuzzRun(named: name, among: phase.places)
        } catch {
            // Of several cases each has places of its own.
            guard error.isOnName else { return nil }
            throw UsageError("`--only \(name)`: \(error)")
        }
    }

    /// What can be combined in a guided phase.
    func space(of phase: SystematicPhase) -> FuzzSpace { FuzzSpace(wantedRuns(of: phase), phase.places) }

    /// A word for this part of the work.
    var part: String { "\(shard)" }

    private func wantedRuns(of phase: SystematicPhase) -> [FuzzRun] {
        phase.runs.filter { run in
            (patterns.isEmpty || patterns.contains { Self.names(run, $0) })
                && !exceptions.contains { Self.names(run, $0) }
        }
    }

    private static func names(_ run: FuzzRun, _ pattern: Glob) -> Bool {
        pattern.matches(run.fault.kind.name) || pattern.matches(run.name)
    }

    /// Whether a pattern fits a fault or one of its runs.
    private static func fits(_ kind: FaultKind, _ pattern: Glob) -> Bool {
        // The variant and the place follow the name.
        let name = pattern.description.prefix { $0 != "@" && $0 != ":" }
        return Glob(String(name)).matches(kind.name)
    }
}

/// The causes that a file lists, a key each in a line: those that are no news.
struct KnownCauses {
    private static let head = """
        # What `--known` does not count as findings, a key each in a line. `--update-known` adds new ones.

        """
    private let path: String?
    private let isUpdated: Bool
    /// What the file holds.
    private let text: String
    let keys: Set<String>

    init(_ arguments: Arguments) throws {
        path = arguments.value("--known")
        isUpdated = arguments.isGiven("--update-known")
        guard let path else {
            guard !isUpdated else { throw UsageError("`--update-known` goes with `--known FILE`, the file to update") }
            (text, keys) = ("", [])
            return
        }
        guard OutputFile.isThere(path) else {
            guard isUpdated else { throw UsageError("\(path) is not there; `--update-known` makes it") }
            (text, keys) = (Self.head, [])
            return
        }
        let bytes = try InputFile.load(path).bytes
        let limit = DocumentLimits.scenario.maximumBytes
        guard bytes.count <= limit else { throw UsageError("`--known`: \(path) is longer than \(limit) bytes") }
        text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw UsageError("`--known`: \(path) is no text in UTF-8") }
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        keys = Set(lines.map(String.init))
    }

    /// Adds what is new to the file, if that was asked for.
    func update(with causes: [String]) throws {
        guard let path, isUpdated else { return }
        var known = keys
        let new = causes.filter { known.insert($0).inserted }
        guard !new.isEmpty else { return }
        let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        try OutputFile.replace(path, with: start + new.map { "\($0)\n" }.joined())
    }
}

extension Glob {
    /// Whether it can be the name of a sound card.
    fileprivate var isOnCards: Bool { description.hasPrefix("card.") }
}
