import TapCrypto
import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// The run of each cause that shows it best, of those that have ended.
final class ShortestRuns: Sendable {
    private let runs = Lock<[String: FuzzCampaign.Finished]>([:])

    func add(_ run: FuzzCampaign.Finished) {
        guard let cause = run.entry.cause else { return }
        runs.withLock { runs in
            if runs[cause].map({ run.entry.run.isShorter(than: $0.entry.run) }) ?? true { runs[cause] = run }
        }
    }

    subscript(cause: String) -> FuzzCampaign.Finished? { runs.withLock { $0[cause] } }
}

/// The folders of the findings of a campaign: each a scenario that repeats it, a report for the maintainer of the client, and
/// the run with its trace.
struct FindingFolders {
    /// The scenario in such a folder.
    private static let scenarioName = "repro.yaml"
    private static let reportName = "report.md"
    /// Where scenarios that hold a client to what was found are kept.
    private static let regressions = "Scenarios/regressions"
    /// How many findings are kept.
    private static let mostFindings = 50
    private static let findingsAtOnce = 8
    /// The largest file whose digest is told.
    private static let largestProgram = 64 << 20

    private let arguments: Arguments
    private let console: Console
    private let reports: Lock<CIReports>
    private let scenario: SelectedScenario
    /// The programs of commands, which are looked at once.
    private let programs = Lock<[[String]: [FindingReport.Program]]>([:])

    init(_ arguments: Arguments, _ console: Console, _ reports: Lock<CIReports>, _ scenario: SelectedScenario) {
        self.arguments = arguments
        self.console = console
        self.reports = reports
        self.scenario = scenario
    }

    /// Makes the shortest run of each new cause once more, as simple as it can be, and keeps it; where the campaign is over by
    /// then keeps those that there were.
    ///
    /// - Returns: What is kept, by the keys of the causes.
    func keep(
        _ grid: VerdictGrid, _ campaign: FuzzCampaign, _ prepared: FuzzCampaign.Prepared, _ shortest: ShortestRuns,
        _ again: (String) -> [String]
    ) async throws -> [String: KeptFinding] {
        guard reports.withLock({ $0.folder.keepsFindings }) else { return [:] }
        var kept: [String: KeptFinding] = [:]
        let causes = Array(grid.causes.filter { !$0.isKnown }.prefix(Self.mostFindings))
        // A few at a time, as each takes the traces of several runs.
        for start in stride(from: 0, to: causes.count, by: Self.findingsAtOnce) {
            let causes = causes[start..<min(start + Self.findingsAtOnce, causes.count)]
            let shown: [FuzzCampaign.Shown?] =
                campaign.isOver?() == true
                ? causes.map { _ in nil } : try await campaign.shown(causes.map(\.shortest), prepared)
            for (cause, shown) in zip(causes, shown) {
                let first = shortest[cause.key].map { FuzzCampaign.Shown(prepared: prepared, run: $0, isSame: true) }
                guard let shown = shown ?? first else { continue }
                kept[cause.key] = keep(cause, shown, again: again(cause.shortest.run.name))
            }
        }
        return kept
    }

    private func keep(_ cause: FindingCause, _ shown: FuzzCampaign.Shown, again: [String]) -> KeptFinding? {
        let isFlaky = !shown.isSame || cause.finding.outcome == .flaky
        // A run that did not show it again is told by what the first has shown.
        let entry = shown.isSame ? shown.run.entry : cause.shortest
        let finding = entry.finding ?? cause.finding
        let result = CaseResult(shown.run.scenarioCase, shown.run.record, entry.verdict, again: again)
        let faults = entry.run.injections.map(\.fault.kind.name).joined(separator: "+")
        let name = "\(finding.outcome.rawValue.replacing(" ", with: "-"))-\(faults)"
        let report = report(entry.run, finding, result, shown.prepared, isFlaky: isFlaky)
        let passing = "It passes once the client is right or reports a clear error."
        return keep(report, finding, result, named: name, isFlaky: isFlaky, passing) { folder in
            [("repro", repeating(folder, result.scenarioCase)), ("keep", keeping(folder, result.scenarioCase))]
        }
    }

    /// Keeps what a client gets wrong without any fault.
    ///
    /// - Parameter again: The command that shows it once more.
    func keep(_ found: CleanFinding, _ prepared: FuzzCampaign.Prepared, again: [String]) -> KeptFinding? {
        guard reports.withLock({ $0.folder.keepsFindings }) else { return nil }
        let finding = found.found.finding
        let card = found.found.card ?? "clean-run"
        let failure = Failure(
            path: "fuzz  \(card)", expected: "what is on the card",
            got: "\(finding.outcome.rawValue): \(finding.reason)", nearest: finding.exchange)
        let result = CaseResult(found.scenarioCase, found.record, Verdict([failure]), again: again)
        let name = "\(finding.outcome.rawValue.replacing(" ", with: "-"))-\(card)"
        let report = report(nil, finding, result, prepared, isFlaky: false)
        let telling =
            found.failsAlone
            ? "The card does nothing wrong, and it passes once the client reads it."
            : "The card does nothing wrong: hold what the client prints against what is on it."
        return keep(
            report, finding, result, named: name, isFlaky: false, telling, shownBy: found.failsAlone ? nil : again
        ) { folder in
            let run = repeating(folder, result.scenarioCase)
            return found.failsAlone
                ? [("repro", run), ("keep", keeping(folder, result.scenarioCase))] : [("run", run)]
        }
    }

