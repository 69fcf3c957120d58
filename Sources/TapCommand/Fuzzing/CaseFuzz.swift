import TapDocument
import TapField
import TapFuzz
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// Fuzzing one case of a campaign.
extension FuzzVerb {
    /// Fuzzes a case, adds the result to the account, and returns its entry in the document.
    func fuzz(_ scenarioCase: ScenarioCase, of scenario: SelectedScenario) async throws -> Node {
        if !isJSON { console.print(heading(scenarioCase, scenario)) }
        let campaign = try await campaign(on: scenarioCase)
        note(campaign, scenarioCase)
        let head = CampaignHead(scenarioCase, scenario)
        let hasRuns = !campaign.runs.isEmpty || !campaign.named.runs.isEmpty || !campaign.cards.isEmpty
        self.hasRuns = self.hasRuns || campaign.hasRunsInAnyShard
        if arguments.isGiven("--list") || !hasRuns { return list(campaign, head) }
        let earlier = try resumed?.runs(of: head, campaign.phase, console) ?? .init()
        let reproduceCommand = { [arguments] name in
            ReproduceLine.words("fuzz", arguments, scenario, scenarioCase, only: name)
        }
        let folders = FindingFolders(self, scenario, campaign, reproduceCommand: reproduceCommand)
        var controlCards: String?
        let report = try await report(of: campaign, resuming: earlier) { [watch, console, isJSON] event in
            watch.take(event)
            folders.take(event)
            guard case .controlCards(let result) = event, !isJSON else { return }
            result.warnings.flatMap { WarningText($0, style: console.style).lines }.forEach(console.print)
            if !campaign.cards.isEmpty { controlCards = result.summary(of: campaign.cards.count) }
        }
        account.add(report)
        try reports.add(report.grid, clean: report.faultlessCauses, of: scenarioCase, scenario)
        let speed = CampaignSpeed(
            count: watch.performed.count, time: watch.performed.time, runTime: campaign.runTime,
            startTime: report.startTime)
        if !isJSON {
            show(report, campaign, controlCards, folders, reproduceCommand)
            speed.sentence.map { console.printError("  \($0)") }
        }
        let document = CampaignCase(
            head: head, campaign: campaign, report: report, folders: folders,
            reproduceCommand: { reproduceCommand($0.name) }, speed: speed
        ).node
        page.add(
            document, of: report.grid, exchanges: campaign.baseline.world.trace.exchanges, folders: folders.runs,
            reproduceCommand: ReproduceLine.around("NAME", reproduceCommand("NAME")))
        return document
    }

    func heading(_ scenarioCase: ScenarioCase, _ scenario: SelectedScenario) -> String {
        ScenarioText.heading(
            name: scenarioCase.name(in: scenario.name), seed: scenario.seed, client: CaseRun.clientText(scenarioCase),
            style: console.style)
    }

    /// Starts a campaign, and checks that its baseline runs meet the scenario's expectations.
    private func campaign(on scenarioCase: ScenarioCase) async throws -> Campaign {
        let runner = CaseRunner(
            scenarioCase, in: context.surroundings, before: limits.deadline,
            startsOnce: !arguments.isGiven("--start-each"))
        let campaign = try await translatingErrors { [settings, watch] in
            try await Campaign(scenarioCase, settings, on: runner) { watch.take($0) }
        }
        if let problem = campaign.named.problems.first(where: \.error.isOnName) {
            // The name may exist in another case, but not in this one.
            throw UsageError("`--only \(problem.name)`: \(problem.error)")
        }
        guard let first = campaign.failures.first else { return campaign }
        let place = first.source.map { "\($0): " } ?? ""
        throw VerbError(
            .baseline,
            "\(place)the client fails this scenario even without faults: \(first.text). "
                + "Fix that first; `tapsim run` shows the whole run.")
    }

    private func report(
        of campaign: Campaign, resuming earlier: Campaign.Earlier, _ take: @escaping (CampaignEvent) -> Void
    ) async throws -> FuzzReport {
        var limits = limits
        defer { self.limits = limits }
        return try await translatingErrors {
            try await campaign.report(resuming: earlier, within: &limits, reportingTo: take)
        }
    }

    /// Translates the errors of a campaign into exit codes of the command.
    private func translatingErrors<Value>(_ work: () async throws -> Value) async throws -> Value {
        defer { watch.clear() }
        do {
            return try await work()
        } catch let error as RunError {
            throw VerbError(error)
        } catch let error as BaselineError {
            throw VerbError(.baseline, "\(error)")
        }
    }

    private func note(_ campaign: Campaign, _ scenarioCase: ScenarioCase) {
        if let quiet = campaign.quiet, let runTime = campaign.runTime {
            let time = Duration.milliseconds(100 * Int(runTime / .milliseconds(100)))
            console.printError(
                "note: each run takes \(DurationText.of(time)) of real time, since TapSim waits until the client has been idle "
                    + "for \(DurationText.of(quiet)); state in a scenario what it prints when it has finished with a card: "
                    + "`taps: {count: 1, done: \"thank you\"}`")
        }
        for text in settings.selection.notes(for: scenarioCase, campaign.phase) {
            console.printError("note: \(text)")
        }
    }

    private func show(
        _ report: FuzzReport, _ campaign: Campaign, _ controlCards: String?, _ folders: FindingFolders,
        _ reproduceCommand: (String) -> [String]
    ) {
        let (grid, exchanges) = (report.grid, campaign.baseline.world.trace.exchanges)
        let code = campaign.edgeCount > 0 ? ", \(CountText.of(campaign.edgeCount, "edge")) of its code" : ""
        let place = campaign.baseline.resultStream?.place.map { " \($0)" } ?? ""
        console.print(
            "  baseline: \(CountText.of(exchanges.count, "exchange")), the same result\(place) in three runs\(code)")
        if let controlCards { console.print("  control cards: \(controlCards)") }
        folders.clean.lines(alongside: grid, console.style).forEach(console.print)
        console.print("")
        guard grid.plannedCount > 0 || grid.guided != nil else { return }
        let text = GridText(grid, exchanges: exchanges, stoppedBy: limits.stop?.words, style: console.style)
        for line in text.lines(reproduceCommand: { reproduceCommand($0.name) }, findings: folders.causes) {
            console.print(line)
        }
    }

    private func list(_ campaign: Campaign, _ head: CampaignHead) -> Node {
        let (cards, runs) = (campaign.cards, campaign.runs + campaign.named.runs)
        if !isJSON {
            if runs.isEmpty, cards.isEmpty { console.print("  \(settings.selection.noRunText)") }
            for card in cards { console.print("  \(card.name)  a card with \(card.summary)") }
            for run in runs { console.print("  \(run.name)  \(run.place.operation) \(run.place.nth)") }
            console.print("  \(CountText.of(runs.count, "run"))")
        }
        return PlannedCase(head: head, cards: cards.map(\.name), runs: runs).node
    }
}

extension VerdictGrid.Entry {
    /// The finding as a failure of its run.
    var verdict: Verdict {
        guard let finding else { return Verdict([]) }
        return Verdict([
            Failure(
                path: "fuzz  \(run.name)", expected: "the right result or a clear error",
                got: "\(finding.outcome.rawValue): \(finding.reason)", nearest: finding.exchange)
        ])
    }
}
