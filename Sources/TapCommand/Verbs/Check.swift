import TapDocument
import TapScenario
import TapWire

extension Verb {
    static let check = Verb(
        name: "check",
        usages: ["FILE|FOLDER…", "FILE --resolved [--json] [--case N]"],
        summary: "Check scenario files, or show what they mean, without running anything.",
        examples: [
            Example("Check all scenarios of a folder", "tapsim check Scenarios"),
            Example("Show what a file means", "tapsim check suica.yaml --resolved"),
        ],
        details: """
            With --resolved each case is printed as a complete scenario: other files are
            included, parameters filled in, and templates written out as systems, services,
            blocks and pages. A comment after each value names its origin: a file and line, a
            parameter, a template, the IC, the seed, or default. With --case N the output is
            one scenario file; otherwise it is one per case, separated by lines of dashes.
            With --json it is one document without comments: a list of all cases, or with
            --case only that case. `tapsim run`, or an app that finds it in TAPSIM_SCENARIO,
            can read that document without YAML and without other files.
            """,
        options: ScenarioArguments.options + [
            .flag("--resolved", "Print each case as a complete scenario"),
            .flag("--json", "Print the errors, or with --resolved the cases, as one JSON document"),
            .value("--case", "N|NAME", "With --resolved: print only this case"),
            .value("--seed", "N", "With --resolved: set the seed of all random choices"),
        ],
        run: { arguments, context in try check(arguments, context) })

    private static func check(_ arguments: Arguments, _ context: CommandContext) throws -> ExitCode {
        let console = context.console
        guard !arguments.operands.isEmpty else { throw UsageError("name the files to check") }
        let values = try ScenarioArguments(arguments, in: context.folder)
        if arguments.isGiven("--resolved") { return try resolve(arguments, values, context) }
        guard arguments.values("--case").isEmpty else { throw UsageError("`--case` needs `--resolved`") }
        var diagnostics = Diagnostics()
        var scenarios: [Scenario] = []
        let paths = try ScenarioFolder(in: context.folder, warn: context.console.warn).expanding(arguments.operands)
        var unread = Diagnostics()
        for path in paths {
            do {
                if let scenario = try ScenarioFiles.load(path, values, in: context.folder, into: &diagnostics) {
                    scenarios.append(scenario)
                    for need in scenario.cases.compactMap(\.appNeed) { diagnostics.report(need) }
                }
            } catch {
                guard let message = error.message else { throw error }
                console.fail(message, help: error.help)
                unread.report(Diagnostic(.fileUnreadable, message, at: .file(SourceFile(name: path, text: ""))))
            }
        }
        if scenarios.count == paths.count { try values.checkNames(in: scenarios) }
        if arguments.isGiven("--json") {
            console.print(json: .list(unread.node.items + diagnostics.node.items))
        } else {
            if !diagnostics.isEmpty { console.printError(diagnostics.text(colour: console.errorStyle.isOn)) }
            console.print(
                summary(
                    files: paths.count, cases: scenarios.reduce(0) { $0 + $1.cases.count },
                    errors: diagnostics.errorCount + unread.errorCount))
        }
        return diagnostics.hasErrors || unread.hasErrors ? .usage : .passed
    }

    private static func summary(files: Int, cases: Int, errors: Int) -> String {
        if errors > 0 { return CountText.of(errors, "error") }
        return "\(CountText.of(files, "file")), \(CountText.of(cases, "case")), no errors"
    }

    private static func resolve(
        _ arguments: Arguments, _ values: ScenarioArguments, _ context: CommandContext
    ) throws -> ExitCode {
        let console = context.console
        let scenarios = try ScenarioFiles.load(arguments.operands, values, context)
        let cases = try CaseSelection(arguments, scenarios: scenarios).cases
        guard arguments.isGiven("--json") else {
            console.printAsIs(cases.map(\.resolvedText).joined(separator: "---\n"))
            return .passed
        }
        // Without --case, JSON is always a list, however many cases there are.
        let isList = arguments.values("--case").isEmpty
        for node in isList ? [.list(cases.map(\.resolved))] : cases.map(\.resolved) {
            console.print(json: node)
        }
        return .passed
    }
}
