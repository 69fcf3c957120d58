import ScenarioSupport
import TapDocument
import TapField
import TapJudge
import TapReaders
import TapScenario
import TapWire
import TapYAML
import Testing

/// Runs of programs that received nothing from their cards.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A program that reads nothing` {
    /// A run in which a program sent commands to its reader over PC/SC.
    private static func record(
        _ test: ScenarioCase, _ commands: [String], end: ClientReport.End = .exit(0), result: Node? = nil
    ) throws -> RunRecord {
        var world = test.makeWorld()
        var reader = test.readersOrDefault[0].spec.model.makeReader()
        _ = reader.look(in: &world)
        for command in commands { _ = reader.carry(try Hex.bytes(command), in: &world) }
        return RunRecord(
            world: world, client: ClientReport(end: end, result: result),
            transportsOpened: [.init(name: "pcsc", variable: "PCSCLITE_CSOCK_NAME")], transportUsed: "pcsc")
    }

    private static func load(_ rest: String = "", reader: String = "storage-card") throws -> ScenarioCase {
        let loaded = LoadedScenario(
            "format: 1\nreader: \(reader)\ncards: {pass: {template: suica}}\nclient: {run: [./x]}\n\(rest)\n")
        return try #require(loaded.first, "\(loaded.diagnostics.text())")
    }

    private static let select = "FFA40001020F09"

    /// Expectations that do not show whether a client has read its card.
    static let vague = [
        "", "expect: {client: {exit: 0, within: 5s}}", "expect: {client: {exit: 0..1}}", "expect: {safety: strict}",
    ]

    @Test(arguments: vague) func `fails if nothing specific is expected`(_ expect: String) throws {
        var test = try Self.load(expect)
        let record = try Self.record(test, [])
        let verdict = Judge.judge(test, record)
        #expect(
            verdict.failures.map(\.text) == [
                "client   expected an answer from a card, got none: the client read nothing"
            ])
        #expect(verdict.failures.first?.hint?.contains("no command for a card") == true)
        #expect(verdict.failures.first?.hint?.contains("`counts` or `never`") == true)
        test.allowsNoRead = true
        #expect(Judge.judge(test, record) == Verdict([]))
    }

    @Test func `fails however it ended, if the end is visible and not a failure already`() throws {
        let test = try Self.load()
        for end: ClientReport.End in [.dismissed(exit: nil), .killed(after: .seconds(1), exit: nil), .returned] {
            #expect(Judge.judge(test, try Self.record(test, [], end: end)).failures.count == 1, "\(end)")
        }
        #expect(Judge.judge(test, try Self.record(test, [], end: .elsewhere)) == Verdict([]))
    }

    @Test func `fails if it got only an ATR or a UID and all later commands were refused`() throws {
        let test = try Self.load()
        var record = try Self.record(test, [])
        record.service = ServiceUse()
        #expect(!Judge.judge(test, record).isPassed, "SCardConnect alone reveals nothing about a card")
        record.service?.hasGivenATR = true
        #expect(Judge.judge(test, record) == Verdict([]))
        let refused = try Self.record(test, ["FFCA000000", Self.select, Self.select])
        let failure = try #require(Judge.judge(test, refused).failures.first)
        #expect(failure.hint?.hasPrefix("FF A4 is Sony's") == true)
        let unknown = try Self.record(test, ["FFCA000000", "00A4040000", "00A4040000"])
        let hint = Judge.judge(test, unknown).failures.first?.hint ?? ""
        let cause = "All of its 2 commands were refused or not answered; `tapsim run -v` shows them. "
        #expect(hint.hasPrefix(cause), "\(hint)")
    }

    @Test func `is not blamed for an error that its case lets it report`() throws {
        let test = try Self.load("expect: {client: {verdict: correct_or_error}}")
        var record = try Self.record(test, [], end: .exit(1))
        record.outcome = .success(OutcomeFinding(.clearError, "exit 1"))
        #expect(Judge.judge(test, record) == Verdict([]))
        record = try Self.record(test, [])
        record.outcome = .success(OutcomeFinding(.correct, "the result of the baseline runs"))
        #expect(!Judge.judge(test, record).isPassed)
    }

    @Test func `gives no baseline, because it shows nothing under faults`() throws {
        let test = try Self.load()
        let records = try (0..<Baseline.runCount).map { _ in try Self.record(test, [Self.select]) }
        #expect(throws: BaselineError.self) { try Baseline(records, of: test) }
        let counting = try Self.load("expect: {counts: {felica.read: 0}}")
        let counted = try (0..<Baseline.runCount).map { _ in try Self.record(counting, [Self.select]) }
        #expect(throws: Never.self) { try Baseline(counted, of: counting) }
    }

    @Test func `fails if the file expects a result, even if it prints that result`() throws {
        let test = try Self.load("expect: {result: {/balance: 0}}")
        let verdict = Judge.judge(test, try Self.record(test, [Self.select], result: ["balance": 0]))
        let text = "client   expected a client that reads its result from a card, got a client that read nothing"
        #expect(verdict.failures.map(\.text) == [text])
        #expect(verdict.failures.first?.hint == "FF A4 is Sony's: try `--model rc-s380`")
        #expect(verdict.failures.first?.source == test.expectations.items.first?.source)
        #expect(verdict.warnings.isEmpty)
    }

    @Test func `does not include one that got an answer or has other expectations`() throws {
        let read = try Self.load()
        #expect(Judge.judge(read, try Self.record(read, ["FFCA000000"])) == Verdict([]))
        let blocks = "FFB00000" + "06" + "010F09" + "01" + "8000" + "00"
        #expect(Judge.judge(read, try Self.record(read, [blocks])) == Verdict([]), "an answer over the air")
        for expect in [
            "client: {exit: 3}", "never: [felica.write]", "cards: {pass: unchanged}", "counts: {felica.read: 0}",
        ] {
            let test = try Self.load("expect: {\(expect)}")
            let end = ClientReport.End.exit(expect.contains("3") ? 3 : 0)
            #expect(Judge.judge(test, try Self.record(test, [], end: end)) == Verdict([]), "\(expect)")
        }
        let away = try Self.load("timeline: []")
        #expect(Judge.judge(away, try Self.record(away, [])) == Verdict([]), "there was no card to read")
    }

    private static let visit = "FFCA000000"

    @Test(arguments: [
        ("[{tap: pass}, {remove: pass}, {at: 5s, tap: pass}]", "at 5s"),
        ("[{tap: pass}, {remove: pass}, {after: 2s, note: x}, {tap: pass}]", "after the previous step"),
        ("[{tap: pass}, {after: 5s, swap: {out: pass, in: pass}}]", "5s after the previous step"),
        (
            "[{tap: pass}, {when: {event: client.line, line: next}, remove: pass}, {tap: pass}]",
            "after the previous step"
        ),
        (
            "[{tap: pass}, {when: {event: client.line, line: next}, swap: {out: pass, in: pass}}]",
            "after a line of the client that contains \"next\""
        ),
        ("[{tap: pass}, {when: felica.write, swap: {out: pass, in: pass}}]", "after felica.write"),
        ("[{at: 5s, tap: pass}]", "at 5s"),
    ])
    func `fails if it ends before a card of its timeline arrives`(_ timeline: String, _ moment: String) throws {
        let test = try Self.load("timeline: \(timeline)")
        var record = try Self.record(test, [Self.visit])
        let got = "a client that ended before the card `pass` was tapped (\(moment))"
        #expect(Judge.judge(test, record).failures.map(\.got) == [got])
        _ = record.world.endTimeline()
        #expect(Judge.judge(test, record).failures.map(\.got) == [got])
        for end: ClientReport.End in [.dismissed(exit: nil), .killed(after: .seconds(1), exit: nil)] {
            record.client = ClientReport(end: end)
            #expect(Judge.judge(test, record).failures.map(\.got) == [got])
        }
        record.client = ClientReport(end: .elsewhere)
        #expect(Judge.judge(test, record).isPassed)
        let clean = try (0..<Baseline.runCount).map { _ in try Self.record(test, [Self.visit]) }
        let error = #expect(throws: BaselineError.self) { try Baseline(clean, of: test) }
        #expect(error?.found.hasPrefix(got) == true)
    }

    @Test func `may end before a card arrives if its case states this or has faults`() throws {
        let timeline = "timeline: [{tap: pass}, {remove: pass}, {at: 5s, tap: pass}]\n"
        for (more, exit, passes) in [
            ("expect: {never: [{command: felica.write, card: pass}]}", 0, true),
            ("expect: {never: [felica.write]}", 0, false), ("expect: {counts: {felica.write: 0}}", 0, false),
            ("expect: {client: {exit: 3}}", 3, true), ("expect: {client: {exit: 0..3}}", 3, false),
            ("faults: [{when: felica.read, do: rf.silence}]", 0, true),
        ] {
            let test = try Self.load(timeline + more)
            let record = try Self.record(test, [Self.visit], end: .exit(Int32(exit)))
            let failures = Judge.judge(test, record).failures
            #expect(
                failures.contains { $0.got.hasPrefix("a client that ended before") } != passes, "\(more): \(failures)")
        }
        let met = try Self.load("timeline: [{tap: pass}]")
        #expect(Judge.judge(met, try Self.record(met, [Self.visit])).isPassed)
    }

    @Test func `fails if a process that it left behind still used the reader`() throws {
        let test = try Self.load()
        var record = try Self.record(test, [Self.visit])
        record.client.hasLeftReaderInUse = true
        let got =
            "a client that ended while a process it had started was still using the reader; "
            + "TapSim ended that process"
        #expect(Judge.judge(test, record).failures.map(\.got) == [got])
        let error = #expect(throws: BaselineError.self) { try Baseline([record, record, record], of: test) }
        #expect(error?.found.hasPrefix(got) == true)
    }

    @Test func `that still waits at vpcd gets a hint about the missing option`() throws {
        let test = try Self.load()
        var record = try Self.record(test, [Self.visit], end: .timeLimit)
        #expect(Judge.judge(test, record).failures.first?.hint?.contains("vpcd") == false)
        record.transportUsed = "vpcd"
        #expect(Judge.judge(test, record).failures.first?.hint?.contains("add `--taps 1`") == true)
    }

    @Test func `that fails on its own gets a hint about the model that supports its commands`() throws {
        let test = try Self.load()
        let verdict = Judge.judge(test, try Self.record(test, [Self.select], end: .exit(1)))
        #expect(verdict.failures.count == 1)
        #expect(verdict.warnings == [Warning("FF A4 is Sony's: try `--model rc-s380`")])
    }

    /// A reader, commands that it refuses, and the hint.
    static let advice = [
        ("storage-card", ["FF00000002D402"], "FF 00 is ACS's: try `--model acr122u`"),
        ("acr122u", ["FFA40001020F09"], "FF A4 is Sony's: try `--model rc-s380`"),
        ("rc-s380", ["FF50000002810000"], "FF 50 is Sony's: try `--model rc-s300`"),
        ("acr122u", ["FFC20000028100"], "FF C2 is PC/SC part 3's: try `--model storage-card`"),
        // Each command fits a different model: the first counts.
        ("storage-card", ["FFA40001020F09", "FF00480000"], "FF A4 is Sony's: try `--model rc-s380`"),
        // The first command fits two models, both together fit one.
        ("storage-card", ["FFA40001020F09", "FF50000002810000"], "FF A4 is Sony's: try `--model rc-s300`"),
        // No reader supports the command.
        ("storage-card", ["00A4040000", "FF990000"], nil),
        // The model has the command but refused it for another reason.
        ("rc-s380", ["FFB0000000"], nil),
    ]

    @Test(arguments: advice) func `gets hints from the models themselves`(
        reader: String, commands: [String], advice: String?
    ) throws {
        let test = try Self.load(reader: reader)
        let hint = Judge.judge(test, try Self.record(test, commands)).failures.first?.hint ?? ""
        #expect(hint.contains(advice ?? "refused or not answered"), "\(hint)")
    }
}
