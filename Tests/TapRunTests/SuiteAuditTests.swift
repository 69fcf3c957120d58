import TapField
import TapReport
import TapScenario
import TapSystem
import Testing

@testable import TapJudge
@testable import TapRun

@Suite struct `An audit of a suite` {
    private let lies = Array(FaultCatalogue.lies.prefix(3))

    private func end(_ output: String, isPassed: Bool) -> SuiteEnd {
        SuiteEnd(
            isPassed: isPassed, text: isPassed ? "exit 0" : "exit 1", lastError: "", wall: nil,
            tests: TestResults(output))
    }

    /// A report whose suite heard the first lies, with the given outputs; it passes if no test fails.
    private func report(baseline: String, _ outputs: String...) -> AuditReport {
        let results = zip(lies, outputs).map { lie, output in
            LieResult(lie, end(output, isPassed: TestResults(output).failed.isEmpty), isReached: true)
        }
        return AuditReport(baseline: end(baseline, isPassed: true), hasOwnCards: false, results, of: lies.count)
    }

    private func text(_ report: AuditReport) -> [String] {
        AuditText(report).lines(reproduceCommand: { _ in [] }, alone: { _ in "" }, folder: { _ in nil })
    }

    @Test func `counts for a test only the lies that it ran under`() {
        let report = report(
            baseline: "ok 1 - unreached\nok 2 - starts\nok 3 - reads\nok 4 - shows", "ok 2 - starts\nnot ok 3 - reads",
            "ok 2 - starts\nok 3 - reads\nok 4 - shows", "ok 2 - starts\nnot ok 3 - reads")
        let names = lies.map(\.name)
        #expect(report.tests.map(\.name) == ["unreached", "starts", "reads", "shows"])
        #expect(report.tests.map(\.ran) == [[], names, names, [names[1]]])
        #expect(report.tests.map(\.noticed) == [[], [], [names[0], names[2]], []])
        let lines = text(report)
        let start = lines.firstIndex { $0.hasPrefix("  tests, and") } ?? lines.startIndex
        #expect(
            Array(lines[start...].dropFirst().prefix(4)) == [
                "    starts     none of 3 lies", "    shows      none of 1 lie that it ran under",
                "    reads      2 of 3 lies", "    unreached  not run under any lie",
            ], "\(lines)")
    }

    @Test func `does not guess under how many lies a test ran that is named only when it fails`() {
        let report = report(baseline: "", "not ok 1 - reads", "all passed", "not ok 1 - reads")
        #expect(report.tests.map(\.ran) == [nil] && report.tests.map(\.noticed.count) == [2])
        #expect(text(report).contains("    reads  2 lies"), "\(text(report))")
    }

    @Test(arguments: [
        ([], nil, "-rpfE"), ([], "-x", "-x -rpfE"), (["-q"], "-x", "-q -rpfE"), (["-q", "--lf"], nil, "--lf -rpfE"),
    ])
    func `adds to the pytest options of the scenario or the environment`(
        scenario: [String], environment: String?, options: String
    ) {
        let variables = scenario.map { ProgramClient.Variable("PYTEST_ADDOPTS", $0) }
        let client = ProgramClient(["pytest"], environment: variables)
        let surroundings = Surroundings(variables: ["PYTEST_ADDOPTS": environment ?? ""])
        #expect(SuiteAudit.pytestOptions(of: client, in: surroundings) == options)
    }
}
