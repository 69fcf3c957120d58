import TapField
import TapJudge
import TapScenario
import TapWire

/// Results in the format of CI systems: JUnit's XML, with a suite per scenario and a test per case.
///
/// Source: the schema of Jenkins' JUnit plug-in, which GitLab and others follow.
public struct JUnitReport {
    /// The maximum number of bytes that a test keeps of each output stream; the beginning is dropped.
    private static let mostOutput = 1 << 16

    private struct Test {
        let suite: String
        /// The title of the scenario.
        var title: String?
        let file: String
        let name: String
        var line: Int?
        /// The wall-clock time in seconds, if it was measured.
        var time: String?
        var properties: [(name: String, value: String)] = []
        /// The failures in one line; `nil` if there are none.
        var failure: String?
        /// The whole story, as a terminal shows it.
        var fullText = ""
        var isSkipped = false
        var output = ""
        var errors = ""
    }

    /// The beginning of the root element.
    package static let root = "<testsuites name=\"tapsim\""

    private var tests: [Test] = []

    public init() {}

    public mutating func add(_ result: CaseResult, of suite: String, in file: String) {
        let failures = result.verdict.failures
        var test = Test(
            suite: suite, title: result.scenarioCase.title, file: file, name: result.scenarioCase.displayName,
            time: (result.wall ?? result.record.client.wall).map(Self.seconds))
        test.properties = [("card_time", Self.seconds(result.record.world.now))]
        if let end = result.record.end.endedByTapSim { test.properties.append(("end", end)) }
        test.line = failures.lazy.compactMap(\.source?.line).first
        if !failures.isEmpty {
            test.failure = failures.map { result.scenarioCase.stations.named($0.text) }.joined(separator: "; ")
            test.fullText = CaseText(result, showsOutput: false).lines.joined(separator: "\n")
        }
        test.output = result.record.client.standardOutput
        test.errors = result.record.client.standardError
        tests.append(test)
    }

    /// Adds a fuzzed case: a test for its baseline runs, one for all runs without findings, and one for each cause.
    public mutating func add(_ grid: VerdictGrid, clean: [FaultlessCause], of suite: String, in file: String) {
        if clean.isEmpty { add("without any fault", [], of: suite, in: file) }
        for cause in clean {
            add(cause.key, cause.found.map { "\($0.finding)" }, isKnown: cause.isKnown, of: suite, in: file)
        }
        let passed = grid.entries.count - grid.findings.count
        // The name contains no numbers, so that its history continues in the next campaign.
        if passed > 0 { add("other runs under faults", [], of: suite, in: file) }
        for cause in grid.causes {
            let runs = cause.entries.map { "\($0.run.name): \($0.finding.map { "\($0)" } ?? "")" }
            let first = "\(cause.shortest.run.name): \(cause.finding)"
            add(cause.key, [first] + runs.filter { $0 != first }, isKnown: cause.isKnown, of: suite, in: file)
        }
    }

    /// Adds an audited test suite: a test for its baseline run, and one for each lie that it was told.
    public mutating func add(_ audit: AuditReport, of suite: String, in file: String) {
        add("without any lie", [], of: suite, in: file, wall: audit.baseline.wall)
        for result in audit.results {
            let findings = result.failure.map { [$0.text, result.lie.summary, result.lie.unseen] } ?? []
            let isKnown = result.end == nil || audit.known.contains(result.lie.name)
            add(result.lie.name, findings, isKnown: isKnown, of: suite, in: file, wall: result.wall)
        }
    }

    /// - Parameters:
    ///   - isKnown: Whether the findings do not count, so that the test is skipped.
    ///   - wall: The wall-clock time, if it was measured.
    private mutating func add(
        _ name: String, _ findings: [String], isKnown: Bool = false, of suite: String, in file: String,
        wall: Duration? = nil
    ) {
        var test = Test(suite: suite, file: file, name: name, time: wall.map(Self.seconds), isSkipped: isKnown)
        if let first = findings.first, !isKnown {
            test.failure =
                findings.count > 1 ? "\(first); \(CountText.of(findings.count - 1, "more finding"))" : first
        }
        test.fullText = findings.joined(separator: "\n")
        tests.append(test)
    }

