import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// The index of a run: a page with the verdict of each case, what its client printed, and a link to its own page.
package struct RunIndex {
    /// The maximum number of bytes of each output stream of a case; the beginning is dropped.
    private static let mostOutput = 1 << 12
    private static let mostFailures = 8
    /// A text near the beginning of every index.
    package static let mark = "<title>TapSim</title>"

    private var cases: [Node] = []
    /// The number of bytes left for the output of all cases.
    private var room = 1 << 20

    package init() {}

    package var count: Int { cases.count }

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - result: Its result; `nil` if the scenario skips the case.
    ///   - page: The path of its page, relative to the index; `nil` if it has none.
    package mutating func add(_ scenarioCase: ScenarioCase, _ result: CaseResult?, page: String? = nil) {
        let failures = result?.verdict.failures.map { scenarioCase.stations.named($0.text) } ?? []
        add(scenarioCase, result, isPassed: result?.verdict.isPassed, failures, page: page)
    }

    /// Adds a case that could not be run.
    package mutating func add(_ scenarioCase: ScenarioCase, brokenBy reason: String) {
        add(scenarioCase, nil, isPassed: false, [reason], page: nil)
    }

    private mutating func add(
        _ scenarioCase: ScenarioCase, _ result: CaseResult?, isPassed: Bool?, _ failures: [String], page: String?
    ) {
        let shown = failures.prefix(Self.mostFailures)
        cases.append(
            .map([
                "scenario": .text(scenarioCase.scenarioName), "title": scenarioCase.title.map(Node.text),
                "file": .text(scenarioCase.file), "seed": .number(scenarioCase.seed),
                "number": .number(scenarioCase.number), "name": scenarioCase.name.map(Node.text),
                "passed": isPassed.map(Node.boolean), "page": page.map(Node.text),
                "card_time": (result?.record.world.now.wholeNanoseconds).map(Node.number),
                "failures": .list(shown.map(Node.text)), "more": .number(failures.count - shown.count),
                "stdout": output(result?.record.client.standardOutput),
                "stderr": output(result?.record.client.standardError),
                "again": (result?.reproduceCommand).map { .text(ShellText.text($0)) },
            ]))
    }

    /// Returns the end of an output stream; `nil` if it is empty.
    private mutating func output(_ text: String?) -> Node? {
        guard let text, !text.isEmpty else { return nil }
        let end = JUnitReport.end(of: text, upTo: min(Self.mostOutput, room))
        room -= min(room, end.utf8.count)
        return .text(end)
    }

    /// - Parameter version: The version of TapSim.
    package func html(tapsim version: String) -> String {
        RunPage.html(index: ["v": .number(TraceLines.version), "tapsim": .text(version), "cases": .list(cases)])
    }
}
