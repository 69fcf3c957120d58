import TapDocument
import TapField
import TapScenario
import TapWire
import TapYAML
import Testing

@testable import TapJudge

@Suite struct `The cause of findings` {
    @Test(arguments: [
        ("it sent 600 frames and did not end", "it sent # frames and did not end"),
        ("it wrote page 2B at 0x00ff, then C4F1", "it wrote page # at #, then #"),
        ("exit 0, and A is NTAG215", "exit #, and A is NTAG215"), ("", ""),
    ])
    func `is described by words without numbers`(text: String, sign: String) {
        #expect(Sign.general(text) == sign)
    }

    @Test(arguments: [
        ("ValueError: month must be in 1..12", "ValueError"), ("panic: index 5 of 4", "panic"),
        ("cannot read: block 5", "cannot read: block #"), ("signal 11", "signal #"),
        ("==12==ERROR: AddressSanitizer: stack-overflow on address 0x7f", "stack-overflow"),
        ("==12==ERROR: LeakSanitizer: detected memory leaks", "detected memory leaks"),
        (
            "a.c:7:3: runtime error: index 20 out of bounds for type 'int[16]'",
            "index # out of bounds for type 'int[#]'"
        ),
    ])
    func `is described by the name of an error`(error: String, kind: String) {
        #expect(Sign.kind(of: error) == kind)
    }

    @Test func `does not distinguish items`() {
        let three: Node = ["trips": [1, 2, 3]]
        let cases: [(clean: Node, got: Node, sign: String)] = [
            (three, ["trips": [1]], "`/trips` has too few items"),
            (three, ["trips": [1, 2, 3, 4]], "`/trips` has too many items"),
            (["trips": [["date": 1]]], ["trips": [["date": 2]]], "`/trips/*` is wrong"),
            (["trips": [["date": 1]]], ["trips": [[:]]], "`/trips/*` is missing"),
            ([:], ["balance": 1], "`/balance` is unexpected"), (1, 2, "the result is wrong"),
        ]
        for (clean, got, sign) in cases {
            #expect(ResultDifference.all(between: clean, and: got).map { $0.sign(ofLines: false) } == [sign])
        }
    }

    @Test(arguments: [
        ("balance: 3120", "balance: 12300", "the line `balance:` is wrong", "line 1 of its output"),
        ("残高 3120円", "残高 1円", "the line `残高` is wrong", "line 1 of its output"),
        ("3120", "12300", "a line is wrong", "line 1 of its output"),
        ("04 A2 yen", "04 A3 yen", "a line is wrong", "line 1 of its output"),
    ])
    func `names a line by its first word`(clean: String, got: String, sign: String, place: String) throws {
        let differences = ResultDifference.all(between: [.text(clean)], and: [.text(got)])
        #expect(differences.map { $0.sign(ofLines: true) } == [sign])
        #expect(try #require(differences.first).text(ofLines: true).hasPrefix("\(place) is "))
    }

    @Test func `counts missing lines`() {
        let lines: Node = ["a 1", "b 2", "c 3"]
        let fewer = ResultDifference.all(between: lines, and: ["a 1", "c 3"])
        #expect(fewer.map { $0.sign(ofLines: true) } == ["it prints too few lines"])
        #expect(fewer.map { $0.text(ofLines: true) } == ["it prints 2 of 3 lines, and line 2 is the first missing one"])
        let more = ResultDifference.all(between: ["a 1"], and: lines)
        #expect(more.map { $0.text(ofLines: true) } == ["it prints 3 lines, not 1"])
    }

    @Test func `is known by key, by pattern, or as an answer that passes every check`() {
        let plausible = "plausible content of felica.read"
        #expect(KnownCauses([plausible]).contains(plausible))
        #expect(!KnownCauses(["leak: context"]).contains(plausible))
        #expect(KnownCauses(["*content of felica.read"]).contains(plausible))
        #expect(KnownCauses.plausible.contains(plausible))
        #expect(!KnownCauses.plausible.contains("unchecked length of felica.read"))
        #expect(!KnownCauses.waiting.contains(plausible))
    }

