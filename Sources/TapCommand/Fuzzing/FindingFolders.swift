import TapCrypto
import TapDocument
import TapSystem
import TapField
import TapFuzz
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// The folders of a campaign's findings.
///
/// Each contains a scenario that reproduces the finding, a report for the client's maintainer, and the run with its trace.
final class FindingFolders {
    /// The name of the scenario in a finding's folder.
    static let scenarioName = "repro.yaml"
    static let reportName = "report.md"
    /// The folder for regression scenarios.
    private static let regressions = "Scenarios/regressions"
    /// The size of the largest file whose digest is reported.
    private static let largestProgram = 64 << 20

    private let verb: FuzzVerb
    private var context: CommandContext { verb.context }
    private let scenario: SelectedScenario
    private let campaign: Campaign
    /// The command that repeats a run or the control cards.
    private let reproduceCommand: (String) -> [String]
    /// The programs of commands, cached since they are examined only once.
    private var programs: [[String]: [FindingReport.Program]] = [:]

    /// The folders of runs, by the runs' names.
    private(set) var runs: [String: String] = [:]
    /// The kept findings, by the keys of their causes.
    private(set) var causes: [String: KeptFinding] = [:]
    private(set) var clean = FaultlessFindings()

    init(
        _ verb: FuzzVerb, _ scenario: SelectedScenario, _ campaign: Campaign,
        reproduceCommand: @escaping (String) -> [String]
    ) {
        self.verb = verb
        self.scenario = scenario
        self.campaign = campaign
        self.reproduceCommand = reproduceCommand
    }

    /// Keeps the findings of a campaign as they come.
    func take(_ event: CampaignEvent) {
        switch event {
        case .controlCards(let result):
            // The output for one card is compared with the output for all.
            let name = campaign.cards.isEmpty ? (campaign.runs + campaign.named.runs).first?.name : VariedCard.pattern
            let reproduceCommand = reproduceCommand(name ?? "")
            clean = FaultlessFindings(
                result.findings, known: campaign.settings.known, reproduceCommand: reproduceCommand
            ) {
                keep($0, reproduceCommand: reproduceCommand)
            }
        case .judged(let run, _):
            let name = run.entry.run.name
            let result = CaseResult(
                run.scenarioCase, run.record, run.entry.verdict, reproduceCommand: reproduceCommand(name))
            runs[name] = verb.reports.folder.keep(result, asRun: name, of: scenario, verb.console)
        case .shown(let cause, let shown):
            causes[cause.key] = keep(cause, shown, reproduceCommand: reproduceCommand(cause.shortest.run.name))
        case .baselineRun, .faults, .guided, .guidedEnd: break
        }
    }

    private func keep(_ cause: FindingCause, _ shown: ShownFinding, reproduceCommand: [String]) -> KeptFinding? {
        let isFlaky = !shown.isSame || cause.finding.outcome == .flaky
        // If this run did not reproduce the finding, report what the first run showed.
        let entry = shown.isSame ? shown.run.entry : cause.shortest
        let finding = entry.finding ?? cause.finding
        let result = CaseResult(
            shown.run.scenarioCase, shown.run.record, entry.verdict, reproduceCommand: reproduceCommand)
        let faults = entry.run.injections.map(\.fault.kind.name).joined(separator: "+")
        let name = "\(finding.outcome.rawValue.replacing(" ", with: "-"))-\(faults)"
        let report = report(entry.run, finding, result, shown.campaign, isFlaky: isFlaky)
        let passing = "It passes once the client gives the right result or reports a clear error."
        return keep(report, finding, result, named: name, isFlaky: isFlaky, passing) { folder in
            [(.reproduce, repeating(folder, result.scenarioCase)), (.save, saving(folder, result.scenarioCase))]
        }
    }

    /// Keeps a finding without any fault.
    ///
    /// - Parameter reproduceCommand: The command that reproduces the finding.
    private func keep(_ found: FaultlessFinding, reproduceCommand: [String]) -> KeptFinding? {
        guard verb.reports.folder.keepsFindings else { return nil }
        let finding = found.found.finding
        let card = found.found.card ?? "baseline-run"
        let failure = Failure(
            path: "fuzz  \(card)", expected: "what is on the card",
            got: "\(finding.outcome.rawValue): \(finding.reason)", nearest: finding.exchange)
        let result = CaseResult(
            found.scenarioCase, found.record, Verdict([failure]), reproduceCommand: reproduceCommand)
        let name = "\(finding.outcome.rawValue.replacing(" ", with: "-"))-\(card)"
        let report = report(nil, finding, result, campaign, isFlaky: false)
        let explanation =
            found.failsAlone
            ? "The card is valid; the scenario passes once the client reads it correctly."
            : "The card is valid: compare the client's output with its content."
        return keep(report, finding, result, named: name, isFlaky: false, explanation) { folder in
            let run = repeating(folder, result.scenarioCase)
            return found.failsAlone
                ? [(.reproduce, run), (.save, saving(folder, result.scenarioCase))]
                : [(.reproduce, ShellText.text(reproduceCommand)), (.run, run)]
        }
    }

