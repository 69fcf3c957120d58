import TapField
import TapJudge
import TapReading
import TapScenario

/// Judges one run at a time, because judging a long trace takes many times its memory.
actor Judging {
    /// The causes for which a client has already used its full time without ending.
    private(set) var endless: Set<String> = []
    /// The results of runs with one fault, by name, if combinations may follow.
    private var parts: [String: VerdictGrid.Entry] = [:]

    func addEndless(_ cause: String) { endless.insert(cause) }
    func addPart(_ entry: VerdictGrid.Entry) { parts[entry.run.name] = entry }
    func part(_ run: FuzzRun) -> VerdictGrid.Entry? { parts[run.name] }

    fileprivate func verdict(_ run: FuzzRun, _ record: RunRecord, against baseline: Baseline) -> Campaign.RunVerdict {
        let findings = baseline.findings(of: record)
        return Campaign.RunVerdict(
            record: record, findings: findings, entry: VerdictGrid.Entry(run, record, findings, against: baseline),
            longerBound: baseline.longerBound(for: record))
    }
}

extension Campaign {
    /// The time for a client that seems to hang to reach its own timeout, if the case states no limit.
    private static let patience = Duration.seconds(20)

    /// The result of a single execution of a run.
    fileprivate struct RunVerdict: Sendable {
        let record: RunRecord
        let findings: [OutcomeFinding]
        let entry: VerdictGrid.Entry
        /// The number of frames with which the client may end by itself; `nil` if frames did not end the run.
        let longerBound: Int?
        var outcome: Outcome { findings[0].outcome }
        /// A Boolean value that indicates whether the finding is that the client ran out of time.
        var isTimeout: Bool { !outcome.isOK && record.client.end == .timeLimit && record.client.wall != nil }
        /// A Boolean value that indicates whether a client with more time, or with more frames, may end by itself.
        var isCutShort: Bool { isTimeout || !outcome.isOK && longerBound != nil }

        func isCutShort(among causes: Set<String>) -> Bool { isCutShort && entry.cause.map(causes.contains) ?? false }
    }

    /// Performs a run and judges it, repeating it as often as needed for a certain result.
    ///
    /// - Parameters:
    ///   - run: The run to perform.
    ///   - known: Causes whose findings need no confirmation.
    public func judged(_ run: FuzzRun, knowing known: Set<String> = []) async throws -> JudgedRun {
        var scenarioCase = bounded(clean.disturbed(by: run.plan))
        var verdict = try await verdict(on: run, in: scenarioCase, by: (try? quick.get())?.runner ?? runner)
        // A client uses its full time only once per known cause.
        let known = known.union(await judging.endless)
        if case .success = quick, !verdict.outcome.isOK, !verdict.isCutShort(among: known) {
            // A finding must come from a client that was started for this run.
            verdict = try await self.verdict(on: run, in: scenarioCase, by: runner)
        }
        if verdict.isCutShort, !verdict.isCutShort(among: known) {
            // The client's own timeout may be longer than the limit, and it may give up after some more retries.
            if let patient = patient(scenarioCase, adding: run.addedTime, exchanges: verdict.longerBound) {
                let other = try await self.verdict(on: run, in: patient, by: runner)
                if !other.isTimeout, !other.record.world.isExhausted { (scenarioCase, verdict) = (patient, other) }
            }
        }
        var entry = try await certain(verdict, in: scenarioCase, known)
        if verdict.isCutShort, let cause = entry.cause { await judging.addEndless(cause) }
        if settings.guided != nil, run.injections.count == 1 { await judging.addPart(entry) }
        if !verdict.record.isEndless, let explained = try await explained(entry, known) { entry = explained }
        let steps = settings.guided == nil ? [] : verdict.record.transitions(to: entry.outcome)
        return JudgedRun(entry, scenarioCase, verdict.record, steps: steps)
    }

