import TapField
import TapScenario

/// The outcomes of a systematic phase: faults by exchanges.
public struct VerdictGrid: Hashable, Sendable {
    public enum Cell: Hashable, Sendable {
        case judged(OutcomeFinding)
        /// The fault was not injected: the run never reached its exchange, or the answer there could not be changed.
        case notReached
    }

    public struct Entry: Hashable, Sendable {
        public let run: FuzzRun
        public let cell: Cell
        /// The contents that a correct client reads afterwards, for a fault of memory that was injected.
        public let readBack: ReadBack?
        public let others: [OutcomeFinding]
        /// The key of the cause; `nil` without a finding.
        public let cause: String?
        /// The bytes or the error that the client received, such as `the status flags of felica.read were FF 70`.
        public let evidence: String?
        /// The key of the cause found first, if it turned out to be the same mistake as ``cause``.
        var mergedKey: String?

        /// Creates the entry of a run whose finding is confirmed.
        public init(
            _ run: FuzzRun, _ finding: OutcomeFinding, readBack: ReadBack? = nil, others: [OutcomeFinding],
            of record: RunRecord, against baseline: Baseline
        ) {
            let check = finding.outcome.isOK ? nil : MissedCheck(of: run, in: record, against: baseline.world.trace)
            self.init(
                run, .judged(finding), readBack: readBack, others: others,
                cause: check.map { Self.cause(of: finding, in: run, record, baseline, $0) }, evidence: check?.evidence)
        }

        /// Creates the entry of a run of a campaign.
        ///
        /// - Parameters:
        ///   - findings: The findings of ``Baseline/findings(of:)``. Among the most serious ones, a finding that a fault
        ///     caused comes first.
        ///   - baseline: The baseline runs.
        public init(_ run: FuzzRun, _ record: RunRecord, _ findings: [OutcomeFinding], against baseline: Baseline) {
            guard record.world.plan.unmet.isEmpty else {
                self.init(run, .notReached, readBack: nil, others: [], cause: nil)
                return
            }
            let worst = findings.prefix { $0.outcome == findings[0].outcome }
            let finding = worst.first { !baseline.faultlessCauses.contains($0.faultlessCause) } ?? findings[0]
            self.init(run, finding, others: finding.alone(among: findings), of: record, against: baseline)
        }

        /// Returns the entry with the cause of a part of the run; `nil` if the part alone does not explain the finding.
        ///
        /// A finding that a code location or a rule identifies has the same cause in any run.
        public func explained(by part: VerdictGrid.Entry) -> VerdictGrid.Entry? {
            guard let finding, let other = part.finding, let cause = part.cause, !finding.isPlaced,
                finding.outcome.ofParts == other.outcome.ofParts
            else { return nil }
            return VerdictGrid.Entry(
                run, cell, readBack: readBack, others: others, cause: cause, evidence: part.evidence)
        }

        /// Creates the entry of a run of an earlier campaign, with the key from there.
        public init(
            _ run: FuzzRun, _ cell: Cell, readBack: ReadBack?, others: [OutcomeFinding], cause: String?,
            evidence: String? = nil
        ) {
            self.run = run
            self.cell = cell
            self.readBack = readBack
            self.others = others
            self.cause = cause
            self.evidence = evidence
        }

        /// `nil` if the fault was not injected.
        public var outcome: Outcome? {
            guard case .judged(let finding) = cell else { return nil }
            return finding.outcome
        }

        public var finding: OutcomeFinding? {
            guard case .judged(let finding) = cell, !finding.outcome.isOK else { return nil }
            return finding
        }
    }

    /// The columns: the exchanges of the baseline run and its PC/SC calls.
    public let places: [FaultLocation]
    public let entries: [Entry]
    /// The requested faults that could not be injected anywhere.
    public let untried: [String]
    public let notRun: [FuzzRun]
    public var plannedCount: Int { entries.count + notRun.count }
    /// The result of the runs after the systematic phase, if there were any.
    public var guided: GuidedResult?
    public var known = KnownCauses()
    /// The keys of causes that need no fault, which are reported with the baseline runs.
    public let clean: Set<String>

    public init(
        places: [FaultLocation], entries: [Entry], notRun: [FuzzRun] = [], untried: [String] = [],
        clean: Set<String> = []
    ) {
        self.places = places
        self.entries = entries
        self.notRun = notRun
        self.untried = untried
        self.clean = clean
    }

    public var findings: [(run: FuzzRun, finding: OutcomeFinding)] {
        entries.compactMap { entry in entry.finding.map { (entry.run, $0) } }
    }

    public var neverReached: [String] {
        var names: [String] = []
        let open = Set(notRun.map(\.faultName))
        for name in faultNames
        where !open.contains(name) && entries.allSatisfy({ $0.run.faultName != name || $0.cell == .notReached }) {
            names.append(name)
        }
        return names
    }

    /// The number of times the cards had each kind of contents after a fault of memory, in the order of ``ReadBack``.
    public var readBacks: [(readBack: ReadBack, count: Int)] {
        let found = entries.compactMap(\.readBack)
        return ReadBack.allCases.map { word in (word, found.count { $0 == word }) }.filter { $0.1 > 0 }
    }

    public var faultNames: [String] {
        var names: [String] = []
        var known: Set<String> = []
        for run in entries.map(\.run) + notRun where known.insert(run.faultName).inserted {
            names.append(run.faultName)
        }
        return names
    }

    /// The number of runs per outcome, and of runs that did not reach their fault.
    public var totals: (outcomes: [(outcome: Outcome, count: Int)], notReached: Int) {
        let found = entries.compactMap(\.outcome)
        let counts = Outcome.allCases.map { outcome in (outcome, found.count { $0 == outcome }) }
        return (counts.filter { $0.1 > 0 }, entries.count - found.count)
    }
}
