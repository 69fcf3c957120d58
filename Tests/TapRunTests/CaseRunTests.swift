import TapDocument
import TapField
import TapJudge
import TapReport
import TapScenario
import Testing

@testable import TapRun

/// The one case of a scenario in JSON.
private func scenarioCase(_ text: String) throws -> ScenarioCase {
    var diagnostics = Diagnostics()
    let file = SourceFile(name: "test.json", text: text)
    let node = try #require(JSONReader().read(file, into: &diagnostics))
    let scenario = ScenarioLoader.scenario(from: node, file: file.name, into: &diagnostics)
    return try #require(scenario?.cases.first, "\(diagnostics.sorted.map(\.message))")
}

@Suite struct `A run of a case` {
    @Test func `lets the built-in client that suits the card read it`() async throws {
        let test = try scenarioCase(#"{"format": 1, "cards": {"card": {"template": "suica"}}}"#)
        let record = try await CaseRun().run(test)
        #expect(record.client.end == .exit(0))
        #expect(record.transportsOpened.isEmpty)
        #expect(record.world.exchangeCount > 0)
        #expect(Judge.judge(test, record).isPassed)
    }

    @Test func `comes to the same again, exchange for exchange`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "ndef"}}, "faults": [{"when": "ntag.read", "do": "ntag.nak"}]}"#
        )
        let (one, other) = (try await CaseRun().run(test), try await CaseRun().run(test))
        #expect(one.world.trace.events == other.world.trace.events)
        #expect(one.client.standardOutput == other.client.standardOutput)
    }

    @Test func `tells how a program ended that opened no transport`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "suica"}}, "client": {"run": ["/bin/sh", "-c", "exit 3"]}}"#)
        let record = try await CaseRun().run(test)
        #expect(record.client.end == .exit(3))
        #expect(record.transportUsed == nil && !record.transportsOpened.isEmpty)
        #expect(!Judge.judge(test, record).isPassed)
    }

    @Test func `tells a client that cannot be started from a failure`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "suica"}}, "client": {"run": ["/nonexistent/client"]}}"#)
        do {
            _ = try await CaseRun().run(test)
            Issue.record("it was started")
        } catch {
            #expect(error.code == .client)
            #expect(error.description.contains("/nonexistent/client"))
        }
    }

    @Test func `tells once what cards assumed, by card and quirk`() async throws {
        var text = AssumptionText()
        for quirks in ["", #", "quirks": {"maxReadBlocks": 12}"#] {
            let test = try scenarioCase(
                #"{"format": 1, "cards": {"card": {"ic": "RC-S960", "systems": {"0003": {"services": {"090F": 20, "008B": 4}}}\#(quirks)}}}"#
            )
            let record = try await CaseRun().run(test)
            let result = CaseResult(test, record, Judge.judge(test, record), again: [])
            #expect(result.assumptions.isEmpty == !quirks.isEmpty)
            text.add(result)
            text.add(result)
        }
        let limit = "maxReadBlocks: 12   inferred from similar chips; can be 1 to 15"
        #expect(text.lines.count { $0.contains(limit) } == 1)
        #expect(text.lines.contains("  card, RC-S960"))
    }

    @Test func `says what became of a client under a fault, beside baseline runs`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "suica"}}, "faults": [{"when": "felica.read", "do": "rf.silence"}]}"#
        )
        var runs = OutcomeRun()
        let outcome = try await runs.run(test).outcome
        let finding = try #require(try outcome?.get())
        #expect(finding.outcome.isOK, "\(finding)")
    }
}