    /// - Parameters:
    ///   - comment: What its scenario says of itself.
    ///   - again: The command that shows it, if its scenario does not.
    ///   - commands: Those that have to do with its folder; the first one runs its scenario.
    private func keep(
        _ report: FindingReport, _ finding: OutcomeFinding, _ result: CaseResult, named name: String, isFlaky: Bool,
        _ comment: String, shownBy again: [String]? = nil, _ commands: (String) -> [(title: String, words: String)]
    ) -> KeptFinding? {
        let scenarioText = DocumentFormatter.text(
            of: result.scenarioCase.short(named: name, title: report.title),
            comments: ["Found by tapsim fuzz: \(PrintableText.visible(finding.reason)).", comment],
            table: ScenarioLoader.table)
        var words: [(title: String, words: String)] = []
        let place = reports.withLock { reports in
            reports.folder.keepFinding(result, named: name, isFlaky: isFlaky, of: scenario, console) { folder in
                words = commands(folder)
                let playing = playing(folder, result)
                let repeating = again.map { ShellWords.text($0) } ?? words[0].words
                return [
                    (Self.scenarioName, scenarioText),
                    (Self.reportName, report.text(playing: playing, repeating: repeating)),
                ] + (playing == nil ? [] : [(ReplayScript.fileName, ReplayScript.text)])
            }
        }
        return place.map { KeptFinding(folder: $0, isFlaky: isFlaky, words) }
    }

    private func report(
        _ run: FuzzRun?, _ finding: OutcomeFinding, _ result: CaseResult, _ prepared: FuzzCampaign.Prepared,
        isFlaky: Bool
    ) -> FindingReport {
        var words = CaseRun.clientText(result.scenarioCase)
        var programs: [FindingReport.Program] = []
        if case .program(let client) = CaseRun.client(of: result.scenarioCase) {
            words = ShellWords.text(client.arguments)
            programs = self.programs(of: client.arguments)
        }
        return FindingReport(
            run, finding, result, clean: prepared.baseline.world.trace, client: words, programs: programs,
            tapsim: TapSimCommand.version, isFlaky: isFlaky)
    }

    private func programs(of words: [String]) -> [FindingReport.Program] {
        programs.withLock { known in
            let found = known[words] ?? Self.programs(words)
            known[words] = found
            return found
        }
    }

    /// The program of a command and the files that its words name.
    private static func programs(_ words: [String]) -> [FindingReport.Program] {
        let first = words.first.flatMap { CaseRun.path(ofProgram: $0) }
        return ([first].compactMap(\.self) + words.dropFirst().filter(FileContent.isRegular)).map { path in
            let bytes = (try? FileContent.bytes(of: path, upTo: largestProgram)) ?? []
            let isWhole = !bytes.isEmpty && bytes.count <= largestProgram
            return FindingReport.Program(
                path: path, package: ProgramPackage.text(of: path), digest: isWhole ? Digest.sha256(bytes) : nil)
        }
    }

    private func repeating(_ folder: String, _ scenarioCase: ScenarioCase) -> String {
        var needsPermission = false
        if case .program(let client)? = scenarioCase.client {
            needsPermission = ClientPermission.obstacle(to: client, in: ".") != nil
        }
        return ShellWords.text(
            AgainLine.words(running: "\(folder)/\(Self.scenarioName)", allowingClient: needsPermission))
    }

    /// The command that plays the run to a program without TapSim.
    private func playing(_ folder: String, _ result: CaseResult) -> String? {
        guard case .program(let client)? = result.scenarioCase.client, ReplayScript.plays(result.record) else {
            return nil
        }
        return ShellWords.text(["python3", "\(folder)/\(ReplayScript.fileName)", "--"] + client.arguments)
    }

    /// The command that makes a test of it, in a folder of its client; it asks before it replaces one of that name.
    private func keeping(_ folder: String, _ scenarioCase: ScenarioCase) -> String {
        let name = folder.split(separator: "/").last ?? ""
        let place = [Self.regressions, Self.clientName(scenarioCase)].compactMap(\.self).joined(separator: "/")
        let from = ShellWords.text(["\(folder)/\(Self.scenarioName)"])
        return "mkdir -p \(place) && cp -i \(from) \(ShellWords.text(["\(place)/\(name).yaml"]))"
    }

    /// The name of the program, or of the file that an interpreter is given; `nil` for a built-in client.
    private static func clientName(_ scenarioCase: ScenarioCase) -> String? {
        guard case .program(let client)? = scenarioCase.client else { return nil }
        let words = client.arguments
        let file = words.dropFirst().first(where: FileContent.isRegular) ?? words.first ?? ""
        let base = file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
        return NameRule.name(like: String(base))
    }
}
