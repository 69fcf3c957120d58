import TapField
import TapJudge
import TapScenario

/// An event of a campaign; events come one after another.
public enum CampaignEvent: Sendable {
    /// A baseline run begins, with its number.
    case baselineRun(Int)
    /// The control cards were read.
    case controlCards(ControlCardResult)
    /// Runs under faults begin; how many are planned.
    case faults(planned: Int)
    /// A run under faults was judged; whether its cause counts and is new.
    case judged(JudgedRun, isNew: Bool)
    /// The guided phase begins; when it ends, if that is by the clock.
    case guided(until: ContinuousClock.Instant?)
    /// The guided phase is over.
    case guidedEnd
    /// The run that shows a new cause best.
    case shown(FindingCause, ShownFinding)
}

/// A run that was judged, with what was run and what came of it.
public struct JudgedRun: Sendable {
    public let entry: VerdictGrid.Entry
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    /// The record of the run.
    let steps: Set<Transition>

    init(_ entry: VerdictGrid.Entry, _ scenarioCase: ScenarioCase, _ record: RunRecord) {
        self.entry = entry
        self.scenarioCase = scenarioCase
        self.record = record
        steps = record.transitions(to: entry.outcome)
    }
}

extension RunRecord {
    /// A Boolean value that indicates whether the client is in this process and has not ended: it may hold its thread
    /// for ever.
    var isEndless: Bool {
        if case .idleLimit = client.end { client.wall == nil } else { false }
    }
}
