import TapDocument
import TapField
import TapScenario

/// Which runs of a campaign are made: those that some patterns name and others do not leave out.
public struct RunSelection: Sendable {
    /// A pattern that names no fault.
    public struct Problem: Error, Hashable, Sendable {
        public let pattern: Glob
        /// Whether it is one of those that leave out.
        public let isException: Bool
        /// Behind the pattern.
        public let reason = "fits no fault"
        /// Behind where to find the names: `, did you mean … ?`, or empty.
        public let question: String
    }

    /// Every fault.
    public static let all = RunSelection()

    /// Of names of faults (`rf.*`), of runs (`rf.silence@7`) and of cards (`card.*`); empty for all.
    public let patterns: [Glob]
    private let exceptions: [Glob]
    /// The part of the runs that this machine performs.
    public let shard: Shard

    private init() { (patterns, exceptions, shard) = ([], [], .whole) }

    /// - Throws: ``Problem`` for the first pattern that names no fault.
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
            // The beginning of a name counts as much as one that is misspelt.
            let guess = Spelling.near(to: pattern.description, among: FaultCatalogue.all.map(\.name), upTo: 1).first
            throw Problem(
                pattern: pattern, isException: areExceptions, question: guess.map { "; did you mean `\($0)`?" } ?? "")
        }
        return patterns
    }

    /// The faults that any of its runs injects.
    public var kinds: [FaultKind] {
        FaultCatalogue.all.filter { kind in
            (patterns.isEmpty || patterns.contains { Self.fits(kind, $0) })
                && !exceptions.contains { $0.matches(kind.name) }
        }
    }

    /// The single runs and cards that were asked for and are none of a case, in their order.
    ///
    /// - Parameter others: What of it can be asked for by name beside the runs of its phase.
    public func missing(from phase: SystematicPhase, _ others: [String]) -> [String] {
        let single = patterns.filter { $0.description.contains("@") || $0.isOnCards }
        let idle = single.filter { pattern in
            !others.contains(where: pattern.matches) && !phase.runs.contains { Self.names($0, pattern) }
        }
        return idle.map(\.description).filter { !$0.contains("*") }
    }

    /// The control cards asked for, which are judged together and so belong to the first part of the work.
    ///
    /// - Parameter isWhole: Whether to try every card where none is asked for by name, not only a covering set.
    public func cards(beside scenarioCase: ScenarioCase, all isWhole: Bool = false) -> [VariedCard] {
        guard shard.holds(0) else { return [] }
        let isFew = patterns.isEmpty && !isWhole
        return (isFew ? VariedCard.few : VariedCard.all)(scenarioCase).filter { card in
            (patterns.isEmpty || patterns.contains { $0.matches(card.name) })
                && !exceptions.contains { $0.matches(card.name) }
        }
    }

    /// The runs of the phase that belong to this part of the work.
    public func runs(of phase: SystematicPhase) -> [FuzzRun] {
        allRuns(of: phase).enumerated().filter { shard.holds($0.offset) }.map(\.element)
    }

    /// The runs of the phase that all parts of the work have together.
    public func allRuns(of phase: SystematicPhase) -> [FuzzRun] {
        phase.runs.filter { run in
            (patterns.isEmpty || patterns.contains { Self.names(run, $0) })
                && !exceptions.contains { Self.names(run, $0) }
        }
    }

    /// The runs asked for by name that the phase does not have, of several faults or of arguments that it does not try, and
    /// the names of none; they belong to the first part of the work.
    public func named(
        beside phase: SystematicPhase
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

    /// Whether a pattern fits a fault or a run with it.
    private static func fits(_ kind: FaultKind, _ pattern: Glob) -> Bool {
        pattern.description.split(separator: "+").contains { part in
            // The variant and the place follow the name.
            Glob(String(part.prefix { $0 != "@" && $0 != ":" })).matches(kind.name)
        }
    }
}

extension Glob {
    /// Whether it can be the name of a control card.
    fileprivate var isOnCards: Bool { VariedCard.isName(description) }
}