    /// - Parameters:
    ///   - comment: A comment for the scenario.
    ///   - commands: The commands for the finding's folder; the first one reproduces it.
    private func keep(
        _ report: FindingReport, _ finding: OutcomeFinding, _ result: CaseResult, named name: String, isFlaky: Bool,
        _ comment: String, _ commands: (String) -> [(label: LineLabel, words: String)]
    ) -> KeptFinding? {
        let scenarioText = DocumentFormatter.text(
            of: result.scenarioCase.short(named: name, title: report.title),
            comments: ["Found by tapsim fuzz: \(PrintableText.visible(finding.reason)).", comment],
            table: ScenarioLoader.table)
        var words: [(label: LineLabel, words: String)] = []
        let place = verb.reports.folder.keepFinding(
            result, named: name, isFlaky: isFlaky, of: scenario, verb.console
        ) { folder in
            words = commands(folder)
            let playing = playing(folder, result)
            return [
                (Self.scenarioName, scenarioText),
                (Self.reportName, report.text(playing: playing, repeating: words[0].words)),
            ] + (playing == nil ? [] : [(ReplayScript.fileName, ReplayScript.text)])
        }
        return place.map { KeptFinding(folder: $0, isFlaky: isFlaky, words) }
    }

    private func report(
        _ run: FuzzRun?, _ finding: OutcomeFinding, _ result: CaseResult, _ campaign: Campaign, isFlaky: Bool
    ) -> FindingReport {
        var words = CaseRun.clientText(result.scenarioCase)
        var programs: [FindingReport.Program] = []
        if case .program(let client) = CaseRun.client(of: result.scenarioCase) {
            words = ShellText.text(client.arguments)
            programs = self.programs(of: client.arguments)
        }
        return FindingReport(
            run, finding, result, baseline: campaign.baseline.world.trace, client: words, programs: programs,
            tapsim: TapSimCommand.version, isFlaky: isFlaky)
    }

    private func programs(of words: [String]) -> [FindingReport.Program] {
        let found = programs[words] ?? Self.programs(words, in: context.surroundings)
        programs[words] = found
        return found
    }

    /// Returns the program of a command and the files among its arguments.
    private static func programs(
        _ words: [String], in surroundings: Surroundings
    ) -> [FindingReport.Program] {
        let folder = surroundings.folder
        let first = words.first.flatMap(surroundings.program).flatMap(RealPath.of)
        return ([first].compactMap(\.self) + words.dropFirst().filter(folder.isRegular)).map { path in
            let bytes = (try? folder.bytes(of: path, upTo: largestProgram)) ?? []
            let isWhole = !bytes.isEmpty && bytes.count <= largestProgram
            return FindingReport.Program(
                path: path, package: ProgramPackage.text(of: path, in: folder),
                digest: isWhole ? Digest.sha256(bytes) : nil)
        }
    }

    private func repeating(_ folder: String, _ scenarioCase: ScenarioCase) -> String {
        var needsPermission = false
        if case .program(let client)? = scenarioCase.client {
            needsPermission = ClientPermission.obstacle(to: client, in: ".", context.folder) != nil
        }
        return ShellText.text(
            ReproduceLine.words(running: "\(folder)/\(Self.scenarioName)", allowingClient: needsPermission))
    }

    /// Returns the command that replays the run to a program without TapSim.
    private func playing(_ folder: String, _ result: CaseResult) -> String? {
        guard case .program(let client)? = result.scenarioCase.client, ReplayScript.plays(result.record) else {
            return nil
        }
        return ShellText.text(["python3", "\(folder)/\(ReplayScript.fileName)", "--"] + client.arguments)
    }

    /// Returns the command that copies the scenario to the regressions, in a folder named after the client; it asks before it
    /// replaces a file.
    private func saving(_ folder: String, _ scenarioCase: ScenarioCase) -> String {
        let name = folder.split(separator: "/").last ?? ""
        let place = [Self.regressions, clientName(scenarioCase)].compactMap(\.self).joined(separator: "/")
        let from = ShellText.text(["\(folder)/\(Self.scenarioName)"])
        return "mkdir -p \(place) && cp -i \(from) \(ShellText.text(["\(place)/\(name).yaml"]))"
    }

    /// The name of the program, or of the script that an interpreter runs; `nil` for a built-in client.
    private func clientName(_ scenarioCase: ScenarioCase) -> String? {
        guard case .program(let client)? = scenarioCase.client else { return nil }
        let words = client.arguments
        let file = words.dropFirst().first(where: context.folder.isRegular) ?? words.first ?? ""
        let base = file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
        return NameRule.name(like: String(base))
    }
}
