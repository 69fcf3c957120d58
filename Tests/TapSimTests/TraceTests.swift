import Foundation
import TapDocument
import TapField
import TapReport
import TapScenario
import Testing

@testable import TapSystem

/// Saved runs, and `tapsim trace`.
///
/// Some tests start `tapsim`: a run reports at its end what it could not remove, and other runs are in progress.
@Suite struct `Saved runs` {
    private static let failing = """
        format: 1
        scenario: taken-away
        cards: {suica: {template: suica, balance: 3120}}
        client: {builtin: transit-history}
        faults: [{when: {command: felica.read, nth: 2}, do: rf.lose_tag}]
        cases: [{name: taken, expect: {result: {/balance: 3120}}}, {name: unharmed, faults: []}]
        """

    private func folder() throws -> String {
        let file = try TapSimProgram.file("taken.yaml", Self.failing)
        return URL(fileURLWithPath: file).deletingLastPathComponent().path
    }

    private func runs(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/.tapsim/runs")
        return (names ?? []).sorted().map { "\(folder)/.tapsim/runs/\($0)" }
    }

    /// Creates folders like those of earlier runs.
    private func makeRuns(_ names: [String], in folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/.tapsim/runs", withIntermediateDirectories: true)
        let runs = try OpenFolder(at: "\(folder)/.tapsim/runs")
        for name in names {
            let path = try OwnFolder(named: name, in: runs, for: .run).path
            let made = try OpenFolder(at: path)
            made.removeFile(OwnFolder.markName)
            let status = try #require(made.status)
            try FolderMark(.run, status, ProcessIdentity(number: 1 << 22, start: 1)).write(into: made)
            try FileManager.default.createDirectory(atPath: "\(path)/old-1", withIntermediateDirectories: true)
        }
    }

