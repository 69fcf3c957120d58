import ScenarioSupport
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The judge` {
    static let cases = SectionCase.all("Scenarios/judge.txt")

    private func load(_ expect: String) throws -> ScenarioCase {
        let lines = expect.split(separator: "\n").map { "  \($0)\n" }.joined()
        let loaded = LoadedScenario("format: 1\n\(ScriptedRun.cards)\nexpect:\n\(lines)")
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        return try #require(loaded.first)
    }

    @Test(arguments: cases)
    func `reports the expected failures`(_ vector: SectionCase) throws {
        let test = try load(String(decoding: vector.input, as: UTF8.self))
        let client = String(vector.name.dropLast(".yaml".count))
        let verdict = Judge.judge(test, ScriptedRun(test).record(client: client))
        #expect(verdict.failures.map(\.line).joined(separator: "\n") == vector.output)
        #expect(verdict.isPassed == vector.output.isEmpty)
    }

    @Test func `gives the same verdict each time`() throws {
        let test = try load("counts: {felica.read: 0}\nresult: {/a: 1, /b: 2}")
        let run = ScriptedRun(test).record(client: "ok")
        #expect(Judge.judge(test, run) == Judge.judge(test, ScriptedRun(test).record(client: "ok")))
    }

    @Test func `writes failures as JSON with the line of the expectation`() throws {
        let test = try load("counts: {felica.read: 0}")
        let failure = try #require(Judge.judge(test, ScriptedRun(test).record(client: "ok")).failures.first)
        #expect(failure.source == test.expectations.items.first?.source && failure.nearest == 5)
        let text = JSONWriter.text(failure.node)
        #expect(text.hasPrefix(#"{"path":"expect.counts  felica.read","file":"a.yaml","line":"#))
        #expect(text.hasSuffix(#""expected":"0","got":"3","exchange":5}"#))
    }

    @Test func `drops expectations on the output of a replaced client`() throws {
        let test = try load("client: {exit: 0, stdout: abc}\nresult: {/a: 1}\ncounts: {felica.read: 3}")
        let other = test.replacingClient(.program(ProgramClient(["./reader"])))
        #expect(other.droppedExpectations.map(\.key) == ["expect.client.stdout", "expect.result"])
        #expect(other.droppedExpectations.allSatisfy { $0.reason == .anotherClient })
        #expect(Judge.judge(other, ScriptedRun(other).record(client: "ok")).isPassed)
        #expect(other.resolved["expect"] == ["client": ["exit": 0], "counts": ["felica.read": 3]])
        #expect(other.resolved["client"] == ["run": ["./reader"]])
    }
}

extension Failure {
    /// The full text of the failure, for comparison.
    fileprivate var line: String {
        text + (nearest.map { " [\($0)]" } ?? "") + (hint.map { "\n    \($0)" } ?? "")
    }
}
