import Foundation
import TapDocument
import TapSystem
import TapScenario
import Testing

/// Programs that each react to a fault in a known way, judged against runs without the fault.
@Suite struct `Clients with a known reaction to a fault` {
    /// A reaction and its expected outcome.
    struct Row: Sendable, CustomTestStringConvertible {
        let fate: String
        let outcome: String
        let reason: String
        var testDescription: String { fate }

        init(_ fate: String, _ outcome: Outcome, _ reason: String) {
            self.fate = fate
            self.outcome = outcome.rawValue
            self.reason = reason
        }
    }

    static let rows = [
        Row("correct", .clearError, "exit 1: the tag does not answer after 4 pages"),
        Row("crash", .crash, "signal 6 (SIGABRT) ended it"),
        Row("panic", .crash, "exit 1, and Python reports: IndexError: no page"),
        Row("hang", .hang, "it was still running when its time was over"),
        Row("loop", .livelock, "it sent 300 frames and did not end"),
        Row("part", .silentLoss, "`/pages` has 4 of 12 items, and it exits 0"),
        Row("leak", .leak, "it ended with 1 transaction open; SCardEndTransaction releases it"),
        Row("lock", .safety, "it wrote to page 2 (static lock bytes), which the case does not ask for"),
        Row(
            "flaky", .flaky,
            "crash in the first run (signal 6 (SIGABRT) ended it) and clear error in run 2 with the same seed"),
    ]

    private func run(_ fate: String, _ more: String = "") throws -> CommandOutcome {
        let file = try TapSimProgram.file(
            "fated.yaml",
            """
            format: 1
            reader: storage-card
            settings: {limits: {wall: 3s, exchanges: 300}}
            cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80", ndef: [{uri: "https://example.com/t/42"}]}}
            faults: [{when: {command: ntag.read, nth: 2}, times: 1.., do: rf.unheard}]
            \(more)
            """)
        let mark = "\((file as NSString).deletingLastPathComponent)/mark"
        return try TapSim.run(
            ["run", file, "--json", "--", TapSimProgram.python, "-s", "Tests/Clients/fated.py", fate, mark])
    }

    @Test(arguments: rows) func `get the expected outcome`(_ row: Row) throws {
        let outcome = try run(row.fate)
        let report = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        #expect(report?["verdict"]?["outcome"]?.text == row.outcome, "\(outcome.output)\(outcome.error)")
        #expect(report?["verdict"]?["reason"]?.text == row.reason)
        let isOK = row.outcome == Outcome.clearError.rawValue
        #expect(report?["passed"]?.text == "\(isOK)")
        #expect((outcome.exitCode == 0) == isOK)
    }

    @Test func `can be expected by a case`() throws {
        let outcome = try run("part", "expect: {client: {verdict: silent loss}}")
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    }

    @Test func `that vary without faults stop the run with a suggestion`() throws {
        let failure = try run("varies").json?["scenarios"]?[0]?["cases"]?[0]?["failures"]?[0]
        #expect(failure?["got"]?.text?.hasPrefix("a different result in baseline run 2") == true)
        let hint = failure?["hint"]?.text ?? ""
        #expect(hint.contains("write `client: {result: {ignore: [\"/time\"]}}` in a scenario"), "\(hint)")
    }
}
