import TapSystem
import TapJudge
import TapReport
import TapScenario

/// The reports that `run`, `fuzz` and `audit` write for CI systems and for later inspection.
struct CIReports {
    static let options: [Option] = [
        RunFolder.Policy.option.in(.output),
        .flag("--open", "Open the page of the kept results in the browser").in(.output),
        .value("--junit", "FILE", "Also write the results as JUnit XML, for CI systems").in(.ci),
    ]

    var folder: RunFolder
    private var junit: (path: String, isStream: Bool, report: JUnitReport)?
    private var gitHub: GitHubReport?
    private let opensPage: Bool
    private let context: CommandContext
    private var console: Console { context.console }

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        self.context = context
        folder = RunFolder(try RunFolder.Policy(arguments), in: context.folder)
        junit = try arguments.value("--junit").map {
            ($0, try OutputTarget($0, in: context.folder).isStream, JUnitReport())
        }
        let isOnGitHub = context.surroundings["GITHUB_ACTIONS"] == "true"
        gitHub = isOnGitHub && !arguments.isGiven("--json") ? GitHubReport() : nil
        opensPage = arguments.isGiven("--open")
        if arguments.isGiven("--json"), let junit, try OutputTarget(junit.path, in: context.folder).isStandardOutput {
            throw UsageError("`--json` and `--junit \(junit.path)` both write to standard output; name a file")
        }
    }

    /// Starts the reports of a run.
    ///
    /// They replace the reports of an earlier run, but no other file.
    func begin(_ scenarios: [SelectedScenario]) throws {
        if let junit, !Self.isReport(try OutputTarget(junit.path, in: context.folder)) {
            throw VerbError(
                .usage,
                "`--junit`: \(junit.path) exists and is not a JUnit report of TapSim; name another file, or remove it")
        }
        if let summary, let file = scenarios.map(\.file).first(where: { context.folder.isSame($0, summary) }) {
            throw VerbError(
                .usage, "GITHUB_STEP_SUMMARY names \(file), a scenario of this run; set the variable to another file")
        }
        try writeJUnit()
    }

    /// A Boolean value that indicates whether a report may be written here: there is no file, an empty file or an earlier
    /// report of TapSim.
    private static func isReport(_ target: OutputTarget) -> Bool {
        guard case .file(let path, .some) = target else { return true }
        guard let start = try? FileContent.bytes(of: path, upTo: longestHead) else { return false }
        let text = String(decoding: start, as: UTF8.self)
        return start.isEmpty || text.first == "<" && text.contains(JUnitReport.root)
    }

    /// The number of bytes in which the root element of a report must begin.
    private static let longestHead = 4_096

    /// The file to which a GitHub job appends its summary.
    private var summary: String? {
        guard gitHub != nil, let path = context.surroundings["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
        return path
    }

    /// Adds a case, and records in the result where it is kept.
    mutating func add(_ result: inout CaseResult, of scenario: SelectedScenario) throws {
        result.folder = folder.list(result, of: scenario, console)
        gitHub?.add(result, of: scenario.name)
        junit?.report.add(result, of: scenario.name, in: scenario.file)
        try writeJUnit()
    }

    /// Adds a case that the scenario skips.
    mutating func addSkipped(_ scenarioCase: ScenarioCase, of scenario: SelectedScenario) throws {
        junit?.report.addSkipped(scenarioCase.displayName, of: scenario.name, in: scenario.file)
        try writeJUnit()
    }

    /// Adds a fuzzed case.
    mutating func add(
        _ grid: VerdictGrid, clean: [FaultlessCause], of scenarioCase: ScenarioCase, _ scenario: SelectedScenario
    ) throws {
        let name = scenarioCase.name(in: scenario.name)
        gitHub?.add(grid, clean: clean, of: name, in: scenario.file)
        junit?.report.add(grid, clean: clean, of: name, in: scenario.file)
        try writeJUnit()
    }

    /// Adds an audited test suite.
    mutating func add(_ audit: AuditReport, of scenarioCase: ScenarioCase, _ scenario: SelectedScenario) throws {
        let name = scenarioCase.name(in: scenario.name)
        gitHub?.add(audit, of: name, in: scenario.file)
        junit?.report.add(audit, of: name, in: scenario.file)
        try writeJUnit()
    }

    /// Adds a case that could not be judged, so that no report looks as if all had passed.
    ///
    /// - Parameter test: The name of its test in the JUnit report; `nil` for the name of the case.
    mutating func add(
        _ error: VerbError, to test: String? = nil, of scenarioCase: ScenarioCase, _ scenario: SelectedScenario
    ) throws {
        let (name, text) = (scenarioCase.name(in: scenario.name), error.message ?? "the scenario has errors")
        if test == nil { folder.listBroken(scenarioCase, text) }
        gitHub?.add(error: text, of: name, in: scenario.file)
        junit?.report.add(
            error: text, to: test ?? scenarioCase.displayName, of: test == nil ? scenario.name : name, in: scenario.file
        )
        try writeJUnit()
    }

    func end() throws {
        if let junit, junit.isStream { try context.folder.replace(junit.path, with: junit.report.text) }
        if let gitHub {
            for line in gitHub.annotations { console.print(line) }
            if let summary { try context.folder.append(gitHub.summary, to: summary) }
        }
        guard opensPage else { return }
        guard let page = folder.page else {
            return console.printError("there is no page to open, since nothing was kept")
        }
        try Browser.open(page, in: context.surroundings)
    }

    /// Writes the JUnit report after each case, so that an interrupted run leaves its results so far; a pipe gets the report
    /// once, at the end.
    private func writeJUnit() throws {
        if let junit, !junit.isStream { try context.folder.replace(junit.path, with: junit.report.text) }
    }
}
