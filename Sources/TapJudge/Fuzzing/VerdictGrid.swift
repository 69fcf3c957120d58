import TapField
import TapScenario

/// What became of the runs of a systematic phase: faults by exchanges.
public struct VerdictGrid: Hashable, Sendable {
    public enum Cell: Hashable, Sendable {
        case judged(OutcomeFinding)
        /// The fault was never injected: with it, the run did not come to its exchange, or the answer was none it could
        /// change.
        case notReached
    }

    /// A run and what became of it.
    public struct Entry: Hashable, Sendable {
        public let run: SystematicPhase.Run
        public let cell: Cell
        /// What a sound client reads of the cards afterwards, for a fault of memory that was injected.
        public let readBack: ReadBack?

        public init(_ run: SystematicPhase.Run, _ cell: Cell, readBack: ReadBack? = nil) {
            self.run = run
            self.cell = cell
            self.readBack = readBack
        }

        /// What the client did wrong, if it did.
        public var finding: OutcomeFinding? {
            guard case .judged(let finding) = cell, !finding.outcome.isOK else { return nil }
            return finding
        }
    }

    /// The exchanges of the clean run and its calls of PC/SC, the columns.
    public let places: [FaultPlace]
    /// The runs, in the order of the phase.
    public let entries: [Entry]

    public init(places: [FaultPlace], entries: [Entry]) {
        self.places = places
        self.entries = entries
    }

    /// What the client did wrong, in the order of the phase.
    public var findings: [(run: SystematicPhase.Run, finding: OutcomeFinding)] {
        entries.compactMap { entry in entry.finding.map { (entry.run, $0) } }
    }

    /// Names of faults that were never injected at any of their exchanges.
    public var neverReached: [String] {
        var names: [String] = []
        for name in faultNames where entries.allSatisfy({ $0.run.faultName != name || $0.cell == .notReached }) {
            names.append(name)
        }
        return names
    }

    /// How often the cards read as what after a fault of memory, in the order of ``ReadBack``.
    public var readBacks: [(readBack: ReadBack, count: Int)] {
        let found = entries.compactMap(\.readBack)
        return ReadBack.allCases.map { word in (word, found.count { $0 == word }) }.filter { $0.1 > 0 }
    }

    /// The faults of the grid and their variants, the rows.
    public var faultNames: [String] {
        var names: [String] = []
        for entry in entries where names.last != entry.run.faultName { names.append(entry.run.faultName) }
        return names
    }

    /// How many runs had each outcome, in the order of ``Outcome``, and how many were not reached.
    public var totals: (outcomes: [(outcome: Outcome, count: Int)], notReached: Int) {
        let found = entries.compactMap { entry -> Outcome? in
            guard case .judged(let finding) = entry.cell else { return nil }
            return finding.outcome
        }
        let counts = Outcome.allCases.map { outcome in (outcome, found.count { $0 == outcome }) }
        return (counts.filter { $0.1 > 0 }, entries.count - found.count)
    }
}