    /// Adds a case that could not be judged, as a failure.
    public mutating func add(error: String, to name: String, of suite: String, in file: String) {
        add(name, [error], of: suite, in: file)
    }

    public mutating func addSkipped(_ name: String, of suite: String, in file: String) {
        tests.append(Test(suite: suite, file: file, name: name, isSkipped: true))
    }

    public var text: String {
        var suites: [(name: String, file: String, tests: [Test])] = []
        for test in tests {
            if let last = suites.indices.last, suites[last].name == test.suite, suites[last].file == test.file {
                suites[last].tests.append(test)
            } else {
                suites.append((test.suite, test.file, [test]))
            }
        }
        let failed = tests.count { $0.failure != nil }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "\(Self.root) tests=\"\(tests.count)\" failures=\"\(failed)\">",
        ]
        for suite in suites { lines += Self.lines(suite.name, suite.file, suite.tests) }
        return (lines + ["</testsuites>", ""]).joined(separator: "\n")
    }

    private static func lines(_ name: String, _ file: String, _ tests: [Test]) -> [String] {
        let failed = tests.count { $0.failure != nil }
        let skipped = tests.count(where: \.isSkipped)
        let counts = "tests=\"\(tests.count)\" failures=\"\(failed)\" skipped=\"\(skipped)\""
        let title = tests.lazy.compactMap(\.title).first.map { [("title", $0)] } ?? []
        return ["  <testsuite name=\(quoted(name)) file=\(quoted(file)) \(counts)>"] + lines(title, indent: "    ")
            + tests.flatMap(lines) + ["  </testsuite>"]
    }

    private static func lines(_ properties: [(name: String, value: String)], indent: String) -> [String] {
        guard !properties.isEmpty else { return [] }
        let lines = properties.map { "\(indent)  <property name=\(quoted($0.name)) value=\(quoted($0.value))/>" }
        return ["\(indent)<properties>"] + lines + ["\(indent)</properties>"]
    }

    private static func lines(_ test: Test) -> [String] {
        let line = test.line.map { " line=\"\($0)\"" } ?? ""
        let head = "    <testcase name=\(quoted(test.name)) classname=\(quoted(test.suite)) file=\(quoted(test.file))"
        let time = test.time.map { " time=\"\($0)\"" } ?? ""
        var lines = ["\(head)\(line)\(time)>"]
        lines += Self.lines(test.properties, indent: "      ")
        if test.isSkipped { lines.append("      <skipped/>") }
        if let failure = test.failure {
            lines.append("      <failure message=\(quoted(failure))>\(escaped(test.fullText))</failure>")
        }
        for (element, text) in [("system-out", test.output), ("system-err", test.errors)] where !text.isEmpty {
            lines.append("      <\(element)>\(escaped(end(of: text)))</\(element)>")
        }
        return lines + ["    </testcase>"]
    }

    /// Returns a text, or its last bytes after an ellipsis if it is longer than the limit.
    static func end(of text: String, upTo most: Int = mostOutput) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > most else { return text }
        return "…" + String(decoding: bytes.suffix(most), as: UTF8.self)
    }

    private static func seconds(_ time: Duration) -> String {
        let microseconds = time.wholeNanoseconds / 1_000
        let digits = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text, breaks: "&#10;"))\"" }

    /// Returns escaped text without characters that XML does not allow.
    private static func escaped(_ text: String, breaks: String = "\n") -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "\n": result += breaks
            case "\t": result += "\t"
            case _ where PrintableText.isHarmful(scalar) || scalar.value & 0xFFFE == 0xFFFE: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