    @Test func `is the same for a client that never ends, whichever limit stops it`() throws {
        let ends: [ClientReport.End] = [.timeLimit, .idleLimit(.seconds(2)), .exchangeLimit, .retryLimit(9)]
        for end in ends {
            let cause = try cause { script in
                for _ in 0..<70 { script.read(0..<1) }
                script.end(end)
            }
            #expect(cause == "hang: it did not end, after felica.read", "\(end)")
        }
    }

    @Test(arguments: 0..<3) func `is the same wherever a loop is interrupted`(cut: Int) throws {
        let cause = try cause { script in
            for _ in 0..<20 {
                script.read(0..<1)
                script.read(0..<1)
                script.poll()
            }
            for _ in 0..<cut { script.read(0..<1) }
            script.end(.timeLimit)
        }
        #expect(cause == "hang: it did not end, after felica.read")
    }

    @Test(arguments: ["pcsc.service_stopped", "pcsc.reader_unplugged"])
    func `is a missing card if no reader is left`(fault: String) throws {
        let test = try `The outcome of a run`.test()
        let plan = FaultPlan([.init(Fault(try #require(FaultCatalogue.named(fault))), when: .init(.call(.transmit)))])
        var script = OutcomeScript.clean(test.disturbed(by: plan))
        script.call(.transmit)
        script.end(.timeLimit)
        let baseline = try `The outcome of a run`.baseline(test, isWriter: false)
        #expect(baseline.finding(of: script.record).sign == "it was still looking for a card, and none came")
    }

    @Test func `is not an IDm that a fault put into the reader's serial data`() throws {
        let finding = try cause(under: "reader.bytes") { $0.read(0..<1, idm: IDm(0x0100_0000_0000_0000)) }
        #expect(finding == nil)
        #expect(try cause { $0.read(0..<1, idm: IDm(0x0100_0000_0000_0000)) } == "protocol misuse: IDm #")
    }

    @Test func `is one for all checks to which the client reacts as to failed exchanges, and to nothing else`() throws {
        let failed = "unchecked failed exchanges"
        let places = FaultLocation.all(of: try Self.places())
        let rows = [
            ("rf.silence@1", failed, "it prints 1 of 20 lines"), ("rf.silence@2", failed, "it prints 2 of 20 lines"),
            ("felica.status@2", "unchecked status flags of felica.read", "it prints 2 of 20 lines"),
            ("felica.length@1", "unchecked length of felica.read", "it prints 1 of 20 lines"),
            ("felica.length@2", "unchecked length of felica.read", "its output is 00"),
            ("rf.swap@2", "unchecked identity of the card", "it prints 2 of 20 lines"),
            ("felica.zero_blocks@2", "plausible content of felica.read", "it prints 2 of 20 lines"),
        ]
        let entries = try rows.map { name, cause, reason in
            VerdictGrid.Entry(
                try FuzzRun(named: name, among: places), .judged(OutcomeFinding(.silentLoss, at: 1, reason)),
                readBack: nil, others: [], cause: cause)
        }
        var guided = GuidedResult()
        guided.add(entries[2])
        var grid = VerdictGrid(places: places, entries: entries)
        grid.guided = guided
        let keys = [
            failed, "unchecked length of felica.read", "unchecked identity of the card",
            "plausible content of felica.read",
        ]
        #expect(grid.causes.map(\.key) == keys)
        #expect(grid.causes[0].shortest.run.name == rows[0].0)
        #expect(grid.causes[0].entries.map(\.run.name) == rows[..<3].map(\.0) + ["felica.status@2"])
        let merged = grid.withMergedCauses
        #expect(merged.entries.map(\.cause) == [failed, failed, failed] + rows[3...].map(\.1))
        #expect(merged.guided?.findings.map(\.cause) == [failed] && merged.causes.map(\.key) == keys)
        #expect(merged.causes[0].shortest.run.name == rows[0].0)
    }

    @Test func `is one for a wrong answer of the card and of the reader if the client reacts to both alike`() throws {
        let places = FaultLocation.all(of: try Self.places())
        let (length, reader) = ("unchecked length of felica.read", "unchecked answers of the reader")
        let grid = { (reactions: [(String, String, String)]) in
            VerdictGrid(
                places: places,
                entries: try reactions.map { name, cause, reason in
                    VerdictGrid.Entry(
                        try FuzzRun(named: name, among: places), .judged(OutcomeFinding(.wrongResult, at: 1, reason)),
                        readBack: nil, others: [], cause: cause)
                })
        }
        let card = [("felica.length@1", length, "a"), ("felica.length@2", length, "b")]
        let both = try grid([("reader.cut_data@2", reader, "b")] + card)
        #expect(both.causes.map(\.key) == [length])
        // A shard with only one of these runs reports its key.
        for grid in [both, both.withMergedCauses] { #expect(grid.causes[0].keys == [length, reader]) }
        #expect(try grid([("reader.cut_data@2", reader, "c")] + card).causes.map(\.key) == [reader, length])
        // A failed call is no answer of the card.
        let calls = card.map { ($0.0, "unchecked return codes of PC/SC", $0.2) }
        #expect(try grid([("reader.cut_data@2", reader, "b")] + calls).causes.count == 2)
    }

    @Test func `is that of a single fault that has the same effect without the other`() throws {
        let entry = { (name: String, outcome: Outcome, isPlaced: Bool, cause: String?) in
            let places = FaultLocation.all(of: try Self.places())
            let finding = OutcomeFinding(outcome, at: 1, "it did", sign: "it did", isPlaced: isPlaced)
            return VerdictGrid.Entry(
                try FuzzRun(named: name, among: places), .judged(finding), readBack: nil, others: [], cause: cause)
        }
        let both = try entry(
            "rf.silence@1+felica.status@2", .silentLoss, false, "unchecked failed exchanges")
        let parts: [(outcome: Outcome, isPlaced: Bool, isSame: Bool)] = [
            (.wrongResult, false, true), (.silentLoss, false, true), (.hang, false, false), (.correct, false, false),
        ]
        for part in parts {
            let cause = part.outcome.isOK ? nil : "the part"
            let explained = both.explained(by: try entry("felica.status@2", part.outcome, part.isPlaced, cause))
            #expect((explained?.cause == "the part") == part.isSame, "\(part)")
        }
        // A function in a stack trace, or a rule, is the same cause in any run.
        let crash = try entry("rf.silence@1+felica.status@2", .crash, true, "crash: it did")
        #expect(try crash.explained(by: entry("felica.status@2", .crash, true, "the part")) == nil)
    }

    private static func places() throws -> [Exchange] {
        try `The outcome of a run`.baseline(`The outcome of a run`.test(), isWriter: false).world.trace.exchanges
    }

    @Test(arguments: [
        ("felica.status", "unchecked status flags of felica.read"), ("rf.silence", "unchecked failed exchanges"),
        ("felica.block_count", "unchecked number of blocks of felica.read"),
        ("felica.length", "unchecked length of felica.read"), ("felica.idm", "unchecked IDm of felica.read"),
        ("felica.response_code", "unchecked response code of felica.read"),
    ])
    func `is the missing check, whatever its effect`(fault: String, key: String) throws {
        let test = try `The outcome of a run`.test()
        let run = try FuzzRun(named: "\(fault)@2", among: FaultLocation.all(of: Self.places()))
        let baseline = try `The outcome of a run`.baseline(test, isWriter: false)
        let ends: [ClientReport] = [
            ClientReport(end: .exit(0), result: ["trips": []]), ClientReport(end: .exit(0), result: ["trips": [1]]),
            ClientReport(end: .signal(11)),
        ]
        for end in ends {
            var script = OutcomeScript(test.disturbed(by: run.plan))
            script.poll()
            script.read(0..<12)
            script.client = end
            let entry = VerdictGrid.Entry(run, script.record, baseline.findings(of: script.record), against: baseline)
            #expect(entry.cause == key && entry.evidence != nil, "\(entry.cell)")
        }
    }

    @Test func `names the failed command if the client writes`() throws {
        let test = try `The outcome of a run`.test()
        let baseline = try `The outcome of a run`.baseline(test, isWriter: true)
        for fault in ["rf.silence", "ntag.nak"] {
            let kind = try #require(FaultCatalogue.named(fault))
            let place = try #require(
                FaultLocation.all(of: baseline.world.trace.exchanges).first { $0.operation == "ntag.write" })
            let run = FuzzRun(Fault(kind), at: place)
            var script = OutcomeScript.writer(test.disturbed(by: run.plan))
            script.client = ClientReport(end: .exit(0), result: ["trips": []])
            let finding = OutcomeFinding(.wrongResult, at: 1, "it did")
            let entry = VerdictGrid.Entry(run, finding, others: [], of: script.record, against: baseline)
            #expect(entry.cause == "unchecked failed exchanges of ntag.write")
        }
    }

    /// Only a client that reads back notices it.
    @Test func `is plausible if a tag confirms a write and stores nothing`() throws {
        let test = try `The outcome of a run`.test()
        let baseline = try `The outcome of a run`.baseline(test, isWriter: true)
        let kind = try #require(FaultCatalogue.named("ntag.acked_not_written"))
        let place = try #require(
            FaultLocation.all(of: baseline.world.trace.exchanges).last { $0.operation == "ntag.write" })
        let run = FuzzRun(Fault(kind), at: place)
        let script = OutcomeScript.writer(test.disturbed(by: run.plan))
        let entry = VerdictGrid.Entry(run, script.record, baseline.findings(of: script.record), against: baseline)
        #expect(entry.cause == "plausible effect of ntag.write", "\(entry.cell)")
    }

    @Test func `is that of the baseline runs if they have it too`() throws {
        let clean = "wrong result, without any fault: `/trips` has too few items"
        let cause = try cause(besides: [clean]) { $0.client = ClientReport(end: .exit(0), result: ["trips": []]) }
        #expect(cause == clean)
    }

    @Test(arguments: [(false, "plausible content of felica.polling"), (true, "unchecked status flags of felica.read")])
    func `is an answer that passes every check only if no error follows`(isRefused: Bool, key: String) throws {
        let cause = try cause(under: "felica.polling_system") { script in
            script.read(0..<12)
            script.read(12..<(isRefused ? 24 : 20))
            script.client = ClientReport(end: .exit(0), result: ["trips": []])
        }
        #expect(cause == key)
    }

    /// Over PC/SC, a UID of seven bytes and an IDm of eight arrive alike.
    @Test(arguments: [
        (true, 7, "plausible UID from the reader"), (false, 7, "unchecked answers of the reader"),
        (true, 6, "unchecked answers of the reader"),
    ])
    func `is a plausible answer if the reader cuts an IDm to the length of a UID that the client reads as well`(
        hasTag: Bool, length: Int, key: String
    ) throws {
        let idm = OutcomeScript.bytes("01 02 03 04 05 06 07 08")
        let test = try `The outcome of a run`.test()
        let script = { (test: ScenarioCase, length: Int) in
            var script = OutcomeScript(test)
            script.poll()
            script.tell(Array(idm.prefix(length)))
            if hasTag { script.tell(OutcomeScript.bytes("04 A1 B2 C3 D4 E5 80")) }
            if length < idm.count { script.client = ClientReport(end: .exit(0), result: ["trips": []]) }
            return script.record
        }
        let clean = script(test, idm.count)
        let baseline = try Baseline(Array(repeating: clean, count: Baseline.runCount), of: test)
        let run = try FuzzRun(
            named: "reader.cut_data@1", among: FaultLocation.all(of: baseline.world.trace.exchanges))
        let record = script(test.disturbed(by: run.plan), length)
        let entry = VerdictGrid.Entry(run, record, baseline.findings(of: record), against: baseline)
        #expect(entry.cause == key)
    }

    @Test(arguments: 0..<5) func `is the same at each step of a selection that a weak field never lets finish`(
        cut: Int
    ) throws {
        let cause = try cause(under: "rf.weak_field") { script in
            for _ in 0..<20 + cut { script.select() }
            script.end(.timeLimit)
        }
        #expect(cause == "hang: it was still looking for a card, and none came")
    }

    @Test(arguments: [(0, "selecting a tag"), (2, "ntag.read")])
    func `is one for all steps of a selection in an endless loop`(reads: Int, act: String) throws {
        let cause = try cause { script in
            for _ in 0..<20 {
                script.select()
                for _ in 0..<reads { script.ntag("30 04") }
            }
            script.end(.timeLimit)
        }
        #expect(cause == "hang: it did not end, after \(act)")
    }

    @Test(arguments: [
        (true, false, "", nil), (true, true, "", "stdout: \"bad answer\""),
        (true, false, "cannot read: 7\n", "exit: 0.., stderr: \"cannot read\""),
        (true, false, "card: lost\n", "exit: 0.., stderr: \"card: lost\""),
        (false, false, "cannot read: 7\n", nil),
    ])
    func `has a note about a line that may report the failure, for a client of several cards`(
        hasTwoCards: Bool, isOnOutput: Bool, error: String, keys: String?
    ) throws {
        let test = try `The outcome of a run`.test()
        let script = { (lines: [String], error: String) in
            var script = OutcomeScript(test)
            var marks: [OutputMark] = []
            var output = ""
            for (number, line) in lines.enumerated() {
                for card in ["pass", "tag"] { script.remove(card) }
                if number == 0 || hasTwoCards { script.tap("pass") }
                script.poll()
                script.read(0..<1)
                output += line.isEmpty ? "" : "\(line)\n"
                marks.append(
                    OutputMark(
                        .output, end: output.utf8.count, exchange: script.world.exchangeCount, time: .zero))
            }
            script.client = ClientReport(end: .exit(0), standardOutput: output, standardError: error)
            script.client.marks = marks
            return script.record
        }
        let clean = script(["card 3120", "card 2450"], "card 1: 3120\n")
        let baseline = try Baseline(Array(repeating: clean, count: Baseline.runCount), of: test)
        let finding = baseline.finding(of: script(["card 3120", isOnOutput ? "bad answer" : ""], error))
        #expect(!finding.outcome.isOK)
        #expect(finding.report?.note.contains("client: {clear_error: {\(keys ?? "")}}") == (keys == nil ? nil : true))
    }

    @Test(arguments: [
        (true, "unchecked identity of the card"), (false, "unchecked failed exchanges"),
    ])
    func `is the identity of the card only if the client reads from the card that a fault brings`(
        readsIt: Bool, key: String
    ) throws {
        let test = try `The outcome of a run`.test()
        let run = try FuzzRun(named: "rf.swap@2", among: FaultLocation.all(of: Self.places()))
        let baseline = try `The outcome of a run`.baseline(test, isWriter: false)
        var script = OutcomeScript(test.disturbed(by: run.plan))
        script.poll()
        script.read(0..<12)
        script.read(12..<20)
        if readsIt {
            let found = script.send(.felica212, Polling.Request(systemCode: .transit).bytes)
            guard case .frame(let answer, _) = found, let response = try? Polling.Response(parsing: answer.bytes) else {
                Issue.record("no other card: \(found)")
                return
            }
            script.read(12..<20, idm: response.idm)
        } else {
            // Another card of the case, which lies next to the first one.
            script.select()
            script.ntag("30 04")
        }
        script.client = ClientReport(end: .exit(0), result: ["trips": []])
        let record = script.record
        let entry = VerdictGrid.Entry(run, record, baseline.findings(of: record), against: baseline)
        #expect(entry.cause == key, "\(entry.cell)")
    }

    /// Returns the cause of a run under a fault at its first place.
    private func cause(
        under fault: String = "rf.silence", besides clean: Set<String> = [], _ change: (inout OutcomeScript) -> Void
    ) throws -> String? {
        let test = try `The outcome of a run`.test()
        var baseline = try `The outcome of a run`.baseline(test, isWriter: false)
        baseline.faultlessCauses = clean
        let kind = try #require(FaultCatalogue.named(fault))
        let run = try #require(SystematicPhase(of: baseline.world, [kind]).runs.first)
        var script = OutcomeScript.clean(test.disturbed(by: run.plan))
        change(&script)
        let record = script.record
        return VerdictGrid.Entry(run, record, baseline.findings(of: record), against: baseline).cause
    }

    @Test func `is the same for a misdeed anywhere on a card, and different for another rule`() {
        let writes = ["write page 20", "write page 44"].map { Misdeed(.safety, key: $0, at: 1, "it wrote") }
        #expect(Set(writes.map(\.sign)) == ["write page #"])
        #expect(Misdeed(.safety, .lockPages, key: "write page 2", at: 1, "it wrote").sign == "write page #, lock_pages")
    }

    @Test func `shows two long values from their first difference`() {
        let shared = String(repeating: "0123456789", count: 30)
        let difference = ResultDifference.changed(path: "/0", expected: .text(shared + "A"), got: .text(shared + "B"))
        #expect(difference.text(ofLines: false) == #"`/0` is …01234567890123456789B", not …01234567890123456789A""#)
    }
}
