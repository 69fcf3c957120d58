import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension FuzzCampaign {
    /// How many simpler cases are tried for a finding at most.
    private static let mostCases = 6

    /// A finding as it is kept: in the simplest case that is known to show it.
    public struct Shown: Sendable {
        public let prepared: Prepared
        public let run: Finished
        /// Whether the client did the same once more.
        public let isSame: Bool

        public init(prepared: Prepared, run: Finished, isSame: Bool) {
            self.prepared = prepared
            self.run = run
            self.isSame = isSame
        }
    }

    /// Makes the runs of findings once more, to have all of what happened in them, each with a simpler card and fewer steps
    /// where these show it too; `nil` for those that were abandoned.
    public func shown(
        _ entries: [VerdictGrid.Entry], _ prepared: Prepared
    ) async throws(RunError) -> [Shown?] {
        try await jobs.results(of: entries.count) { index throws(RunError) -> Shown? in
            let entry = entries[index]
            let known = Set([entry.cause].compactMap(\.self))
            guard
                let run = try await unlessAbandoned({ () async throws(RunError) in
                    try await judged(entry.run, prepared, known: known)
                })
            else { return nil }
            let shown = Shown(prepared: prepared, run: run, isSame: run.entry.cause == entry.cause)
            // Each try of a client that hangs takes all of its time.
            guard shown.isSame, entry.finding?.outcome != .hang else { return shown }
            return await simplest(of: shown)
        }
    }

    private func simplest(of shown: Shown) async -> Shown {
        var best = shown
        var candidates = best.prepared.clean.simpler
        var tried: Set<Node> = []
        while tried.count < Self.mostCases, isOver?() != true, !candidates.isEmpty {
            let candidate = candidates.removeFirst()
            guard tried.insert(candidate.runKey).inserted, let simpler = await self.shown(like: best, in: candidate)
            else { continue }
            best = simpler
            candidates = best.prepared.clean.simpler
        }
        return best
    }

    /// The finding in a simpler case, if the client does the same there, twice.
    private func shown(like shown: Shown, in simpler: ScenarioCase) async -> Shown? {
        let run = shown.run.entry.run
        let bounded = shown.prepared.bounded(simpler)
        // A client that comes to no end there takes all of its time, and that once.
        guard let first = try? await caseRun.run(bounded), first.client.end.isByItself,
            var prepared = try? await prepare(bounded, run.injections.map(\.fault.kind), runCount: { _ in 1 }),
            prepared.baseline.findings == shown.prepared.baseline.findings,
            let moved = run.moved(to: prepared.phase.places)
        else { return nil }
        prepared.baseline.cleanCauses = shown.prepared.baseline.cleanCauses
        // It is unknown here, so that the client has to do it again each time.
        guard let judged = try? await judged(moved, prepared), judged.entry.cause == shown.run.entry.cause else {
            return nil
        }
        return Shown(prepared: prepared, run: judged, isSame: true)
    }
}

extension ClientReport.End {
    /// Whether the client ended, or was ended as its scenario asks.
    fileprivate var isByItself: Bool {
        switch self {
        case .exit, .dismissed, .killed: true
        default: false
        }
    }
}
