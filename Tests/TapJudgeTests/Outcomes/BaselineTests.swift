import ScenarioSupport
import TapDocument
import TapField
@testable import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Baseline runs` {
    private static let program = "client: {run: [./reader]}"

    private func test(_ client: String = program) throws -> ScenarioCase {
        let loaded = LoadedScenario(OutcomeScript.source + "\n" + client)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        return try #require(loaded.first)
    }

    /// Creates a baseline from runs with given ends.
    private func baseline(_ test: ScenarioCase, _ ends: ClientReport...) throws -> Baseline {
        var script = OutcomeScript.clean(test)
        return try Baseline(
            ends.map { end in
                script.client = end
                return script.record
            }, of: test)
    }

    private func error(_ client: String = program, _ ends: ClientReport...) throws -> String {
        let test = try test(client)
        var script = OutcomeScript.clean(test)
        let records = ends.map { end in
            script.client = end
            return script.record
        }
        let error = #expect(throws: BaselineError.self) { try Baseline(records, of: test) }
        return error?.description ?? ""
    }

    @Test(arguments: [
        ("Mon Nov 30 09:02:11 2026\n", true), ("09:02:11: 3120 yen\n", true), ("04:A1:B2:C3:D4:E5:80\n", false),
        ("04:11:22:33:44:55:66\n", false), ("3120\n", false),
    ])
    func `know a client that prints the time`(output: String, printsTime: Bool) {
        #expect(ClientReport(end: .exit(0), standardOutput: output).printsTime == printsTime)
    }

    @Test func `warn only about writes that can lock a card permanently`() throws {
        let test = try test()
        var script = OutcomeScript.writer(test)
        let quiet = try Baseline([script.record, script.record, script.record], of: test)
        #expect(quiet.warnings.isEmpty && quiet.findings.isEmpty)
        script.write(2, "00 00 0F 00")
        let locking = try Baseline([script.record, script.record, script.record], of: test)
        let text = "without any fault it wrote to page 2 (static lock bytes), which the case does not ask for"
        #expect(locking.warnings.map(\.text) == [text])
        #expect(locking.findings.isEmpty)
    }

    @Test func `find a capability container with too large a size, without repeating it for other runs`() throws {
        let test = try test()
        var script = OutcomeScript.writer(test)
        let plain = script.record
        // The written bits are ORed with 3E.
        script.write(3, "E1 10 6D 00")
        let baseline = try Baseline([script.record, script.record, script.record], of: test)
        let reason = "it left tag with a capability container that promises 1016 bytes, though the tag has 504"
        #expect(baseline.findings.map(\.outcome) == [.safety] && baseline.findings[0].reason == reason)
        #expect(baseline.findings(of: plain).map(\.outcome) == [.correct])
        #expect(baseline.findings(of: script.record).map(\.outcome) == [.correct])
    }

    @Test func `find a password that the client prints`() throws {
        let test = try test()
        var script = OutcomeScript.writer(test)
        script.client.standardError = "PWD_AUTH DE AD BE EF\n"
        let baseline = try Baseline([script.record, script.record, script.record], of: test)
        #expect(baseline.findings.map(\.outcome) == [.safety])
    }

    private func result(_ node: Node) -> ClientReport { ClientReport(end: .exit(0), result: node) }
    private func lines(_ text: String) -> ClientReport { ClientReport(end: .exit(0), standardOutput: text) }

    @Test func `show the client's behavior without faults`() throws {
        let same = result(["balance": 1])
        let baseline = try baseline(test(), same, same, same)
        #expect(baseline.exit == 0 && baseline.exchangeCount == 3 && baseline.result == ["balance": 1])
        #expect(baseline.findings.isEmpty)
    }

    @Test func `that differ suggest what to ignore`() throws {
        let (first, second) = (result(["a": 1, "time": "12:01"]), result(["a": 1, "time": "12:02"]))
        #expect(
            try error(Self.program, first, first, second)
                == "a different result in baseline run 3 than in baseline run 1 with the same seed: `/time` is \"12:02\", not "
                + "\"12:01\". If it may differ, write `client: {result: {ignore: [\"/time\"]}}` in a scenario; "
                + "`tapsim init` creates one.")
        #expect(
            try error(Self.program, lines("a\nread at 12:01 today\n"), lines("a\nread at 12:02 today\n"), lines(""))
                .contains("write `client: {result: {ignore: [\"read at\"]}}` in a scenario"))
        #expect(
            try error(Self.program, lines("12:01 done\n"), lines("12:02 done\n"), lines(""))
                .contains("write `client: {result: {ignore: [\"done\"]}}` in a scenario"))
    }

    @Test func `that differ only in ignored parts are equal`() throws {
        let test = try test("client: {run: [./reader], result: {ignore: [/time]}}")
        let (first, second) = (result(["a": 1, "time": "12:01"]), result(["a": 1, "time": "12:02"]))
        let baseline = try baseline(test, first, second, first)
        #expect(baseline.result == ["a": 1])
        var script = OutcomeScript.clean(test)
        script.client = result(["a": 1, "time": "12:03"])
        #expect(baseline.finding(of: script.record).outcome == .correct)
    }

    @Test func `that fail are a separate error`() throws {
        let good = result(["a": 1])
        #expect(
            try error(Self.program, good, ClientReport(end: .signal(6)), good)
                == "a client that fails without any fault, in baseline run 2: crash at exchange 3: signal 6 (SIGABRT) ended "
                + "it. Fix that first; or, if this exit is expected, state its code under `expect.client.exit`.")
        #expect(
            try error(Self.program, ClientReport(end: .exit(3), standardError: "no"), good, good)
                .hasPrefix("a client that fails without any fault, in baseline run 1: clear error: exit 3: no."))
        #expect(try error(Self.program, good, good).hasPrefix("2 baseline runs. "))
        let exits = try error(
            "expect: {client: {exit: 0..1}}", good, ClientReport(end: .exit(1), result: ["a": 1]), good)
        #expect(exits.hasPrefix("exit 1 in baseline run 2 and exit 0 in baseline run 1 with the same seed."))
    }

    @Test func `may end with an error that the case states`() throws {
        let failed = ClientReport(end: .exit(1), standardError: "locked")
        let test = try test("expect: {client: {exit: 1..}}")
        let baseline = try baseline(test, failed, failed, failed)
        var script = OutcomeScript.clean(test)
        script.client = failed
        #expect(baseline.finding(of: script.record).outcome == .correct)
        script.client = result(["a": 1])
        #expect(
            baseline.finding(of: script.record).description
                == "wrong result at exchange 3: exit 0, though the baseline runs end with 1")
    }

    @Test func `excuse what the client also does without faults`() throws {
        let test = try test()
        var script = OutcomeScript.writer(test)
        script.write(2, "00 00 0F 00")
        script.service = ServiceUse()
        script.service?.contexts = 1
        let baseline = try Baseline([script.record, script.record, script.record], of: test)
        #expect(baseline.findings.map(\.outcome) == [.leak])
        #expect(baseline.finding(of: script.record).outcome == .correct)
        script.service?.contexts = 2
        #expect(baseline.finding(of: script.record).outcome == .leak)
    }

    @Test(arguments: [(0, []), (2, [Outcome.leak])])
    func `report connections to earlier cards that a resident client never released`(
        surplus: Int, outcomes: [Outcome]
    ) throws {
        let test = try test()
        var script = OutcomeScript.clean(test)
        script.client = ClientReport(end: .dismissed(exit: nil), result: ["a": 1])
        script.service = ServiceUse()
        script.service?.cards = surplus + 1
        script.service?.surplusCards = surplus
        let baseline = try Baseline([script.record, script.record, script.record], of: test)
        #expect(baseline.findings.map(\.outcome) == outcomes)
    }

    @Test func `recognize clear errors as stated in the case`() throws {
        let test = try test("client: {run: [./reader], clear_error: {exit: 3, stderr: [\"card * lost\"]}}")
        let good = result(["a": 1])
        let baseline = try baseline(test, good, good, good)
        let ends: [(Int32, String, Outcome)] = [
            (3, "the card was lost", .clearError), (3, "the reader was lost", .crash), (4, "the card was lost", .crash),
            (3, "Traceback (most recent call last):\nthe card was lost", .clearError),
        ]
        for (code, words, outcome) in ends {
            var script = OutcomeScript.clean(test)
            script.fail(code, words)
            #expect(baseline.finding(of: script.record).outcome == outcome, "\(code) \(words)")
        }
    }

    @Test func `allow the writes that a case expects`() throws {
        let test = try test("expect: {cards: {tag: {pages: {3: \"E1 10 3E 0F\"}}}}")
        let clean = OutcomeScript.clean(test).record
        let baseline = try Baseline([clean, clean, clean], of: test)
        var script = OutcomeScript.clean(test)
        script.select()
        script.write(3, "00 00 00 0F")
        #expect(baseline.finding(of: script.record).outcome == .correct)
        script.write(2, "00 00 00 0F")
        #expect(baseline.findings(of: script.record).map(\.outcome) == [.safety, .correct])
    }
}
