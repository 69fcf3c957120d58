import TapField
import TapFuzz
import TapScenario

/// What `--only` and `--shard` leave of the runs.
struct FuzzChoice {
    private let patterns: [Glob]
    private let shard: Shard

    /// Reads the options.
    ///
    /// - Throws: ``UsageError`` for a pattern that fits no fault and for what is no part of the work.
    init(_ arguments: Arguments) throws(UsageError) {
        patterns = arguments.values("--only").map { Glob($0) }
        for pattern in patterns where !FaultCatalogue.all.contains(where: { Self.fits($0, pattern) }) {
            let names = FaultCatalogue.all.map(\.name)
            let guess = Spelling.question(for: pattern.description, among: names)
            throw UsageError("`--only \(pattern)` fits no fault; tapsim list faults names them\(guess)")
        }
        guard let text = arguments.value("--shard") else {
            shard = .whole
            return
        }
        guard let part = Shard(text) else {
            throw UsageError("`--shard` needs a part of the whole such as 2/5, not `\(text)`")
        }
        shard = part
    }

    /// The faults asked for.
    var kinds: [FaultKind] {
        FaultCatalogue.all.filter { kind in patterns.isEmpty || patterns.contains { Self.fits(kind, $0) } }
    }

    /// The runs asked for, in the order of the phase.
    func runs(of phase: SystematicPhase) -> [SystematicPhase.Run] {
        let wanted = phase.runs.filter { run in
            patterns.isEmpty || patterns.contains { $0.matches(run.fault.kind.name) || $0.matches(run.name) }
        }
        return wanted.enumerated().filter { shard.holds($0.offset) }.map(\.element)
    }

    /// Whether a pattern is of a fault, or of one of its runs.
    private static func fits(_ kind: FaultKind, _ pattern: Glob) -> Bool {
        // Behind the name stand the variant and the place.
        let name = pattern.description.prefix { $0 != "@" && $0 != ":" }
        return Glob(String(name)).matches(kind.name)
    }
}
