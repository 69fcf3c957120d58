import ScenarioSupport
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

/// The expected outcome of a run, as a table row.
struct OutcomeRow: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: String
    /// A Boolean value that indicates whether the client writes; otherwise it reads.
    let isWriter: Bool
    let script: @Sendable (ScenarioCase) -> OutcomeScript

    var testDescription: String { name }

    init(
        _ name: String, _ expected: String, writes isWriter: Bool = false,
        _ script: @escaping @Sendable (ScenarioCase) -> OutcomeScript
    ) {
        self.name = name
        self.expected = expected
        self.isWriter = isWriter
        self.script = script
    }

    /// A run of the reading client with another end.
    static func end(
        _ name: String, _ expected: String, _ change: @escaping @Sendable (inout OutcomeScript) -> Void
    ) -> OutcomeRow {
        OutcomeRow(name, expected) { test in
            var script = OutcomeScript.clean(test)
            change(&script)
            return script
        }
    }
}

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The outcome of a run` {
    static func test(_ more: String = "") throws -> ScenarioCase {
        let loaded = LoadedScenario(OutcomeScript.source + "\n" + more)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        return try #require(loaded.first)
    }

    static func baseline(_ test: ScenarioCase, isWriter: Bool) throws -> Baseline {
        let script = isWriter ? OutcomeScript.writer(test) : OutcomeScript.clean(test)
        return try Baseline(Array(repeating: script.record, count: Baseline.runCount), of: test)
    }

    private func check(_ row: OutcomeRow) throws {
        let test = try Self.test()
        let finding = try Self.baseline(test, isWriter: row.isWriter).finding(of: row.script(test).record)
        #expect(finding.description == row.expected)
    }

    @Test(arguments: OutcomeTables.ends) func `follows from how the client ends`(_ row: OutcomeRow) throws {
        try check(row)
    }

    @Test(arguments: OutcomeTables.results) func `follows from the result`(_ row: OutcomeRow) throws {
        try check(row)
    }

    @Test(arguments: OutcomeTables.writes) func `is a safety violation if a write cannot be undone`(
        _ row: OutcomeRow
    ) throws {
        try check(row)
    }

    @Test(arguments: OutcomeTables.misuse) func `is misuse if a manual forbids it`(_ row: OutcomeRow) throws {
        try check(row)
    }

    @Test func `is covered by the tables except for one`() {
        let rows = OutcomeTables.ends + OutcomeTables.results + OutcomeTables.writes + OutcomeTables.misuse
        // A flaky client shows only in repeated runs.
        for outcome in Outcome.allCases where outcome != .flaky {
            #expect(rows.contains { $0.expected.hasPrefix(outcome.rawValue) }, "\(outcome)")
        }
    }

    @Test func `is written as JSON with its position`() {
        let finding = OutcomeFinding(.silentLoss, at: 7, "`/trips` has 12 of 20 items")
        #expect(
            JSONWriter.text(finding.node)
                == #"{"outcome":"silent loss","exchange":7,"reason":"`/trips` has 12 of 20 items"}"#)
        #expect(Outcome.allCases.filter(\.isOK) == [.correct, .clearError])
        #expect(Outcome.allCases.allSatisfy { $0.summary.hasSuffix(".") })
    }
}
