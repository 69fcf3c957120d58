import TapDocument
import TapField
import TapScenario

/// The runs of a campaign to perform: the ones that some patterns name and others do not exclude.
public struct RunSelection: Sendable {
    /// A pattern that matches no fault.
    public struct Problem: Error, Hashable, Sendable {
        public let pattern: Glob
        /// A Boolean value that indicates whether the pattern is an exclusion.
        public let isException: Bool
        /// The reason, printed after the pattern.
        public let reason = "matches no fault"
        /// The name of the fault that the pattern probably means.
        let meant: String?

        /// Returns advice that begins with the name that is probably meant.
        ///
        /// - Parameter advice: Where to find the names.
        public func suggestion(before advice: String) -> String {
            meant.map { "did you mean `\($0)`? \(advice)" } ?? advice
        }
    }

    public static let all = RunSelection()

    /// Patterns of fault names (`rf.*`), runs (`rf.silence@7`) and cards (`card.*`); empty for all.
    public let patterns: [Glob]
    private let exceptions: [Glob]
    public private(set) var shard: Shard

    private init() { (patterns, exceptions, shard) = ([], [], .whole) }

    /// The selection of all shards together.
    package var whole: RunSelection {
        var whole = self
        whole.shard = .whole
        return whole
    }

    /// - Throws: ``Problem`` for the first pattern that matches no fault.
    public init(
        only patterns: [String] = [], except exceptions: [String] = [], of shard: Shard = .whole
    ) throws(Problem) {
        self.shard = shard
        self.patterns = try Self.checked(patterns, areExceptions: false)
        self.exceptions = try Self.checked(exceptions, areExceptions: true)
    }

    private static func checked(_ texts: [String], areExceptions: Bool) throws(Problem) -> [Glob] {
        let patterns = texts.map { Glob($0) }
        for pattern in patterns
        where !pattern.isOnCards && !FaultCatalogue.all.contains(where: { fits($0, pattern) }) {
            // The beginning of a name is treated like a misspelt name.
            let near = Spelling.near(to: pattern.description, among: FaultCatalogue.all.map(\.name), upTo: 1)
            throw Problem(pattern: pattern, isException: areExceptions, meant: near.first)
        }
        return patterns
    }

    public var kinds: [FaultKind] {
        FaultCatalogue.all.filter { kind in
            (patterns.isEmpty || patterns.contains { Self.fits(kind, $0) })
                && !exceptions.contains { $0.matches(kind.name) }
        }
    }

    /// Returns the runs and cards that were requested by name and do not exist in a case, in order.
    ///
    /// - Parameter others: The names that can be requested in addition to the runs of the phase.
    public func missing(from phase: SystematicPhase, _ others: [String]) -> [String] {
        let single = patterns.filter { $0.description.contains("@") || $0.isOnCards }
        let idle = single.filter { pattern in
            !others.contains(where: pattern.matches) && !phase.runs.contains { Self.names($0, pattern) }
        }
        return idle.map(\.description).filter { !$0.contains("*") }
    }

    /// Returns the requested control cards, which are judged together and so belong to the first part of the work.
    ///
    /// - Parameter isWhole: Whether to try every card if none is requested by name, instead of a covering set.
    public func cards(for scenarioCase: ScenarioCase, all isWhole: Bool = false) -> [VariedCard] {
        guard shard.holds(0) else { return [] }
        let isFew = patterns.isEmpty && !isWhole
        return (isFew ? VariedCard.few : VariedCard.all)(scenarioCase).filter { card in
            (patterns.isEmpty || patterns.contains { $0.matches(card.name) })
                && !exceptions.contains { $0.matches(card.name) }
        }
    }

    /// Returns the runs of the phase that belong to this part of the work.
    public func runs(of phase: SystematicPhase) -> [FuzzRun] {
        allRuns(of: phase).enumerated().filter { shard.holds($0.offset) }.map(\.element)
    }

    /// Returns the runs of the phase in all parts of the work together.
    public func allRuns(of phase: SystematicPhase) -> [FuzzRun] {
        phase.runs.filter { run in
            (patterns.isEmpty || patterns.contains { Self.names(run, $0) })
                && !exceptions.contains { Self.names(run, $0) }
        }
    }

    /// Returns the runs requested by name that the phase does not have, because they have several faults or untried arguments,
    /// and the names that match no run.
    ///
    /// They belong to the first part of the work.
    public func named(
        alongside phase: SystematicPhase
    ) -> (runs: [FuzzRun], problems: [(name: String, error: FuzzRunNameError)]) {
        guard shard.holds(0) else { return ([], []) }
        let all = Set(phase.runs.map(\.name))
        var runs: [FuzzRun] = []
        var problems: [(name: String, error: FuzzRunNameError)] = []
        for name in patterns.map(\.description) where name.contains("@") && !name.contains("*") && !all.contains(name) {
            do throws(FuzzRunNameError) {
                runs.append(try FuzzRun(named: name, among: phase.places))
            } catch {
                problems.append((name, error))
            }
        }
        return (runs, problems)
    }

    private static func names(_ run: FuzzRun, _ pattern: Glob) -> Bool {
        pattern.matches(run.fault.kind.name) || pattern.matches(run.name)
    }

    private static func fits(_ kind: FaultKind, _ pattern: Glob) -> Bool {
        pattern.description.split(separator: "+").contains { part in
            // The variant and the place follow the name.
            Glob(String(part.prefix { $0 != "@" && $0 != ":" })).matches(kind.name)
        }
    }
}

extension Glob {
    fileprivate var isOnCards: Bool { VariedCard.isName(description) }
}
