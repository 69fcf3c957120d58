import TapDocument
import TapField
import TapJudge
import TapScenario

/// A finding in the simplest case known to show it.
public struct ShownFinding: Sendable {
    public let campaign: Campaign
    public let run: JudgedRun
    /// A Boolean value that indicates whether the client behaved the same once more.
    public let isSame: Bool
}

extension Campaign {
    /// The maximum number of simpler cases tried per finding.
    private static let mostCases = 6

    /// Returns the simplest run in which the client behaves the same, and the name of a tried run in which it does not end.
    func simplest(
        of entry: VerdictGrid.Entry, within limits: CampaignLimits
    ) async throws -> (entry: VerdictGrid.Entry, endless: String?) {
        var endless: String?
        // A finding was confirmed earlier, so its cause has already appeared more than once.
        let simplest = try await Shrinking.simplest(
            of: entry, among: phase.places, until: { endless != nil || limits.isLate }
        ) { run in
            let other = try await unlessAbandoned { try await judged(run) }
            if other?.record.isEndless == true { endless = run.name }
            return other?.entry ?? VerdictGrid.Entry(run, .notReached, readBack: nil, others: [], cause: nil)
        }
        return (simplest, endless)
    }

    /// Performs the run of a finding once more to obtain its complete record, with a simpler card and fewer steps if these
    /// show the finding too; returns `nil` if the run was abandoned.
    func shown(_ entry: VerdictGrid.Entry, within limits: CampaignLimits) async throws -> ShownFinding? {
        let known = Set([entry.cause].compactMap(\.self))
        guard let run = try await unlessAbandoned({ try await judged(entry.run, knowing: known) }) else { return nil }
        var best = ShownFinding(campaign: self, run: run, isSame: run.entry.cause == entry.cause)
        // Each attempt with a hanging client takes its full time.
        guard best.isSame, entry.finding?.outcome != .hang else { return best }
        var candidates = clean.simpler
        var tried: Set<Node> = []
        while tried.count < Self.mostCases, !limits.isLate, !candidates.isEmpty {
            let candidate = candidates.removeFirst()
            guard tried.insert(candidate.runKey).inserted, let simpler = await best.simpler(in: candidate) else {
                continue
            }
            best = simpler
            candidates = best.campaign.clean.simpler
        }
        return best
    }
}

extension ShownFinding {
    /// Returns the finding in a simpler case, if the client behaves the same there twice.
    fileprivate func simpler(in simpler: ScenarioCase) async -> ShownFinding? {
        let (run, runner) = (run.entry.run, campaign.runner)
        let bounded = campaign.bounded(simpler)
        // A client that does not end there takes its full time, so it is tried only once.
        guard let first = try? await runner.record(of: CampaignRun(bounded, named: run.name)),
            first.client.end.isByItself,
            var other = try? await Campaign(
                bounded, campaign.settings, faults: run.injections.map(\.fault.kind), on: runner),
            other.baseline.findings == campaign.baseline.findings, let moved = run.moved(to: other.phase.places)
        else { return nil }
        other.baseline.faultlessCauses = campaign.baseline.faultlessCauses
        // The cause is not passed as known here, so the finding is confirmed each time.
        guard let judged = try? await other.judged(moved), judged.entry.cause == self.run.entry.cause else {
            return nil
        }
        return ShownFinding(campaign: other, run: judged, isSame: true)
    }
}

extension ClientReport.End {
    /// A Boolean value that indicates whether the client ended by itself, or was stopped as its scenario asks.
    fileprivate var isByItself: Bool {
        switch self {
        case .exit, .dismissed, .killed, .returned, .threw: true
        default: false
        }
    }
}
