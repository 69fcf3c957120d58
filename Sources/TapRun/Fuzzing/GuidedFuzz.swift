import TapField
import TapJudge
import TapScenario
import TapWire

extension FuzzCampaign {
    /// Makes runs that are not of the systematic phase, but for those that an earlier campaign has found to fail.
    ///
    /// - Parameter earlier: What came of such runs in the earlier campaign.
    public func named(
        _ runs: [FuzzRun], _ prepared: Prepared, adding earlier: GuidedResult?
    ) async throws(RunError) -> GuidedResult? {
        let found = Set(earlier?.findings.map(\.run.name) ?? [])
        let new = runs.filter { !found.contains($0.name) }
        guard !new.isEmpty else { return earlier }
        var result = earlier ?? GuidedResult()
        for made in try await results(of: new, prepared, withSteps: false) { result.add(made.entry) }
        return result
    }

    /// Makes the runs of a guided phase until the campaign is over, or nothing new is left to try.
    ///
    /// - Parameters:
    ///   - known: Causes that were found before, whose findings are believed at once.
    ///   - result: What came of other runs.
    public func guided(
        _ phase: inout GuidedPhase, _ prepared: Prepared, knowing known: Set<String>, adding result: GuidedResult
    ) async throws(RunError) -> GuidedResult {
        try await phase.results(knowing: known, adding: result, until: { isOver?() == true }) {
            runs, known throws(RunError) in
            try await results(of: runs, prepared, withSteps: true, known: known).map { ($0.entry, $0.steps ?? []) }
        }
    }

    /// Adds the simplest runs of the causes that the guided phase alone has found, or shows best.
    public func shrink(_ grid: inout VerdictGrid, _ prepared: Prepared) async throws(RunError) {
        let entries = grid.unshrunk
        let simpler = try await jobs.results(of: entries.count) {
            index throws(RunError) -> VerdictGrid.Entry in
            // A finding was repeated, so that the cause has come more than once.
            try await Shrinking.simplest(
                of: entries[index], among: prepared.phase.places, until: { isOver?() == true }
            ) { run throws(RunError) -> VerdictGrid.Entry in
                let finished = try await unlessAbandoned { () async throws(RunError) -> Finished in
                    try await judged(run, prepared)
                }
                return finished?.entry ?? VerdictGrid.Entry(run, .notReached, readBack: nil, others: [], cause: nil)
            }
        }
        for (entry, simpler) in zip(entries, simpler) where simpler.run != entry.run {
            grid.guided?.add(simpler: simpler)
        }
    }
}
