import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// A finding in the simplest case that is known to show it.
public struct ShownFinding: Sendable {
    public let campaign: Campaign
    public let run: JudgedRun
    /// A Boolean value that indicates whether the client did the same once more.
    public let isSame: Bool
}

extension Campaign {
    /// The most simpler cases that are tried for a finding.
    private static let mostCases = 6

    /// The simplest run in which the client does the same, and a run that was tried in which it does not end.
    func simplest(
        of entry: VerdictGrid.Entry, within limits: CampaignLimits
    ) async throws -> (entry: VerdictGrid.Entry, endless: String?) {
        var endless: String?
        // A finding was repeated, so that the cause has come more than once.
        let simplest = try await Shrinking.simplest(
            of: entry, among: phase.places, until: { endless != nil || limits.isLate }
        ) { run in
            let other = try await unlessAbandoned { try await judged(run) }
            if other?.record.isEndless == true { endless = run.name }
            return other?.entry ?? VerdictGrid.Entry(run, .notReached, readBack: nil, others: [], cause: nil)
        }
        return (simplest, endless)
    }

    /// Performs the run of a finding once more, to have all of what happened in it, with a simpler card and fewer steps
    /// where these show it too; `nil` if it was abandoned.
    func shown(_ entry: VerdictGrid.Entry, within limits: CampaignLimits) async throws -> ShownFinding? {
        let known = Set([entry.cause].compactMap(\.self))
        guard let run = try await unlessAbandoned({ try await judged(entry.run, knowing: known) }) else { return nil }
        var best = ShownFinding(campaign: self, run: run, isSame: run.entry.cause == entry.cause)
        // Each try of a client that hangs takes all of its time.
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
    /// The finding in a simpler case, if the client does the same there, twice.
    fileprivate func simpler(in simpler: ScenarioCase) async -> ShownFinding? {
        let (run, runner) = (run.entry.run, campaign.runner)
        let bounded = campaign.bounded(simpler)
        // A client that comes to no end there takes all of its time, and that once.
        guard let first = try? await runner.record(of: CampaignRun(bounded, named: run.name)),
            first.client.end.isByItself,
            var other = try? await Campaign(
                bounded, campaign.settings, faults: run.injections.map(\.fault.kind), on: runner),
            other.baseline.findings == campaign.baseline.findings, let moved = run.moved(to: other.phase.places)
        else { return nil }
        other.baseline.cleanCauses = campaign.baseline.cleanCauses
        // It is unknown here, so that the client has to do it again each time.
        guard let judged = try? await other.judged(moved), judged.entry.cause == self.run.entry.cause else {
            return nil
        }
        return ShownFinding(campaign: other, run: judged, isSame: true)
    }
}

extension ClientReport.End {
    /// A Boolean value that indicates whether the client ended, or was ended as its scenario asks.
    fileprivate var isByItself: Bool {
        switch self {
        case .exit, .dismissed, .killed, .returned, .threw: true
        default: false
        }
    }
}
