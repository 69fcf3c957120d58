import TapJudge
import TapScenario

/// An event of a campaign; events are reported one at a time.
public enum CampaignEvent: Sendable {
    /// A baseline run begins; with its number.
    case baselineRun(Int)
    case controlCards(ControlCardResult)
    /// Runs under faults begin; with the number of planned runs.
    case faults(planned: Int)
    /// A run under faults was judged; with a flag for a new cause that counts.
    case judged(JudgedRun, isNew: Bool)
    /// The guided phase begins; with its end if it is limited by time.
    case guided(until: ContinuousClock.Instant?)
    case guidedEnd
    /// The run that shows a new cause best.
    case shown(FindingCause, ShownFinding)
}

public struct JudgedRun: Sendable {
    public let entry: VerdictGrid.Entry
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    /// The steps of the client; empty unless a guided phase learns from them.
    let steps: Set<Transition>

    init(_ entry: VerdictGrid.Entry, _ scenarioCase: ScenarioCase, _ record: RunRecord, steps: Set<Transition>) {
        self.entry = entry
        self.scenarioCase = scenarioCase
        self.record = record
        self.steps = steps
    }
}

extension RunRecord {
    /// A Boolean value that indicates whether the client runs in this process and has not ended; it may block its thread
    /// forever.
    var isEndless: Bool {
        if case .idleLimit = client.end { client.wall == nil } else { false }
    }
}
