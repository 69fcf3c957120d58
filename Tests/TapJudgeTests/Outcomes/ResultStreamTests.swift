import ScenarioSupport
import TapDocument
import TapJudge
import TapScenario
import TapYAML
import Testing

/// Clients that print their result on either stream.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The stream of a result` {
    private static let reference: Node = [
        "balance": 3120, "idm": "0102030405060708", "trips": .list([["balance": 3120], ["balance": 2960]]),
    ]

    private func record(output: String = "", error: String = "", result: Node? = nil) throws -> RunRecord {
        var script = OutcomeScript.clean(try `The outcome of a run`.test())
        script.client = ClientReport(end: .exit(0), standardOutput: output, standardError: error, result: result)
        return script.record
    }

    private func baseline(_ records: RunRecord...) throws -> Baseline {
        let all = records + Array(repeating: records[0], count: max(0, Baseline.runCount - records.count))
        return try Baseline(all, of: `The outcome of a run`.test(), reference: Self.reference)
    }

    @Test(arguments: [
        ("balance 3120\n", "", ResultStream.output), ("", "balance 3120\n", .error), ("3120", "3120", .output),
        ("3120\n", "then 2960\n", .both), ("01:02:03:04:05:06:07:08", "", .output),
        ("", "01 02 03 04 05 06 07 08", .error),
        ("ok\n", "", .neither), ("ok\n", "warning: 4711 retries\n", .neither), ("", "3,120 yen", .error),
        ("", "2026/11/29 09:31:20 read a card\n", .neither),
    ])
    func `is the stream that mentions the card`(output: String, error: String, stream: ResultStream) throws {
        #expect(try baseline(record(output: output, error: error)).resultStream == stream)
    }

    @Test(arguments: [
        ("2026/11/29 09:02:14 balance 3120\n", "correct"), ("2026/11/29 09:02:14 balance 99\n", "wrong result"),
        ("09:02:14.221 retrying\n09:02:14.350 balance 3120\n", "correct"), ("", "silent loss"),
        ("[Nov 29 09:02:14] balance 3120\n[Nov 29 09:02:15] balance 3120\n", "wrong result"),
    ])
    func `is compared if it is standard error`(error: String, outcome: String) throws {
        let baseline = try baseline(record(error: "2026/11/29 09:02:11 balance 3120\n"))
        #expect(try baseline.finding(of: record(error: error)).outcome.rawValue == outcome)
    }

    @Test(arguments: [
        ("balance 3120\n", "newest 2960\n", "correct"), ("balance 3120\n", "newest 16\n", "wrong result"),
        ("balance 3120\n", "again\nnewest 2960\nnewest 2960\n", "correct"),
        ("balance 1\n", "newest 2960\n", "wrong result"),
    ])
    func `is compared on both streams if each has a part of the result`(output: String, error: String, outcome: String)
        throws
    {
        let baseline = try baseline(record(output: "balance 3120\n", error: "newest 2960\n"))
        #expect(try baseline.finding(of: record(output: output, error: error)).outcome.rawValue == outcome)
    }

    @Test func `ignores a log next to a result, and lines that vary in baseline runs`() throws {
        let json: Node = ["balance": 3120]
        let logged = try baseline(record(error: "frame 3120\n", result: json))
        #expect(try logged.finding(of: record(error: "no answer\nframe 17\n", result: json)).outcome == .correct)
        let varied = try baseline(
            record(error: "3120 after 2 polls\n"), record(error: "3120 after 3 polls\n"),
            record(error: "3120 after 2 polls\n"))
        #expect(varied.resultStream == .neither)
    }

    @Test func `combines JSON on standard output with lines on standard error`() throws {
        let baseline = try baseline(record(error: "newest 2960\n", result: ["balance": 3120]))
        let finding = try baseline.finding(of: record(error: "newest 2960\n", result: ["balance": 1]))
        #expect(finding.reason.contains("`/stdout/balance` is 1, not 3120"), "\(finding)")
    }

    @Test func `causes a warning if neither stream has a result, unless the output varies by card`() throws {
        let test = try #require(LoadedScenario("format: 1\ncards: {suica: {template: suica, trips: 20}}\n").first)
        let card = try #require(VariedCard.all(for: test).first { $0.demand == .reading })
        let baseline = try baseline(record(output: "ok\n"))
        let warnings = { (output: String) in
            let reading = baseline.reading(of: try record(output: output), on: card, reference: ["balance": 17_000])
            return ControlCardFindings(alongside: baseline, reference: Self.reference, [(card, reading)]).warnings.map(
                \.text)
        }
        #expect(try warnings("ok\n") == ["prints nothing that is on the card"])
        #expect(try warnings("good\n").isEmpty)
    }

    @Test func `needs no further run after a failed run`() async throws {
        var count = 0
        var failing = try record()
        failing.client = ClientReport(end: .timeLimit)
        let records = await Baseline.records(of: try `The outcome of a run`.test()) {
            count += 1
            return failing
        }
        #expect(count == 1 && records.count == 1)
        let error = #expect(throws: BaselineError.self) { try Baseline(records, of: `The outcome of a run`.test()) }
        #expect(error?.code == .fails)
    }
}