    /// Returns the entry of a combination with the cause of the part that explains it; `nil` if no part does so alone.
    private func explained(
        _ entry: VerdictGrid.Entry, _ known: Set<String>
    ) async throws -> VerdictGrid.Entry? {
        guard entry.run.injections.count > 1, let cause = entry.cause, !known.contains(cause) else { return nil }
        for injection in entry.run.injections {
            let run = FuzzRun(injection.fault, at: injection.place)
            var part = await judging.part(run)
            if part == nil { part = try await judged(run, knowing: known).entry }
            if let part, let explained = entry.explained(by: part) { return explained }
        }
        return nil
    }

    private func verdict(
        on run: FuzzRun, in scenarioCase: ScenarioCase, by runner: any Runner
    ) async throws -> RunVerdict {
        let record = try await runner.record(
            of: CampaignRun(scenarioCase, named: run.name, countsEdges: edgeCount > 0))
        return await judging.verdict(run, record, against: baseline)
    }

    /// Returns the entry of a run after confirming its finding and reading its cards.
    private func certain(
        _ verdict: RunVerdict, in scenarioCase: ScenarioCase, _ known: Set<String>
    ) async throws -> VerdictGrid.Entry {
        let (record, run) = (verdict.record, verdict.entry.run)
        guard case .judged(let first) = verdict.entry.cell else { return verdict.entry }
        var finding = first
        if let cause = verdict.entry.cause, !known.contains(cause), !record.isEndless {
            finding = try await baseline.confirmed(first) {
                try await runner.record(of: CampaignRun(scenarioCase, named: run.name))
            }
        }
        var readBack: ReadBack?
        if run.injections.contains(where: { $0.fault.kind.family == "mem" }) {
            readBack = await CardReading(record.world, of: scenarioCase).compared(before: before, after: after)
            if readBack == .unreadable, finding.outcome == .correct {
                finding = OutcomeFinding(
                    .safety, "it exits successfully, but a correct client cannot read what it left on the card")
            }
        }
        guard finding != first || readBack != nil else { return verdict.entry }
        return VerdictGrid.Entry(
            run, finding, readBack: readBack, others: finding.alone(among: verdict.findings), of: record,
            against: baseline)
    }

    /// Returns a bounded case with enough time for a client that seems to hang.
    func patient(_ bounded: ScenarioCase, adding time: Duration = .zero) -> ScenarioCase {
        let wall = (clean.limits.statedWall ?? Self.patience) + time
        return bounded.limited(to: max(bounded.limits.wall, wall))
    }

    /// Returns a bounded case for a client that was cut short.
    ///
    /// - Parameter exchanges: The number of frames that the client may need, if frames ended its run.
    /// - Returns: `nil` if the limit of frames that the case states leaves the client no more of them.
    private func patient(
        _ bounded: ScenarioCase, adding time: Duration, exchanges: Int?
    ) -> ScenarioCase? {
        let patient = patient(bounded, adding: time)
        guard let exchanges else { return patient }
        let most = min(exchanges, clean.limits.exchanges)
        return most > bounded.limits.exchanges ? patient.limited(toExchanges: most) : nil
    }

    /// Returns the result; `nil` if the time was over before its run ended.
    func unlessAbandoned<Value>(_ work: () async throws -> Value) async throws -> Value? {
        do { return try await work() } catch is RunAbandoned { return nil }
    }

    /// Returns a runner whose client is started once, if its runs give the same results.
    func quickRunner() async throws(NoQuickRunner) -> QuickRunner {
        let clean = CampaignRun(bounded(clean), countsEdges: edgeCount > 0)
        let quick = try await runner.quicker(for: clean)
        // The second copy shows whether the first one left something behind; one late copy on a busy machine gets another try.
        var (same, other) = (0, 0)
        while same < 2 {
            let record: RunRecord
            do { record = try await quick.runner.record(of: clean) } catch { throw NoQuickRunner("\(error)") }
            let isSame =
                baseline.finding(of: record).outcome == .correct
                && SystematicPhase(of: record.world, []).places == phase.places
            (same, other) = isSame ? (same + 1, other) : (0, other + 1)
            guard other < 2 else { throw NoQuickRunner("a copy of it behaves differently") }
        }
        return quick
    }
}
