import ScenarioSupport
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `An expectation on the outcome` {
    private static let fault = "faults: [{when: {command: felica.read, nth: 2}, do: rf.unheard}]"

    private func test(_ more: String) throws -> ScenarioCase {
        let loaded = LoadedScenario(OutcomeScript.source + "\n" + more)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        return try #require(loaded.first)
    }

    /// Returns the failures of a run with a known or unknown outcome.
    private func failures(_ more: String, _ finding: OutcomeFinding?, end: ClientReport.End = .exit(0)) throws
        -> [String]
    {
        let test = try test(more)
        var script = OutcomeScript.clean(test)
        script.end(end)
        var record = script.record
        record.outcome = finding.map { .success($0) }
        return Judge.judge(test, record).failures.map(\.text)
    }

    private static let loss = OutcomeFinding(.silentLoss, at: 2, "`/trips` has 12 of 20 items")

    @Test func `is a right result or a clear error if a case has faults and states no exit code`() throws {
        let expected = "expected the result of the baseline runs or a clear error"
        #expect(try test(Self.fault).needsOutcome)
        #expect(try failures(Self.fault, OutcomeFinding(.clearError, "exit 1"), end: .exit(1)).isEmpty)
        #expect(
            try failures(Self.fault, Self.loss)
                == ["client   \(expected), got silent loss at exchange 2: `/trips` has 12 of 20 items"])
        // The outcome's message is not repeated.
        #expect(
            try failures(Self.fault, OutcomeFinding(.crash, "signal 11"), end: .signal(11))
                == ["client   \(expected), got crash: signal 11"])
        let stated = Self.fault + "\nexpect: {client: {exit: 0}}"
        #expect(try !test(stated).needsOutcome)
        #expect(try failures(stated, nil).isEmpty)
    }

    @Test func `also applies if the case states a time, which says nothing about the result`() throws {
        let text = "\(Self.fault)\nexpect: {client: {within: 5s}}"
        #expect(try test(text).needsOutcome)
        #expect(try failures(text, nil, end: .exit(1)).contains { $0.contains("exit 0") })
    }

    @Test(arguments: ["stdout: card error", "stderr: lost"])
    func `does not apply if the case states the client's output`(_ stated: String) throws {
        let text = "\(Self.fault)\nexpect: {client: {\(stated)}}"
        #expect(try !test(text).needsOutcome)
        #expect(try !failures(text, nil, end: .exit(1)).contains { $0.contains("exit 0") })
    }

    @Test(arguments: [
        ("verdict: silent loss", true), ("verdict: [crash, silent loss]", true), ("verdict: correct_or_error", false),
        ("verdict: clear error", false), ("verdict: [correct_or_error, silent loss]", true),
    ])
    func `follows the case`(_ stated: String, _ isMet: Bool) throws {
        let text = "expect: {client: {\(stated)}}"
        #expect(try test(text).needsOutcome)
        let failures = try failures(text, Self.loss)
        #expect(failures.isEmpty == isMet)
        #expect(isMet || failures[0].hasPrefix("expect.client.verdict   expected "))
    }

    @Test func `is not judged if the baseline runs fail`() throws {
        let test = try test("expect: {client: {verdict: correct}, counts: {felica.read: 9}}")
        var script = OutcomeScript.clean(test)
        script.end(.exit(1))
        var record = script.record
        let error = #expect(throws: BaselineError.self) { try Baseline([record, record, record], of: test) }
        record.outcome = error.map { .failure($0) }
        let failures = Judge.judge(test, record).failures
        #expect(
            failures.map(\.text) == [
                "client   expected three baseline runs with the same result, got a client that fails without any fault, in "
                    + "baseline run 1: clear error: exit 1"
            ])
        #expect(failures.first?.hint?.hasPrefix("Fix that first") == true)
    }

    @Test(arguments: [
        ("safety: default", 2, 1), ("safety: default", 20, 0), ("safety: usual", 2, 1), ("safety: strict", 20, 1),
        ("safety: off", 2, 0),
        ("safety: {allow: [lock_pages]}", 2, 0), ("safety: {allow: [lock_pages]}", 3, 1),
        ("safety: {forbid: [unasked_writes]}", 20, 1),
        ("safety: strict, cards: {tag: {pages: {20: \"01 02 03 04\"}}}", 20, 0), ("counts: {ntag.write: 1}", 2, 0),
    ])
    func `on safety also applies without baseline runs`(_ stated: String, _ page: Int, _ count: Int) throws {
        let test = try test("expect: {\(stated)}")
        #expect(!test.needsOutcome)
        var script = OutcomeScript.clean(test)
        script.select()
        script.write(page, "01 02 03 04")
        let failures = Judge.judge(test, script.record).failures
        #expect(failures.count == count, "\(failures.map(\.text))")
        #expect(failures.allSatisfy { $0.path == "expect.safety" && $0.nearest == script.world.exchangeCount })
    }

    @Test func `on safety is judged against baseline runs if something disturbs the client`() throws {
        let test = try test(Self.fault + "\nexpect: {client: {exit: 0}, safety: strict}")
        #expect(test.needsOutcome && test.expects(.crash) && !test.expects(.safety))
        let finding = OutcomeFinding(.safety, at: 3, "it wrote to page 2")
        #expect(
            try failures(Self.fault + "\nexpect: {client: {exit: 0}, safety: strict}", finding)
                == ["expect.safety   expected a client that follows these rules, got it wrote to page 2"])
    }

    @Test func `is judged against the case without disturbances`() throws {
        let swapped = try test(
            """
            timeline: [{tap: pass}, {when: felica.read, swap: {out: pass, in: pass, gap: 5ms}}, {tap: tag}]
            expect: {client: {verdict: correct_or_error}}
            """)
        #expect(swapped.undisturbed.timeline.remaining.count == 1)
        let faulty = try test(
            Self.fault + "\ntimeline: [{tap: pass}, {when: felica.read, remove: pass}, {tap: tag}]")
        #expect(faulty.undisturbed.plan.isEmpty && faulty.undisturbed.timeline.remaining.count == 3)
        #expect(faulty.runKey != faulty.undisturbed.runKey)
        let other = try test(
            "title: x\nexpect: {counts: {felica.read: 2}}\ntimeline: [{tap: pass}, {when: felica.read, remove: pass}, {tap: tag}]"
        )
        #expect(other.runKey == faulty.undisturbed.runKey)
    }

    @Test func `lists every fault that was never injected`() throws {
        let text = """
            faults:
              - {id: gone, when: {command: felica.read, nth: 5}, times: 2, do: rf.unheard}
              - {when: ntag.write, do: rf.unheard}
            expect: {client: {exit: 0}}
            """
        let test = try test(text)
        let failures = Judge.judge(test, OutcomeScript.clean(test).record).failures
        #expect(
            failures.map(\.text) == [
                "faults  gone   expected it to be injected 2 times, at felica.read number 5, got never, with felica.read seen "
                    + "2 times",
                "faults  rf.unheard   expected it to be injected, at ntag.write, got never, with ntag.write seen 0 times",
            ])
        #expect(failures[1].hint?.hasSuffix("The run had felica.polling 1 time, felica.read 2 times.") == true)
        #expect(failures[0].source?.line == test.plan.entries[0].source?.line)
        let reported = try self.test(text + "\nsettings: {unused_faults: report}")
        #expect(Judge.judge(reported, OutcomeScript.clean(reported).record).isPassed)
    }
}