    /// Returns the names in the folder of a run, except its mark.
    private func names(in run: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: run).sorted()
        #expect(names.first == OwnFolder.markName)
        return Array(names.dropFirst())
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a failed case saves trace, page, output, scenario and metadata, and prints their location`() throws {
        let folder = try folder()
        let outcome = try TapSim.run(["run", "taken.yaml"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let run = try #require(runs(in: folder).first)
        #expect(try names(in: run) == ["index.html", "taken-away-1", "taken-away-2"])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(run)/taken-away-1").sorted()
        #expect(
            files == [
                "client.err", "client.out", "meta.json", "resolved.json", "trace.html", "trace.jsonl", "trace.pcapng",
            ])
        #expect(outcome.output.contains("page       .tapsim/runs/"))
        #expect(try text("\(run)/taken-away-1/client.err").contains("does not answer"))
        #expect(try text("\(run)/taken-away-1/meta.json").contains("\"reproduce\": \"tapsim run taken.yaml --case 1"))
        // The saved scenario runs again with the same trace.
        let again = try TapSim.run(["run", "\(run)/taken-away-1/resolved.json"], in: folder)
        #expect(again.exitCode == 1, "\(again.output)\(again.error)")
        let newer = try #require(runs(in: folder).last)
        #expect(newer != run)
        let difference = try TapSim.run(["trace", "diff", run, newer], in: folder)
        #expect(difference.exitCode == 0, "\(difference.output)\(difference.error)")
    }

    @Test func `the mode always also saves passed cases, off saves nothing, other values are rejected`() throws {
        let folder = try folder()
        #expect(try TapSim.run(["run", "taken.yaml", "--trace", "off"], in: folder).exitCode == 1)
        #expect(runs(in: folder).isEmpty)
        #expect(try TapSim.run(["run", "taken.yaml", "--trace", "always"], in: folder).exitCode == 1)
        let run = try #require(runs(in: folder).first)
        #expect(try names(in: run) == ["index.html", "taken-away-1", "taken-away-2"])
        #expect(FileManager.default.fileExists(atPath: "\(run)/taken-away-2/trace.jsonl"))
        let refused = try TapSim.run(["run", "taken.yaml", "--trace", "never"], in: folder)
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("`--trace` cannot be `never`\nhelp: expected `on-failure`, `always` or `off`"))
    }

    @Test func `the plaintext of an encrypted session is shown after each packet`() throws {
        let folder = try folder()
        let scenario = "\(TapSimProgram.root)/Scenarios/felica/des-authentication.yaml"
        let outcome = try TapSim.run(["run", scenario, "--case", "1", "--trace", "always"], in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let kept = try #require(runs(in: folder).first) + "/felica-des-authentication-1"
        let trace = try text("\(kept)/trace.jsonl")
        var diagnostics = Diagnostics()
        let opened = trace.split(separator: "\n").compactMap { line in
            JSONReader().read(SourceFile(name: "line", text: String(line)), into: &diagnostics)
        }.filter { $0["kind"]?.text == "opened" }
        let first = [
            "IDi 2122232425262728 PMi 3132333435363738", "Write 0048 block 0", "written", "Read 0048 block 0",
            "1 block",
        ]
        #expect(opened.prefix(first.count).map { $0["is"]?.text } == first)
        let block = opened.dropFirst(4).first?["fields"]?.items.last
        #expect(block?["value"]?.text == String(repeating: "77", count: 16), "\(opened)")
        let shown = try TapSim.run(["trace", "show", kept], in: folder).output
        #expect(shown.contains("=    Read 0048 block 0"), "\(shown)")
        // It reads back the same except for the client's output.
        let exported = try TapSim.run(["trace", "export", kept, "--format", "jsonl", "-"], in: folder).output
        let events = trace.split(separator: "\n").filter { !$0.contains("\"kind\":\"client\"") }
        #expect(exported.split(separator: "\n").filter { !$0.contains("\"kind\":\"client\"") } == events)
    }

    @Test func `reader calls are described field by field`() throws {
        let folder = try folder()
        let scenario = "\(TapSimProgram.root)/Scenarios/readers/two-cards.yaml"
        let outcome = try TapSim.run(["run", scenario, "--trace", "always"], in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let list = try TapSim.run(["trace", "list", "--json"], in: folder).json
        let kept = try #require(list?[0]?["folder"]?.text)
        var diagnostics = Diagnostics()
        let calls = try text("\(folder)/\(kept)/trace.jsonl").split(separator: "\n").compactMap { line in
            JSONReader().read(SourceFile(name: "line", text: String(line)), into: &diagnostics)
        }.filter { $0["kind"]?.text == "call" && $0["hex"] != nil }
        let call = try #require(calls.first { $0["is"]?.text == "Direct Transmit: RFConfiguration command of a PN532" })
        #expect(call["fields"]?.items.map { $0["name"]?.text } == ["CLA", "INS", "P1", "P2", "Lc", "data"])
        #expect(call["answer_fields"]?.items.last?["note"]?.text == "done", "\(call)")
        // The trace reads back unchanged.
        let again = try TapSim.run(["trace", "diff", kept, "\(kept)/trace.jsonl"], in: folder)
        #expect(again.exitCode == 0)
    }

    @Test func `a capture supports names and notes of any length`() throws {
        // One character with a hundred thousand combining marks.
        let long = "a" + String(repeating: "\u{301}", count: 100_000)
        let lines = [
            #"{"v":1,"seq":0,"t":0,"kind":"card","card":"\#(long)","present":true,"reader":"\#(long)"}"#,
            #"{"v":1,"seq":1,"t":0,"kind":"frame","tech":"212F","hex":"06","bits":8,"reader":"\#(long)","src":"\#(long):1"}"#,
            #"{"v":1,"seq":2,"t":0,"kind":"note","text":"\#(long)"}"#,
            #"{"v":1,"seq":3,"t":0,"kind":"call","exchanges":[1,9000000000],"layer":"apdu","hex":"","outcome":"failed"}"#,
        ]
        let file = try TapSimProgram.file("trace.jsonl", lines.joined(separator: "\n"))
        let outcome = try TapSim.run(["trace", "export", file, "\(file).pcapng"])
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        let size = try FileManager.default.attributesOfItem(atPath: "\(file).pcapng")[.size] as? Int ?? 0
        #expect((100..<20_000).contains(size))
    }

    @Test func `the newest twenty runs are kept, and as many campaigns`() throws {
        let folder = try folder()
        try makeRuns((10..<40).map { "202601\($0)-000000" } + ["20260102-000000"], in: folder)
        let others = ["mine", "20260102-000000"].map { "\(folder)/.tapsim/runs/\($0)" }
        try FileManager.default.createDirectory(atPath: others[0], withIntermediateDirectories: true)
        try "{}".write(toFile: "\(others[1])/campaign.json", atomically: true, encoding: .utf8)
        _ = try TapSim.run(["run", "taken.yaml"], in: folder)
        let paths = runs(in: folder)
        #expect(paths.count == 22, "expected twenty runs, a folder that is not a run, and a campaign")
        #expect(others.allSatisfy(paths.contains))
        let names = paths.map { $0.split(separator: "/").last ?? "" }
        #expect(!names.contains("20260120-000000") && names.contains("20260121-000000"))
    }

    @Test func `an old run that is a link is kept, along with its target`() throws {
        let folder = try folder()
        try makeRuns((10..<40).map { "202601\($0)-000000" }, in: folder)
        let link = "\(folder)/.tapsim/runs/20260110-000000"
        try FileManager.default.moveItem(atPath: link, toPath: "\(folder)/precious")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../precious")
        _ = try TapSim.run(["run", "taken.yaml"], in: folder)
        #expect(runs(in: folder).count == 21 && runs(in: folder).contains(link))
        #expect(FileManager.default.fileExists(atPath: "\(folder)/precious/old-1"))
    }

    @Test func `an old run that cannot be removed is reported once, in one line`() throws {
        let folder = try folder()
        try makeRuns((10..<40).map { "202601\($0)-000000" }, in: folder)
        let deep = "\(folder)/.tapsim/runs/20260110-000000/" + String(repeating: "d/", count: 33)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let outcome = try TapSimProgram.run(["run", "taken.yaml"], in: folder)
        #expect(FileManager.default.fileExists(atPath: deep))
        let lines = outcome.error.split(separator: "\n").filter { $0.contains("20260110") }
        #expect(
            lines.count == 1 && lines[0].hasSuffix("is deeper than 32 folders; remove it by hand"), "\(outcome.error)")
        #expect(runs(in: folder).count == 21)
    }

    @Test func `a run in progress is kept, whatever else ends meanwhile`() throws {
        let folder = try folder()
        try makeRuns((10..<40).map { "209901\($0)-000000" }, in: folder)
        // The run of the second client removes the oldest run, which would be the first client's run.
        let long = """
            format: 1
            scenario: long
            cards: {suica: {template: suica}}
            cases:
              - {name: first, client: {run: [sh, -c, exit 3]}}
              - {name: second, client: {run: [\(TapSimProgram.path), run, taken.yaml]}}
            """
        try long.write(toFile: "\(folder)/long.yaml", atomically: true, encoding: .utf8)
        let outcome = try TapSim.run(["run", "long.yaml", "--trace", "always", "--allow-client"], in: folder)
        let kept = runs(in: folder).filter { FileManager.default.fileExists(atPath: "\($0)/long-1/trace.html") }
        #expect(kept.count == 1, "\(outcome.output)\(outcome.error)\(runs(in: folder))")
        #expect(runs(in: folder).count == 21)
    }

    @Test func `a folder that cannot be written does not fail the run`() throws {
        let folder = try folder()
        try Data().write(to: URL(fileURLWithPath: "\(folder)/.tapsim"))
        let outcome = try TapSim.run(["run", "taken.yaml", "--trace", "always", "--case", "2"], in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.error.contains("warning: the run is not kept: "))
    }

    @Test func `a link that came with a scenario is not followed`() throws {
        let folder = try folder()
        let old = (10..<40).map { "\(folder)/precious/202601\($0)-000000" }
        for path in old { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        try FileManager.default.createDirectory(atPath: "\(folder)/.tapsim", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/.tapsim/runs", withDestinationPath: "../precious")
        let outcome = try TapSim.run(["run", "taken.yaml"], in: folder)
        #expect(outcome.exitCode == 1)
        #expect(outcome.error.contains("warning: the run is not kept: .tapsim/runs is a symbolic link"))
        #expect(runs(in: folder).count == old.count)
    }

    @Test(arguments: [("edy", ["8BDC", "FE00"]), ("waon", ["852B", "FE00"]), ("felica-lite", ["88B4"])])
    func `show every system of a card with its own blocks, or without any`(card: String, systems: [String]) throws {
        let folder = try folder()
        _ = try TapSim.run(["run", "--card", card, "--trace", "always"], in: folder)
        let run = try #require(runs(in: folder).first)
        let name = try #require(names(in: run).first { $0 != "index.html" })
        let page = try text("\(run)/\(name)/trace.html")
        let shown = RunPage.content(of: SourceFile(name: "page", text: page))
        #expect(shown?["cards"]?[0]?["after"]?["systems"]?.items.map { $0["code"]?.text } == systems)
    }

    @Test func `can be shown, exported and compared`() throws {
        let folder = try folder()
        _ = try TapSim.run(["run", "taken.yaml", "--trace", "always"], in: folder)
        let run = try #require(runs(in: folder).first).split(separator: "/").last.map(String.init) ?? ""
        #expect(try String(contentsOfFile: "\(folder)/.tapsim/.gitignore", encoding: .utf8) == "*\n")
        let several = try TapSim.run(["trace", "show"], in: folder)
        #expect(several.exitCode == 2 && several.error.contains("contains several cases"))
        let shown = try TapSim.run(["trace", "show", ".tapsim/runs/\(run)/taken-away-1"], in: folder)
        #expect(shown.output.contains("Read 090F blocks 0..11"), "\(shown.output)\(shown.error)")
        #expect(shown.output.contains("/taken-away-1/trace.html"))
        let cases = [1, 2].map { ".tapsim/runs/\(run)/taken-away-\($0)" }
        let same = try TapSim.run(["trace", "diff", cases[0], cases[0]], in: folder)
        #expect(same.exitCode == 0 && same.output.contains("the same in both"))
        let differing = try TapSim.run(["trace", "diff"] + cases, in: folder)
        #expect(differing.exitCode == 1)
        #expect(differing.output.contains("the runs differ from exchange 4 on"), "\(differing.output)")
        #expect(differing.output.contains("< silence"))
        let both = try TapSim.run(["trace", "diff"] + cases + ["--page", "both.html"], in: folder)
        #expect(both.exitCode == 1)
        let shownSideBySide = RunPage.content(of: SourceFile(name: "both", text: try text("\(folder)/both.html")))
        #expect(shownSideBySide?["other"]?["case"]?["name"]?.text == "unharmed")
        for file in ["copy.html", "copy.jsonl"] {
            #expect(try TapSim.run(["trace", "export", cases[0], file], in: folder).exitCode == 0)
            #expect(FileManager.default.fileExists(atPath: "\(folder)/\(file)"))
        }
        let other = try TapSim.run(["trace", "export", cases[0], "copy.txt"], in: folder)
        #expect(other.exitCode == 2 && other.error.contains("must end in .html, .jsonl or .pcapng, or give `--format`"))
        let capture = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(cases[0])/trace.pcapng"))
        for words in [[cases[0]], ["--format", "pcapng", "\(cases[0])/trace.jsonl"]] {
            let words = ["trace", "export", "--force"] + words + ["copy.pcapng"]
            #expect(try TapSim.run(words, in: folder).exitCode == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/copy.pcapng")) == capture)
        }
        #expect(capture.contains(Data("fault rf.lose_tag".utf8)))
        let listed = try TapSim.run(["trace", "list"], in: folder)
        #expect(listed.output == cases.map { $0 + "\n" }.joined())
        try Data("<html>\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(cases[0])/trace.html"))
        let edited = try TapSim.run(["trace", "diff"] + cases + ["--page", "both.html"], in: folder)
        #expect(edited.exitCode == 2 && edited.error.contains("trace.html is not the page of a run"))
    }

    @Test(arguments: [
        (#"{"v":2,"t":0,"kind":"note","text":"x"}"#, "the trace has version 2, but this TapSim reads version 1"),
        (#"{"v":1,"t":0,"kind":"frame","tech":"212F","hex":"0G","bits":8}"#, "`hex` must be bytes in hexadecimal"),
        (#"{"v":1,"t":0,"kind":"frame","tech":"424B","hex":"00","bits":8}"#, "`tech` must be one of"),
        (#"{"v":1,"t":0,"kind":"fra"#, "the line is not a JSON object; the file may be truncated or edited"),
        (#"{"v":1,"t":-5,"kind":"field","on":true}"#, "`t` must be a number"),
        (#"[1]"#, "the line is not a JSON object"),
    ])
    func `an invalid line of a trace is reported`(line: String, complaint: String) throws {
        let good = #"{"v":1,"t":0,"kind":"field","on":true}"#
        let file = try TapSimProgram.file("trace.jsonl", "\(good)\n\n\(line)\n\(good)\n")
        let outcome = try TapSim.run(["trace", "show", file])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("\(file):3: \(complaint)"), "\(outcome.error)")
    }

    /// Reads a tag over PC/SC with two commands that the reader forwards or answers itself, and one that it refuses.
    private static let program = """
        import sys, time
        from smartcard.System import readers
        connection = readers()[0].createConnection()
        connection.connect()
        for command in ("FF CA 00 00 00", "FF B0 00 04 10", "FF A4 00 00 02 0F 09"):
            print(command, flush=True)
            data, *_ = connection.transmit(list(bytes.fromhex(command)))
        print("caf\u{E9}", file=sys.stderr)
        connection.disconnect()
        """

    @Test func `a trace contains the program's calls, their exchanges and the program's output`() throws {
        let program = try TapSimProgram.file("program.py", Self.program)
        let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
        let outcome = try TapSim.run(
            [
                "run", "-v", "--trace", "always", "--model", "acr122u", "--card", "NTAG215", "--",
                TapSimProgram.python, "program.py",
            ], environment: ["PYTHONUTF8": "1"], in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("=    SCardConnect   SCARD_S_SUCCESS"))
        #expect(outcome.output.contains("=    APDU FF B0 00 04 10   03 00 FE"))
        #expect(outcome.output.contains(">    APDU FF A4 00 00 02 0F 09"))
        let run = try #require(runs(in: folder).first) + "/NTAG215-1"
        let lines = try text("\(run)/trace.jsonl").split(separator: "\n")
        let calls = lines.filter { $0.contains(#""kind":"call""#) }
        for part in [
            #""after":5,"layer":"pcsc","function":"SCardConnect","result":"SCARD_S_SUCCESS""#,
            #""after":5,"layer":"apdu","hex":"FFCA000000","outcome":"answer","answer":"04"#,
            #""exchanges":[6,6],"layer":"apdu","hex":"FFB0000410","outcome":"answer","answer":"0300FE00"#,
            #""after":6,"layer":"apdu","hex":"FFA40000020F09","outcome":"answer","answer":"6A81","refused":true"#,
            #""after":6,"layer":"pcsc","function":"SCardDisconnect","result":"SCARD_S_SUCCESS""#,
        ] { #expect(calls.contains { $0.contains(part) }, "\(part)\n\(calls.joined(separator: "\n"))") }
        let written = lines.filter { $0.contains(#""kind":"client""#) }
        #expect(written.allSatisfy { $0.contains(#""measured":true"#) && $0.contains(#""after":"#) })
        #expect(written.contains { $0.contains(#""stream":"err","text":"café\n""#) }, "\(written)")
        // The trace reads back and writes the same lines, except for the output, which is not part of the field.
        let trace = try TraceReader.trace(SourceFile(name: "trace.jsonl", text: text("\(run)/trace.jsonl")))
        #expect(TraceLines(trace).text.split(separator: "\n") == lines.filter { !$0.contains(#""kind":"client""#) })
    }

    @Test func `the cards can be restored after any exchange, as a file or for raw frames`() throws {
        let folder = try folder()
        _ = try TapSim.run(["run", "taken.yaml", "--case", "1"], in: folder)
        let cards = try TapSim.run(["trace", "at", "4"], in: folder)
        #expect(cards.exitCode == 0, "\(cards.output)\(cards.error)")
        try Data(cards.output.utf8).write(to: URL(fileURLWithPath: "\(folder)/cards.yaml"))
        #expect(try TapSim.run(["run", "cards.yaml"], in: folder).output.contains("balance 3120 yen"))
        let away = try TapSim.run(["trace", "at", "4", "--shell"], input: "06 00 FF FF 00 00\n", in: folder)
        #expect(away.output == "-\n" && away.error.contains("suica after exchange 4: not on the reader"))
        let present = try TapSim.run(["trace", "at", "3", "--shell"], input: "060000030000\n", in: folder)
        #expect(present.output.hasPrefix("1201"), "\(present.output)\(present.error)")
        let none = try TapSim.run(["trace", "at", "4000"], in: folder)
        #expect(none.exitCode == 2 && none.error.contains("exchanges, not 4000"), "\(none.error)")
    }

    @Test func `a restored card keeps its authentication and written data`() throws {
        let scenario = """
            format: 1
            cards: {tag: {ic: NTAG215, ndef: [{text: secret}], config: {pwd: DEADBEEF, auth0: 4, prot: read_write}}}
            client: {builtin: {ndef: {password: DEADBEEF}}}
            """
        let file = try TapSimProgram.file("locked.yaml", scenario)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let run = try TapSim.run(["run", "locked.yaml", "--trace", "always"], in: folder)
        #expect(run.exitCode == 0, "\(run.output)\(run.error)")
        let shown = try TapSim.run(["trace", "show"], in: folder).output.split(separator: "\n")
        let line = try #require(shown.first { $0.contains("PWD_AUTH") })
        let number = try #require(line.split(separator: " ").first.flatMap { Int($0) })
        for (exchange, answer) in [(number - 1, "A:4"), (number, "03")] {
            let shell = try TapSim.run(["trace", "at", "\(exchange)", "--shell"], input: "3004\n", in: folder)
            #expect(
                answer == "A:4" ? shell.output.hasSuffix(":4\n") : shell.output.hasPrefix(answer), "\(shell.output)")
        }
    }

    @Test func `exchanges after omitted exchanges keep their numbers`() throws {
        let frame = { (sequence: Int) in
            #"{"v":1,"seq":\#(sequence),"t":0,"kind":"frame","tech":"106A","hex":"26","bits":7}"#
        }
        let gap = #"{"v":1,"t":0,"kind":"omission","exchanges":100,"calls":2}"#
        let lines = [frame(0), gap, frame(250)]
        let file = try TapSimProgram.file("trace.jsonl", lines.joined(separator: "\n") + "\n")
        let shown = try TapSim.run(["trace", "show", file])
        #expect(shown.output.contains("… exchanges 2 to 101 are not kept\n 102 "), "\(shown.output)\(shown.error)")
        let trace = try TraceReader.trace(SourceFile(name: "trace.jsonl", text: lines.joined(separator: "\n")))
        #expect(TraceLines(trace).map { $0["n"]?.text ?? "gap" } == ["1", "gap", "102"])
        for wrong in [[frame(0), gap, frame(1)], [frame(0), gap, gap], [gap, frame(9), gap, frame(20)]] {
            let file = try TapSimProgram.file("trace.jsonl", wrong.joined(separator: "\n") + "\n")
            #expect(try TapSim.run(["trace", "show", file]).exitCode == 2)
        }
    }

    /// Found by libFuzzer.
    @Test(arguments: [
        #"{"v":1,"t":0,"kind":"omission","exchanges":9223372036854775807,"calls":0}"#,
        #"{"v":1,"t":9007199254740993,"kind":"field","on":true}"#,
        #"{"v":1,"t":0,"kind":"call","exchanges":[1,9223372036854775807],"layer":"apdu","hex":"","outcome":"failed"}"#,
    ])
    func `impossible numbers are rejected`(line: String) throws {
        let frame = #"{"v":1,"seq":9,"t":0,"kind":"frame","tech":"106A","hex":"26","bits":7}"#
        let file = SourceFile(name: "trace.jsonl", text: "\(frame)\n\(line)\n\(frame)")
        #expect(throws: TraceReader.Problem.self) { try TraceReader.trace(file) }
    }

    /// Found by libFuzzer.
    @Test func `a call with too many exchanges is written so that it can be read again`() throws {
        let frame = #"{"v":1,"seq":0,"t":0,"kind":"frame","tech":"106A","hex":"26","bits":7}"#
        let call = #"{"v":1,"t":0,"kind":"call","exchanges":[1,9000],"layer":"apdu","hex":"","outcome":"failed"}"#
        for (lines, key) in [([call], "after"), ([frame, call], "exchanges")] {
            let trace = try TraceReader.trace(SourceFile(name: "trace.jsonl", text: lines.joined(separator: "\n")))
            let written = TraceLines(trace).text
            #expect(TraceLines(trace).map { $0[key] != nil }.last == true, "\(written)")
            let again = try TraceReader.trace(SourceFile(name: "again.jsonl", text: written))
            #expect(TraceLines(again).text == written)
        }
    }

    @Test func `unknown kinds are ignored`() throws {
        let file = try TapSimProgram.file(
            "trace.jsonl", #"{"v":1,"t":0,"kind":"weather","text":"rain"}"# + "\n")
        #expect(try TapSim.run(["trace", "show", file]).exitCode == 0)
    }

    @Test func `a campaign saves its grid, and a page for each finding`() throws {
        let folder = try folder()
        let campaign = ["fuzz", "taken.yaml", "--case", "2", "--only", "felica.zero_blocks", "--junit", "out.xml"]
        let github = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(folder)/summary.md"]
        let outcome = try TapSim.run(campaign, environment: github, in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let run = try #require(runs(in: folder).first)
        let names = try names(in: run)
        #expect(
            names == ["campaign.html", "campaign.json", "findings"]
                + (3...6).map { "taken-away-2-felica.zero_blocks@\($0)" })
        let page = try text("\(run)/campaign.html")
        for name in names.dropFirst(3) { #expect(page.contains(#""\#(name)/trace.html""#)) }
        #expect(outcome.output.contains("page       .tapsim/runs/"))
        #expect(try text("\(folder)/out.xml").contains("plausible content of felica.read"))
        #expect(outcome.output.contains("\n::error file=taken.yaml::taken-away: unharmed: felica.zero_blocks@3: wrong"))
        #expect(try text("\(folder)/summary.md").contains("| **1 cause** in 4 runs |"))
        // A saved run is a case that runs again with the same result.
        let kept = "\(run)/taken-away-2-felica.zero_blocks@4"
        #expect(try TapSim.run(["trace", "show", kept], in: folder).output.contains("felica.zero_blocks"))
        let several = try TapSim.run(["trace", "show"], in: folder)
        #expect(several.exitCode == 2 && several.error.contains("contains several cases"))
        let off = try TapSim.run(campaign.dropLast(2) + ["--trace", "off"], in: folder)
        #expect(off.exitCode == 1 && !off.output.contains("page "))
        #expect(runs(in: folder).count == 1)
    }
}

/// The reports of a run for CI systems.
@Suite struct `Results for CI systems` {
    private static let scenario = """
        format: 1
        scenario: kiosk
        cards: {tag: {template: ndef}}
        client: {run: [/bin/sh, -c, "printf 'out <1> \\\\033[31m ]]>'; exit 3"]}
        cases: [{name: "it's \\"a <b> & c\\""}, {name: second, skip: true}]
        """

    @Test func `JUnit XML contains every case, the failure and the client's output`() throws {
        let file = try TapSimProgram.file("ci.yaml", Self.scenario)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let outcome = try TapSim.run(
            ["run", "ci.yaml", "--junit", "out.xml", "--allow-client", "--trace", "off"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let text = try String(contentsOfFile: "\(folder)/out.xml", encoding: .utf8)
        #expect(text.contains(#"<testsuite name="kiosk" file="ci.yaml" tests="2" failures="1" skipped="1">"#))
        #expect(text.contains(#"<testcase name="it's &quot;a &lt;b&gt; &amp; c&quot;""#))
        #expect(text.contains("<skipped/>"))
        #expect(text.contains("<system-out>out &lt;1&gt; [31m ]]&gt;</system-out>"), "\(text)")
        // An XML parser accepts it.
        let script = "import sys, xml.etree.ElementTree as e; print(len(list(e.parse(sys.argv[1]).iter('testcase'))))"
        let parsed = try TapSimProgram.run(["-c", script, "\(folder)/out.xml"], program: TapSimProgram.python)
        #expect(parsed.output == "2\n", "\(parsed.error)")
    }

    @Test func `JUnit times are real time, with card time and an end by TapSim as properties`() throws {
        let file = try TapSimProgram.file(
            "stays.yaml",
            "format: 1\ncards: {tag: {template: ndef}}\nclient: {run: [/bin/sleep, 60], kill_after: 1s}\n")
        let report = "\(file).xml"
        let outcome = try TapSim.run(
            ["run", file, "--junit", report, "--allow-client", "--trace", "off"])
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let text = try String(contentsOfFile: report, encoding: .utf8)
        let seconds = try #require(text.firstMatch(of: /time="([0-9]+)/)?.1)
        #expect(try #require(Int(seconds)) >= 1, "\(text)")
        #expect(text.contains(#"<property name="card_time" value="0.000000"/>"#), "\(text)")
        #expect(text.contains(#"<property name="end" value="ended by TapSim, exit status unknown"/>"#), "\(text)")
    }

    @Test func `GitHub gets the line of the failed expectation and a table`() throws {
        let scenario = """
            format: 1
            cards: {tag: {template: ndef}}
            client: {builtin: dump}
            expect: {client: {exit: 7}}
            """
        let file = try TapSimProgram.file("ci.yaml", scenario)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let outcome = try TapSim.run(
            ["run", "ci.yaml", "--trace", "off"],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(folder)/summary.md"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("\n::error file=ci.yaml,line=4::"), "\(outcome.output)")
        let summary = try String(contentsOfFile: "\(folder)/summary.md", encoding: .utf8)
        #expect(summary.hasPrefix("| Case | Result | First failure |\n"))
        #expect(summary.contains("**failed**"))
    }
}
