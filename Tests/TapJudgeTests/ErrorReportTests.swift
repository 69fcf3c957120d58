import Foundation
import ScenarioSupport
import TapDocument
@testable import TapJudge
import TapScenario
import TapYAML
import TestSupport
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The error of a failed client` {
    static let cases = SectionCase.all("error-reports.txt")

    /// The error, and the runtime that reports it, if any.
    private func expected(_ output: String) -> (printer: String?, error: String) {
        let printers = [
            "Python", "Node.js", "Java", "Rust", "Go", ".NET", "Mono", "a C assertion", "glibc", "C++", "Swift",
            "Ruby", "PHP", "Dart",
        ]
        let printer = printers.first { output.hasPrefix("\($0): ") }
        return (printer, printer.map { String(output.dropFirst($0.count + 2)) } ?? output)
    }

    private func record(_ end: ClientReport.End, _ text: String, _ test: ScenarioCase) -> RunRecord {
        var script = OutcomeScript.clean(test)
        script.client = ClientReport(end: end, standardError: text)
        return script.record
    }

    @Test(arguments: cases) func `is shown by a run`(_ vector: SectionCase) throws {
        let test = try `The outcome of a run`.test()
        let (_, error) = expected(vector.output)
        let words = error.isEmpty ? "" : ": \(error)"
        for (end, got) in [
            (.exit(1), "exit 1"), (.signal(6), "a crash by signal 6 (SIGABRT)"),
        ] as [(ClientReport.End, String)] {
            let verdict = Judge.judge(test, record(end, vector.text, test))
            #expect(verdict.failures.first?.got == got + words)
        }
    }

    @Test(arguments: cases) func `is found under a fault`(_ vector: SectionCase) throws {
        let test = try `The outcome of a run`.test()
        let baseline = try `The outcome of a run`.baseline(test, isWriter: false)
        let (printer, error) = expected(vector.output)
        let finding = baseline.finding(of: record(.exit(1), vector.text, test))
        #expect(finding.outcome == (printer == nil ? .clearError : .crash))
        let words = error.isEmpty ? "" : ": \(error)"
        #expect(finding.reason == (printer.map { "exit 1, and \($0) reports\(words)" } ?? "exit 1\(words)"))
        #expect(!finding.reason.hasSuffix("Traceback (most recent call last):"))
    }

    private static let places = Dictionary(
        uniqueKeysWithValues: VectorFile.lines("crash-places.txt").map { line in
            let parts = line.components(separatedBy: " | ")
            return (parts[0], parts[1])
        })

    @Test(arguments: cases) func `names its location in the client's code`(_ vector: SectionCase) {
        #expect(ErrorReport(vector.text).place == Self.places[vector.name])
    }

    @Test func `is extracted from any lines, complete or truncated`() throws {
        let test = try `The outcome of a run`.test()
        var random = TestRandom()
        let lines = Self.cases.flatMap { $0.text.split(separator: "\n") }
        for _ in 0..<300 {
            let text = random.list(upTo: 12) { $0.pick(lines) }.joined(separator: "\n")
            let isSilent = text.allSatisfy(\.isWhitespace)
            let got = try #require(Judge.judge(test, record(.exit(1), text, test)).failures.first?.got)
            #expect(got.hasPrefix("exit 1: ") != isSilent && !got.contains("\n"), "\(text)")
        }
    }
}

extension SectionCase {
    fileprivate var text: String { String(decoding: input, as: UTF8.self) }
}
