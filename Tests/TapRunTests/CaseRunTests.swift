import TapDocument
import TapField
import TapJudge
import TapReport
import TapScenario
import Testing

@testable import TapRun

/// Loads the only case of a JSON scenario.
private func scenarioCase(_ text: String) throws -> ScenarioCase {
    var diagnostics = Diagnostics()
    let file = SourceFile(name: "test.json", text: text)
    let node = try #require(JSONReader().read(file, into: &diagnostics))
    let scenario = ScenarioLoader.scenario(from: node, file: file.name, into: &diagnostics)
    return try #require(scenario?.cases.first, "\(diagnostics.sorted.map(\.message))")
}

@Suite struct `A run of a case` {
    @Test func `uses the built-in client that fits the card`() async throws {
        let test = try scenarioCase(#"{"format": 1, "cards": {"card": {"template": "suica"}}}"#)
        let record = try await CaseRun().run(test)
        #expect(record.client.end == .exit(0))
        #expect(record.transportsOpened.isEmpty)
        #expect(record.world.exchangeCount > 0)
        #expect(Judge.judge(test, record).isPassed)
    }

    @Test func `is reproducible exchange by exchange`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "ndef"}}, "faults": [{"when": "ntag.read", "do": "ntag.nak"}]}"#
        )
        let (one, other) = (try await CaseRun().run(test), try await CaseRun().run(test))
        #expect(one.world.trace.events == other.world.trace.events)
        #expect(one.client.standardOutput == other.client.standardOutput)
    }

    @Test func `reports the end of a program that opened no transport`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "suica"}}, "client": {"run": ["/bin/sh", "-c", "exit 3"]}}"#)
        let record = try await CaseRun().run(test)
        #expect(record.client.end == .exit(3))
        #expect(record.transportUsed == nil && !record.transportsOpened.isEmpty)
        #expect(!Judge.judge(test, record).isPassed)
    }

    @Test func `distinguishes a client that cannot start from a failure`() async throws {
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

    @Test func `reports each assumption of a card once`() async throws {
        var text = AssumptionText()
        for quirks in ["", #", "quirks": {"maxReadBlocks": 12}"#] {
            let test = try scenarioCase(
                #"{"format": 1, "cards": {"card": {"ic": "RC-S960", "systems": {"0003": {"services": {"090F": 20, "008B": 4}}}\#(quirks)}}}"#
            )
            let record = try await CaseRun().run(test)
            let result = CaseResult(test, record, Judge.judge(test, record), reproduceCommand: [])
            #expect(result.assumptions.isEmpty == !quirks.isEmpty)
            text.add(result)
            text.add(result)
        }
        let limit = "maxReadBlocks: 12   inferred from similar chips; can be 1 to 15"
        #expect(text.lines.count { $0.contains(limit) } == 1)
        #expect(text.lines.contains("  card, RC-S960"))
    }

    @Test func `judges a client under a fault against baseline runs`() async throws {
        let test = try scenarioCase(
            #"{"format": 1, "cards": {"card": {"template": "suica"}}, "faults": [{"when": "felica.read", "do": "rf.silence"}]}"#
        )
        var runs = OutcomeRun()
        let outcome = try await runs.run(test).outcome
        let finding = try #require(try outcome?.get())
        #expect(finding.outcome.isOK, "\(finding)")
    }
}
