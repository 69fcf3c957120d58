import TapField
import TapJudge
import TapScenario
import TapWire

/// The output of a run for GitHub Actions: an error at the line of each unmet expectation, and a table of the cases.
///
/// GitHub shows ten annotations per step, so the report contains the first nine and a summary of the rest. Source: GitHub
/// Docs, "Workflow commands for GitHub Actions".
public struct GitHubReport {
    private static let mostAnnotations = 10

    private var failures: [(file: String?, line: Int?, text: String)] = []
    private var rows: [String] = []

    public init() {}

    public mutating func add(_ result: CaseResult, of scenario: String) {
        let name = result.scenarioCase.name(in: scenario)
        let stations = result.scenarioCase.stations
        let found = result.verdict.failures.map { (source: $0.source, text: stations.named($0.text)) }
        failures += found.map { ($0.source?.file, $0.source?.line, "\(name): \($0.text)") }
        let state = result.verdict.isPassed ? "passed" : "**failed**"
        rows.append("| \(Self.cell(name)) | \(state) | \(Self.cell(found.first?.text ?? "")) |")
    }

    public mutating func add(_ grid: VerdictGrid, clean: [FaultlessCause], of name: String, in file: String) {
        let causes = grid.causes.filter { !$0.isKnown }
        let found =
            clean.filter { !$0.isKnown }.map { "without any fault: \($0.found[0].finding)" }
            + causes.map { "\($0.shortest.run.name): \($0.finding)" }
        failures += found.map { (file, nil, "\(name): \($0)") }
        let count = CountText.of(grid.entries.count, "run")
        let state =
            found.isEmpty ? "no findings in \(count)" : "**\(CountText.of(found.count, "cause"))** in \(count)"
        rows.append("| \(Self.cell(name)) | \(state) | \(Self.cell(found.first ?? "")) |")
    }

    public mutating func add(_ audit: AuditReport, of name: String, in file: String) {
        let found = audit.findings.map { "\($0.lie.name) is not noticed: \($0.lie.unseen)" }
        failures += found.map { (file, nil, "\(name): \($0)") }
        let count = CountText.of(audit.results.count { $0.end != nil }, "lie")
        let state = found.isEmpty ? "all noticed of \(count)" : "**\(found.count) not noticed** of \(count)"
        rows.append("| \(Self.cell(name)) | \(state) | \(Self.cell(found.first ?? "")) |")
    }

    /// Adds a case that could not be judged.
    public mutating func add(error: String, of name: String, in file: String) {
        failures.append((file, nil, "\(name): \(error)"))
        rows.append("| \(Self.cell(name)) | **not judged** | \(Self.cell(error)) |")
    }

    /// The workflow commands, one per line.
    public var annotations: [String] {
        let shown = failures.count > Self.mostAnnotations ? Self.mostAnnotations - 1 : failures.count
        let lines = failures.prefix(shown).map { Self.annotation($0.file, $0.line, $0.text) }
        let rest = failures.count - shown
        return rest > 0
            ? lines + [Self.annotation(nil, nil, "\(CountText.of(rest, "more failure")) in the output")] : lines
    }

    public var summary: String {
        (["| Case | Result | First failure |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private static func annotation(_ file: String?, _ line: Int?, _ message: String) -> String {
        let number = line.map { ",line=\($0)" } ?? ""
        let place = file.map { " file=\(property($0))\(number)" } ?? ""
        return "::error\(place)::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        PrintableText.visible(text).map { $0 == "%" ? "%25" : $0 == "\n" ? "%0A" : String($0) }.joined()
    }

    private static func property(_ text: String) -> String {
        data(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
    }

    /// Returns text for a table cell, with all markup escaped.
    private static func cell(_ text: String) -> String {
        var result = ""
        for character in PrintableText.line(text) {
            if "\\`*_{}[]<>|#&!~".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
