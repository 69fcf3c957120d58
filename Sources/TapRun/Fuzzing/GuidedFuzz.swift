import TapField
import TapJudge
import TapScenario
import TapWire

extension FuzzCampaign {
    /// Makes runs that are not of the systematic phase.
    public func named(_ runs: [FuzzRun], _ prepared: Prepared) async throws(RunError) -> GuidedResult {
        var result = GuidedResult()
        for made in try await results(of: runs, prepared, withSteps: false) { result.add(made.entry) }
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
        var result = result
        var known = known
        while isOver?() != true {
            let runs = phase.next()
            guard !runs.isEmpty else { break }
            let results = try await results(of: runs, prepared, withSteps: true, known: known)
            phase.learn(results.map(\.steps))
            for made in results {
                result.add(made.entry)
                if let cause = made.entry.cause { known.insert(cause) }
            }
        }
        result.stepCount = phase.stepCount
        return result
    }

    /// Adds the simplest runs of the causes that the guided phase alone has found, or shows best.
    public func shrink(_ grid: inout VerdictGrid, _ prepared: Prepared) async throws(RunError) {
        let names = Set((grid.guided?.findings ?? []).map(\.run.name))
        let entries = grid.causes.map(\.shortest).filter { names.contains($0.run.name) }
        let simpler = try await Workers.results(of: entries.count, jobs: jobs) {
            index throws(RunError) -> VerdictGrid.Entry in
            try await shrunk(entries[index], prepared)
        }
        for (entry, simpler) in zip(entries, simpler) where simpler.run != entry.run {
            grid.guided?.add(simpler: simpler)
        }
    }

    /// The simplest run found in which the client does the same; at most ``Shrinking/mostTries`` are tried.
    private func shrunk(
        _ entry: VerdictGrid.Entry, _ prepared: Prepared
    ) async throws(RunError) -> VerdictGrid.Entry {
        var shrinking = Shrinking(entry.run, among: prepared.phase.places)
        var simplest = entry
        while isOver?() != true, let run = shrinking.next() {
            // A finding was repeated, so that the cause has come more than once.
            let other = try await Self.judged(run, prepared).entry
            guard other.cause == entry.cause else { continue }
            simplest = other
            shrinking.accept(run)
        }
        return simplest
    }
}

extension FuzzCampaign {
    /// Makes the run of a finding once more, to have all of what happened in it.
    ///
    /// - Returns: The run, and whether the client did the same.
    public func repeated(
        _ entry: VerdictGrid.Entry, _ prepared: Prepared
    ) async throws(RunError) -> (run: Finished, isSame: Bool) {
        let run = try await Self.judged(entry.run, prepared, known: Set([entry.cause].compactMap(\.self)))
        return (run, run.entry.cause == entry.cause)
    }
}
