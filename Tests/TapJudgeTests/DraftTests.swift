import ScenarioSupport
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire
import Testing

/// Scenarios drafted from runs: what they state about a program's output, and that they fail with another output.
@Suite struct `A draft of a scenario` {
    private static let cards: Node = ["tag": ["ic": "NTAG215", "uid": "04 A1 B2 C3 D4 E5 80"]]

    private func draft(visits: Int? = nil) -> ScenarioDraft {
        var draft = ScenarioDraft(
            name: "drafted", cards: Self.cards, reader: nil, client: .program(ProgramClient(["./client"])),
            seed: ScenarioLoader.defaultSeed)
        draft.visits = visits
        return draft
    }

    /// A run that finds the tag and, unless it reads only the UID, reads a page.
    private func record(
        _ output: String, error: String = "", uid: String = "04 A1 B2 C3 D4 E5 80", reads: Bool = true
    ) throws -> RunRecord {
        var draft = draft()
        draft = ScenarioDraft(
            name: "run", cards: ["tag": ["ic": "NTAG215", "uid": .text(uid)]], reader: nil, client: draft.client,
            seed: draft.seed)
        var world = try #require(draft.scenarioCase).makeWorld()
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        if reads {
            _ = world.exchange(RFFrame(.typeA106, ReadPages.Request(page: 4).bytes), waiting: .milliseconds(100))
        }
        let report = ClientReport(end: .exit(0), standardOutput: output, standardError: error)
        return RunRecord(world: world, client: report)
    }

    /// Returns whether a run passes a drafted scenario.
    private func passes(_ document: Node, _ record: RunRecord) throws -> Bool {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(
            from: document, file: "drafted", .init(files: nil, seed: ScenarioLoader.defaultSeed), into: &diagnostics)
        #expect(!diagnostics.hasErrors)
        return Judge.judge(try #require(scenario?.cases.first), record).isPassed
    }

    private func client(_ document: Node) -> Node? { document["expect"]?["client"] }

    @Test func `states the whole output, so that another balance fails`() throws {
        let output = "balance 3120\n\ntrip 1\n"
        let drafted = try draft().document(of: [record(output), record(output)], .full)
        #expect(client(drafted.document)?["stdout"]?.text == output)
        #expect(drafted.notes.isEmpty)
        #expect(try passes(drafted.document, record(output)))
        // Whole lines: a number that is a prefix or suffix of the right number also fails.
        for other in ["312", "13120", "31200"] {
            #expect(try !passes(drafted.document, record("balance \(other)\n\ntrip 1\n")), "\(other)")
        }
    }

    @Test(arguments: ["3120", "3120\n", "{\"a\": 1}\nbalance 3120\n"])
    func `states an output that is a single number, or text around JSON`(output: String) throws {
        let drafted = try draft().document(of: [record(output), record(output)], .full)
        #expect(try passes(drafted.document, record(output)))
        for other in ["13120", "31201"] {
            #expect(try !passes(drafted.document, record(output.replacing("3120", with: other))), "\(other)")
        }
    }

    @Test func `omits lines that vary, and notes this`() throws {
        let runs = try [record("at 12:01\nuid 04\npages 135\nend\n"), record("at 12:02\nuid 04\npages 135\nx\nend\n")]
        let drafted = draft().document(of: runs, .full)
        #expect(client(drafted.document)?["stdout"]?.items.map(\.text) == ["uid 04\npages 135\n", "end\n"])
        #expect(drafted.notes == [.linesDiffer(1, "at 12:01")])
        #expect(try !passes(drafted.document, record("at 12:03\nuid 04\npages 45\nend\n")))
    }

    @Test func `states the standard error of a client that prints nothing else`() throws {
        let runs = try [record("", error: "balance 3120\n"), record("", error: "balance 3120\n")]
        let drafted = draft().document(of: runs, .full)
        #expect(client(drafted.document)?["stderr"]?.text == "balance 3120\n")
        #expect(client(drafted.document)?["stdout"] == nil)
    }

    @Test func `warns if no part of the output is stable`() throws {
        let silent = try draft().document(of: [record(""), record("")], .full)
        #expect(silent.notes == [.printsNothing] && silent.notes.allSatisfy(\.isWarning))
        let changing = try draft().document(of: [record("1\n\n"), record("2\n\n")], .full)
        #expect(changing.notes == [.printsNothingStable] && changing.notes.allSatisfy(\.isWarning))
        #expect(client(changing.document) == nil)
    }

    @Test func `states the UID for a client that reads nothing else`() throws {
        let run = try record("ok\n", reads: false)
        let drafted = draft().document(of: [run, run], .full)
        #expect(drafted.notes == [.readsIdentityOnly])
        #expect(try passes(drafted.document, record("ok\n", reads: false)))
        #expect(try !passes(drafted.document, record("ok\n", uid: "04 A1 B2 C3 D4 E5 81", reads: false)))
    }

    @Test func `of a client that stays states each line once, and no counts`() throws {
        let runs = try [record("ready\nuid 04\nuid 04\n"), record("ready\nuid 04\nuid 04\nuid 04\n")]
        let drafted = draft(visits: 1).document(of: runs, .full)
        #expect(drafted.document["taps"]?.text == "1")
        #expect(client(drafted.document)?["stdout"]?.items.map(\.text) == ["ready\n", "uid 04\n"])
        #expect(drafted.document["expect"]?["counts"] == nil)
    }
}
