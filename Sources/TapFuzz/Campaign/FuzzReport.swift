import TapJudge

public struct FuzzReport: Sendable {
    public let grid: VerdictGrid
    public let seed: UInt64
    /// The number of runs performed, without those that confirm or simplify a finding.
    public let runCount: Int
    /// The number of runs judged; control cards count only if no fault was to be injected.
    public let judgedCount: Int
    /// The mistakes of the client without any fault, by cause.
    public let faultlessCauses: [FaultlessCause]
    /// Results without any fault that may be intended, such as a list without the last entry of the card.
    public let warnings: [Warning]
    /// The time that the single start took, or the reason why a client is started for each run.
    public let startTime: Result<Duration, NoQuickRunner>
    /// The run or control card that ended the campaign because the client did not end; the client may block its thread
    /// forever.
    let endless: String?
    let isGuided: Bool

    init(
        _ grid: VerdictGrid, _ control: ControlCardResult, _ campaign: Campaign, runCount: Int,
        endless: String?
    ) {
        self.grid = grid.withMergedCauses
        self.runCount = runCount
        self.endless = endless
        seed = campaign.seed
        let hasFaults = !campaign.runs.isEmpty || !campaign.named.runs.isEmpty
        // A run that did not reach its fault says nothing about the client.
        let guidedCount = grid.guided.map { $0.runCount - $0.notReached } ?? 0
        judgedCount = grid.entries.count { $0.outcome != nil } + guidedCount + (hasFaults ? 0 : control.count)
        faultlessCauses = FaultlessCause.all(of: control.findings.map(\.found), known: grid.known)
        warnings = control.warnings
        startTime = campaign.quick.map(\.startTime)
        isGuided = campaign.settings.guided != nil
    }

    public var causes: [FindingCause] { grid.causes }
    public var newCauses: [FindingCause] { causes.filter { !$0.isKnown } }
    public var newFaultlessCauses: [FaultlessCause] { faultlessCauses.filter { !$0.isKnown } }

    public var isCutShort: Bool { endless != nil }

    /// A Boolean value that indicates whether nothing new was found and all runs were performed.
    public var isClean: Bool { newCauses.isEmpty && newFaultlessCauses.isEmpty && !isCutShort }
}

public struct CampaignAccount: Sendable {
    public enum Verdict: Hashable, Sendable {
        case passed
        /// Faults revealed new causes, or a client leaks or misuses a call without any fault.
        case findings
        /// A client misreads a valid card.
        case misreadings
        case interrupted
        /// The time was over before any run under a fault ended.
        case judgedNothing
    }

    /// The keys of the causes that are not known.
    public private(set) var newCauses: [String] = []
    private var hasMisreadings = false
    /// The number of runs that say something about the client.
    package private(set) var judgedCount = 0

    public init() {}

    public mutating func add(_ report: FuzzReport) {
        newCauses += report.newFaultlessCauses.map(\.key) + report.newCauses.flatMap(\.keys)
        // A client that leaks or misuses a call may still read correctly.
        hasMisreadings = hasMisreadings || report.newFaultlessCauses.contains(where: \.isMisreading)
        judgedCount += report.judgedCount
    }

    /// - Parameter stop: The reason why the campaigns ended early.
    public func verdict(_ stop: CampaignLimits.Stop?) -> Verdict {
        if judgedCount == 0, stop == .time { return .judgedNothing }
        if hasMisreadings { return .misreadings }
        if !newCauses.isEmpty { return .findings }
        return stop == .interrupt ? .interrupted : .passed
    }
}
