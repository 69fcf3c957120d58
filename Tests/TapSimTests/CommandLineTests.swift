import Foundation
import TapSystem
import TapDocument
import TapScenario
import TapWire
import Testing

/// The command as a user sees it, with valid and invalid input.
///
/// Some tests start `tapsim`: memory is limited for a process, and /proc is hidden from one.
@Suite struct `The command` {
    /// Indicates whether a command can run without /proc, which needs root and usually no container.
    private static var canHideProc: Bool {
        let outcome = try? TapSimProgram.run(["-m", "mount", "-t", "tmpfs", "none", "/proc"], program: "unshare")
        return outcome?.exitCode == 0
    }

    @Test func `prints a screenful of failures, and identical failures of several cases once`() throws {
        let faults = (1...20).map { "{when: {command: ntag.write, nth: \($0)}, do: rf.silence}" }.joined(
            separator: ", ")
        let file = try TapSimProgram.file(
            "many.yaml",
            "format: 1\ncards: {tag: {ic: NTAG213}}\nfaults: [\(faults)]\ncases: [{name: a}, {name: b}, {name: c}]\n")
        let output = try TapSim.run(["run", file, "--trace", "off"]).output
        #expect(output.split(separator: "\n").count { $0.contains("expected it to be injected") } == 8, "\(output)")
        #expect(output.contains("… and 12 more failures"))
        #expect(output.contains("FAIL  b   fails like a\n") && output.contains("FAIL  c   fails like a\n"))
        #expect(output.split(separator: "\n").count { $0.contains("reproduce  tapsim run") } == 3)
    }

    @Test(.enabled(if: canHideProc, "needs the right to mount"))
    func `explains why it cannot read its arguments`() throws {
        let script = "mount -t tmpfs none /proc && exec \"$0\" list cards"
        let outcome = try TapSimProgram.run(["-m", "sh", "-c", script, TapSimProgram.path], program: "unshare")
        #expect(outcome.exitCode == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("Linux keeps them in /proc, which is not mounted"), "\(outcome.error)")
    }

    @Test func `checks the memory size of a file's cards before creating them`() throws {
        let card = "{ic: RC-S915, systems: {'0003': {services: {'000B': 65000}}}}"
        let cards = (0..<900).map { "  c\($0): \(card)\n" }.joined()
        let file = try TapSimProgram.file("large.yaml", "format: 1\ncards:\n\(cards)")
        let outcome = try TapSimProgram.run(
            ["-c", "ulimit -v 700000 && exec \"$0\" check \"$1\"", TapSimProgram.path, file], program: "/bin/sh")
        #expect(outcome.exitCode == 2, "\(outcome.end)")
        #expect(outcome.error.contains("the cards of the file need more than 64 MiB"), "\(outcome.error)")
    }

    @Test(arguments: [
        ([], 2, "usage: tapsim VERB"), (["rum"], 2, "did you mean `run`?"), (["run"], 2, "name a scenario file"),
        (["run", "--nonsense"], 2, "there is no option `--nonsense`"), (["run", "no/such.yaml"], 2, "no/such.yaml"),
        (["run", "Sources"], 2, "no scenario file below"),
        (["run", "--card", "suica", "--seed", "x"], 2, "whole number"),
        (["run", "--card", "suicca"], 2, "suica"), (["run", "--card", "suica", "--case", "7"], 2, "no case `7`"),
        (["run", "--card", "suica:balanse=1"], 2, "balance"), (["run", "--card", "suica", "--"], 2, "name a client"),
        (["explain", "nonsense-word"], 2, "nonsense-word"), (["decode", "30041"], 2, "whole bytes"),
        (["decode"], 2, "frame"),
        (
            ["run", "--card", "suica", "python3", "x.py"], 2,
            "`python3` is not a scenario file; a client comes after `--`: --card suica -- python3 x.py"
        ),
        (
            ["fuzz", "Scenarios/cards/suica.yaml", "python3", "x.py"], 2,
            "a client comes after `--`: Scenarios/cards/suica.yaml -- python3 x.py"
        ), (["run", "--card", "suica", "a.yaml"], 2, "name files or cards, not both"),
        (["audit", "swift", "test"], 2, "a client comes after `--`: -- swift test"),
        (["doctor", "nfc-list"], 2, "tapsim doctor -- nfc-list"),
        (["init", "--from-run", "--card", "suica", "python3", "x.py"], 2, "a client comes after `--`"),
        (
            ["run", "--card", "suica", "--model", "acr1252u"], 2,
            "`storage-card`, `acr122u`, `rc-s380`, `rc-s300`, `rc-s330` or `scl3711`"
        ),
        (["run", "--card", "suica:trips"], 2, "--card suica:trips: `trips` is not a key"),
        (["run", "Scenarios/felica", "--tag", "rail"], 2, "no case has the tag `rail`; tags are"),
        (["run", "no/such.yaml"], 2, "there is no file no/such.yaml\nhelp: paths are relative"),
        (["check", "a.yaml", "--case", "1"], 2, "`--case` needs `--resolved`"),
        (["decode", "30", "--", "true"], 2, "`decode` takes no client"),
        (["explain", "felica.readd"], 2, "help: did you mean `felica.read`? `tapsim explain` lists the names"),
        (["check"], 2, "name the files"), (["exchange"], 2, "card file"),
        (["exchange", "Scenarios/cards/suica.yaml", "--parent", "1"], 2, "needs `--listen`"),
        (["list", "nonsense"], 2, "cards"),
        (["run", "--card", "suica", "--model", "acr12u"], 2, "did you mean `acr122u`?"),
        (["run", "--card", "suica", "--transport", "vpcd:x", "--", "true"], 2, "a port from 1 to 65535 after vpcd"),
        (["run", "--card", "suica", "--transport", "pcsc"], 2, "the built-in client uses no transport"),
        (["run", "--card", "suica", "--reader", ""], 2, "`tapsim list readers` lists the names"),
        (["run", "--card", "suica", "--reader", "x", "--model", "acr122u"], 2, "has its own model and transport"),
        (["list", "readers"], 3, "SCARD_E_NO_SERVICE"),
        (["run", "--card", "suica", "--param", "a=1"], 2, "`--param` is for files"),
        (["run", "a.yaml", "--param", "a"], 2, "write --param NAME=VALUE"),
        (["run", "a.yaml", "--param", "a=1", "--param", "a=2"], 2, "`--param` sets `a` twice"),
        (["check", "Scenarios/ntag215", "--param", "pasword=1"], 2, "no scenario has a parameter `pasword`"),
    ])
    func `rejects invalid arguments with a reason`(arguments: [String], code: Int32, sentence: String) throws {
        let outcome = try TapSim.run(arguments)
        #expect(outcome.exitCode == code)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
        #expect(outcome.output.isEmpty)
    }

    @Test func `reports that pcscd is not running before it starts a pcscd client`() throws {
        let outcome = try TapSim.run(["run", "--card", "suica", "--transport", "vpcd:1", "--", "echo", "started"])
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("driver vpcd waits for a card at port 1; start pcscd"), "\(outcome.error)")
        #expect(!outcome.output.contains("\nstarted"))
    }

    @Test func `reports a missing real reader before it starts a program`() throws {
        let outcome = try TapSim.run(["run", "--card", "ndef", "--reader", "none", "--", "echo", "started"])
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("SCARD_E_NO_SERVICE"), "\(outcome.error)")
        #expect(!outcome.output.contains("\nstarted"))
    }

    @Test(arguments: ["run", "init", "check", "fmt", "list", "explain", "decode", "exchange", "serve", "ctl", "doctor"])
    func `explains every verb`(verb: String) throws {
        let outcome = try TapSim.run([verb, "--help"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("usage: tapsim \(verb)"))
        #expect(outcome.output == (try TapSim.run(["help", verb]).output))
    }

    @Test func `writes no colour codes into a pipe`() throws {
        let outcome = try TapSim.run(["run", "--card", "suica"])
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test(arguments: [
        ["decode", "0600FFFF0100"], ["run", "--card", "suica", "-v"], ["explain", "FF A2"],
        ["check", "no"],
        ["trace", "show", "no"], ["fuzz", "--only", "rf.silence", "--card", "ndef"],
        ["ctl", "--control", "no", "status"],
    ])
    func `uses colour as requested, regardless of the environment`(words: [String]) throws {
        let isColoured = { (colour: String, environment: [String: String]) in
            let outcome = try TapSim.run(words + ["--color", colour], environment: environment)
            return (outcome.output + outcome.error).contains("\u{1B}[")
        }
        #expect(try isColoured("always", ["NO_COLOR": "1", "TERM": "dumb"]))
        #expect(try !isColoured("auto", [:]))
        #expect(try !isColoured("never", [:]))
        #expect(try TapSim.run(words + ["--color", "loud"]).error.contains("`auto`, `always` or `never`"))
    }

    @Test(arguments: [
        (["run", "no.yaml", "--json"], "usage", 2), (["run", "--json", "--nope"], "usage", 2),
        (["nonsense", "--json"], "usage", 2), (["decode", "--json", "GG"], "usage", 2),
        (["list", "nothing", "--json"], "usage", 2), (["explain", "--json", "zzzz"], "usage", 2),
        (["doctor", "--json", "x"], "usage", 2), (["serve", "--json"], "usage", 2),
        (["fuzz", "--json", "no.yaml"], "usage", 2), (["trace", "show", "--json", "no"], "usage", 2),
        (["check", "--json"], "usage", 2), (["ctl", "--json", "--control", "no", "status"], "environment", 3),
    ])
    func `reports errors as JSON too`(words: [String], kind: String, code: Int32) throws {
        let outcome = try TapSim.run(words)
        #expect(outcome.exitCode == code)
        let error = try #require(outcome.json?["error"], "\(outcome.output)")
        #expect(error["kind"]?.text == kind && error["exit_code"]?.text == "\(code)")
        let message = try #require(error["message"]?.text)
        let shown = outcome.error.replacingOccurrences(of: "\nhelp: ", with: "; ")
        #expect(!message.isEmpty && shown == "error: \(message)\n", "\(outcome.error)")
        let silent = try TapSim.run(words.filter { $0 != "--json" })
        #expect(silent.exitCode == code && silent.output.isEmpty)
    }

    @Test func `reports errors in a file and aborted runs as JSON`() throws {
        let wrong = try TapSim.run(["run", "Scenarios/negative/unknown-key.yaml", "--json"])
        let diagnostics = try #require(wrong.json?["error"]?["diagnostics"]?.items)
        #expect(diagnostics.map { $0["code"]?.text } == ["S012", "S012"] && diagnostics[0]["line"]?.text == "4")
        let missing = try TapSim.run(["check", "no.yaml", "Scenarios/cards/suica.yaml", "--json"])
        #expect(missing.exitCode == 2)
        #expect(missing.json?[0]?["code"]?.text == "S070" && missing.json?[0]?["file"]?.text == "no.yaml")
        let scenario = """
            format: 1
            cards: {tag: {template: ndef, persist: gone/tag.json}}
            cases: [{name: one}]
            """
        let file = try TapSimProgram.file("kept.yaml", scenario)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        let good = try TapSimProgram.file("good.yaml", "format: 1\ncards: {tag: {template: ndef}}\n")
        // With its own temporary directory it does not find runs that other tests have killed.
        let broken = try TapSim.run(
            ["run", good, "kept.yaml", "--json", "--trace", "off"], environment: ["TMPDIR": folder.path],
            in: folder.path)
        #expect(broken.exitCode == 2)
        #expect(broken.json?["scenarios"]?.items.count == 1, "\(broken.output)")
        #expect(broken.json?["error"]?["kind"]?.text == "usage")
        #expect(broken.json?["error"]?["message"]?.text.map { "error: \($0)\n" } == broken.error)
    }

    @Test(arguments: ["{when: {phone: connected}, do: rf.silence}", "{when: {exchange: 1}, do: phone.connection_lost}"])
    func `warns about parts of a file with a client that only an app test can run`(fault: String) throws {
        let file = try TapSimProgram.file(
            "app.yaml", "format: 1\ncards: {tag: {template: ndef}}\nclient: {builtin: dump}\nfaults: [\(fault)]\n")
        let checked = try TapSim.run(["check", file])
        #expect(checked.exitCode == 0 && checked.error.contains("warning[S064]"), "\(checked.error)")
        #expect(checked.error.contains("it needs an app that reads with Core NFC"), "\(checked.error)")
        #expect(try TapSim.run(["run", file]).exitCode == 2)
    }

    @Test func `gives the same JSON for the same scenario and seed`() throws {
        let runs = try (0..<2).map { _ in
            try TapSim.run(["run", "Scenarios/felica/suica-history.yaml", "--json", "--seed", "9"]).output
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0].contains("\"seed\": 9"))
    }

    @Test func `answers frames line by line`() throws {
        let input = "# NTAG215\n@select\n60\n3004\n26:7\n30\nzz\n@off\n"
        let outcome = try TapSim.run(["exchange", "Scenarios/cards/ntag215.yaml"], input: input)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines.first == "00")
        #expect(lines.dropFirst().first == "0004040201001103")
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("line 7"))
    }

    @Test func `checks every readable file, regardless of the others`() throws {
        let outcome = try TapSim.run(["check", "no/such.yaml", "Scenarios/negative/bad-hex.yaml"])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("there is no file no/such.yaml"))
        #expect(outcome.error.contains("bad-hex.yaml:7"))
        #expect(outcome.output == "3 errors\n")
    }

    @Test func `counts a single error`() throws {
        let file = try TapSimProgram.file("wrong.yaml", "format: 1\ncards: {tag: {template: nothing}}\n")
        let outcome = try TapSim.run(["check", file])
        #expect(outcome.exitCode == 2 && outcome.output == "1 error\n", "\(outcome.output)\(outcome.error)")
    }

    @Test func `lists the names it explains, as text and as JSON`() throws {
        let text = try TapSim.run(["explain"])
        #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.output.contains("SD2 dual interface"))
        #expect(text.output.contains("Delete Key"))
        let topics = try #require(TapSim.run(["explain", "--json"]).json?.items)
        #expect(topics.contains { $0["title"]?.text == "ICs" })
    }

    @Test(arguments: [
        ("RC-S962", "statusLocation", "ordinal assumed, can be ordinal, bitmap or flag  (unknown: "),
        ("RC-S962", "cutBlockList", "answer assumed, can be answer or silence  (unknown: "),
        ("RC-S966", "liteRegViolation", "A8 assumed, can be A8 or merge  (unknown: "),
        ("NTAG215", "authLimitRaised", "unlocks assumed, can be unlocks or staysLocked  (unknown: "),
    ])
    func `lists an IC's switches with unknown values`(_ ic: String, _ name: String, _ text: String) throws {
        let page = try #require(TapSim.run(["explain", "--json", ic]).json?[0])
        let lines = page["lines"]?.items.filter { $0["heading"]?.text == name } ?? []
        #expect(lines.count == 1 && lines.first?["text"]?.text?.hasPrefix(text) == true, "\(lines)")
    }

    @Test(
        arguments: ["storage-card", "acr122u", "rc-s380", "rc-s300", "rc-s330", "scl3711"].map {
            ($0, "\($0), a reader model")
        }
            + CardLanguage.templates.map { ($0.name, "\($0.name), a card template") }
            + [
                ("ACR122U", "acr122u, a reader model"), ("RCS380", "rc-s380, a reader model"),
                ("Suica", "suica, a card template"),
                ("FF CA", "Get Data, command APDU FF CA"),
                ("6A82", "the file or application is not found, status word 6A82"),
                (
                    "0x80100069",
                    "SCARD_W_REMOVED_CARD, PC/SC return code, 0x80100069, -2146434967 as a signed number"
                ),
            ])
    func `explains the most likely meaning of a name first`(_ name: String, _ title: String) throws {
        #expect(try TapSim.run(["explain", name]).output.hasPrefix("\(title)\n"))
    }

    @Test(arguments: [
        ("acr1252u", "`acr122u`"), ("Get Dta", "`Get Data`"),
        ("siuca", "`suica`"), ("rc-s620", "`rc-s330`"),
    ])
    func `suggests names similar to an unknown one`(_ name: String, _ near: String) throws {
        let outcome = try TapSim.run(["explain", name])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("did you mean \(near)"), "\(outcome.error)")
    }

    @Test func `lists the possible meanings of ambiguous bytes`() throws {
        let record = try TapSim.run(["decode", "160100022D4712340102B80B00012300"])
        #expect(record.output.hasPrefix("These bytes are ambiguous. They could be:\n\nhistory record"))
        #expect(record.output.contains("\nor (--all):\n  READ answer: "))
        let apdu = try TapSim.run(["decode", "FFCA000000", "--json"]).json?[0]
        #expect(apdu?["technology"]?.text == "PC/SC")
        #expect(apdu?["is_certain"]?.text == "true")
    }

    @Test func `decodes the likeliest reading of a frame, and every reading on request`() throws {
        let likeliest = try TapSim.run(["decode", "3004"]).output
        #expect(likeliest.contains("(--all)"), "\(likeliest)")
        let all = try TapSim.run(["decode", "3004", "--all"]).output
        #expect(!all.contains("(--all)") && all.count > likeliest.count, "\(all)")
    }

    @Test func `decodes an answer with the help of its command, with the fields of a trace`() throws {
        let answer = "1D0701010101010101010000014A030000000000000000000000000207"
        let command = ["--to", "10060101010101010101011713018000"]
        let alone = try TapSim.run(["decode", answer])
        #expect(
            alone.output.contains("\n\nUse --to COMMAND to decode the contents of the blocks as well."),
            "\(alone.output)")
        let text = try TapSim.run(["decode", answer] + command)
        #expect(text.output.contains("1317 block 0") && text.output.contains("842 yen"), "\(text.output)")
        let field = try TapSim.run(["decode", answer, "--json"] + command).json?[0]?["fields"]?.items.last
        #expect(field?["at"]?.text == "13" && field?["size"]?.text == "16")
        #expect(field?["parts"]?[0]?["name"]?.text == "purse value" && field?["parts"]?[0]?["value"]?.text == "842 yen")
        let refused = try TapSim.run(["decode", answer, "--to", answer])
        #expect(refused.exitCode == 2 && refused.error.contains("is not a command that TapSim knows"))
    }

    /// Characters that control a terminal, change the text direction or break a line; `forged` is a fake output line.
    private static let hostile = "\u{1B}[2J\u{9B}1m\u{7F}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\r\u{7}"
    @Test(arguments: ["run", "fuzz", "audit"]) func `does not pass if every case is skipped`(verb: String) throws {
        let file = try TapSimProgram.file(
            "skipped.yaml", "format: 1\ncards: {tag: {template: ndef}}\ncases: [{name: a, skip: true}]\n")
        let reason = "nothing was run: every case is skipped"
        let client = ["--", "true"]
        let outcome = try TapSim.run([verb, file, "--junit", "\(file).xml"] + client)
        #expect(outcome.exitCode == 3 && outcome.error.contains(reason), "\(outcome)")
        let report = try String(contentsOfFile: "\(file).xml", encoding: .utf8)
        #expect(report.contains("tests=\"1\" failures=\"0\" skipped=\"1\""), "\(report)")
        let document = try #require(try TapSim.run([verb, file, "--json"] + client).json)
        #expect(document["error"]?["exit_code"]?.text == "3")
        #expect(document["error"]?["message"]?.text?.hasPrefix(reason) == true)
        if verb == "run" { #expect(try TapSim.run([verb, file, "--case", "a"]).exitCode == 0) }
    }

    private static let forged = "\n9 passed, 0 failed"

    @Test(arguments: [
        ["run", "names.yaml"], ["run", "-v", "names.yaml"], ["run", "--json", "names.yaml"], ["check", "names.yaml"],
        ["check", "--resolved", "names.yaml"], ["check", "--resolved", "--json", "names.yaml"],
        ["list", "cases", "names.yaml"], ["fuzz", "--only", "rf.silence", "names.yaml"], ["check", "wrong.yaml"],
        ["check", "--json", "wrong.yaml"], ["run", "own.yaml"], ["run", "--json", "own.yaml"],
        ["run", "#.yaml"], ["check", "#.yaml"], ["#"], ["run", "--#"], ["run", "--card", "#"],
        ["run", "--card", "ndef:ndef.0.uri=#"], ["run", "--card", "ndef", "--", "./#"],
        ["run", "--case", "#", "own.yaml"],
        ["run", "--param", "#=1", "own.yaml"], ["explain", "#"], ["decode", "#"], ["list", "#"],
        ["init", "--name", "#"],
        ["init", "#", "--ci", "none"], ["ctl", "--control", "#", "status"], ["exchange", "own.yaml"],
        ["doctor", "./#"],
    ])
    func `prints no terminal control characters from names, arguments, cards or clients`(words: [String]) throws {
        let text = (Self.hostile + Self.forged).unicodeScalars
        let name = "\"\(text.map { "\\u" + Hex.digits($0.value, width: 4) }.joined())\""
        let files = [
            "names.yaml": """
            scenario: \(name)
            title: \(name)
            tags: [\(name)]
            cards: {tag: {template: ndef, ndef: [{uri: \(name)}, {text: \(name)}]}}
            expect: {result: {/records/0/uri: \(name)}}
            cases: [{name: \(name)}, {name: skipped, skip: \(name)}]
            """,
            "wrong.yaml": "cards: {\(name): {template: \(name)}}\n\(name): 1",
            "own.yaml": "cards: {tag: {template: ndef}}\nclient: {run: [./client, \(name)], env: {A: \(name)}}",
            "\(Self.hostile).yaml": "cards: {tag: {template: ndef}}", "client": "",
        ]
        let folder = URL(fileURLWithPath: try TapSimProgram.file("x", "")).deletingLastPathComponent().path
        for (file, text) in files {
            try Data("format: 1\n\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
        }
        let client = "#!/bin/sh\nprintf '%s\\n' \"$1\"; printf '\\355\\240\\200\\377%s\\n' \"$1\" >&2; exit 3\n"
        try Data(client.utf8).write(to: URL(fileURLWithPath: "\(folder)/client"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/client")
        let outcome = try TapSim.run(
            words.map { $0.replacing("#", with: Self.hostile) }, input: "@\(Self.hostile)\n", in: folder)
        let output = outcome.standardOutput + outcome.standardError
        #expect(!output.isEmpty)
        let shown = try #require(String(validating: output, as: UTF8.self))
        let harmful = shown.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && PrintableText.isHarmful($0) }
        #expect(harmful.isEmpty, "\(shown.debugDescription)")
        #expect(!shown.contains(Self.forged))
    }

    @Test func `marks characters that it does not print`() throws {
        let outcome = try TapSim.run(["run", "--card", "ndef:ndef.0.text=a\u{1B}[2J\u{202E}b"])
        #expect(outcome.output.contains("a\u{FFFD}[2J\u{FFFD}b"))
        let found = try TapSim.run(["run", "--json", "--card", "ndef:ndef.0.text=a\u{1B}[2J\u{202E}b"])
        #expect(found.output.contains(#""text": "a\u001B[2J\u202Eb""#))
        let scenario = try #require(found.json?["scenarios"]?.items.first)
        let result = scenario["cases"]?.items.first?["client"]?["result"] ?? scenario["cases"]?.items.first?["result"]
        #expect(result?["records"]?.items.first?["text"]?.text == "a\u{1B}[2J\u{202E}b")
    }

    @Test func `names a count after the counted items`() throws {
        let outcome = try TapSim.run(["decode", "0D 0D 0101010101010101 01 0003"])
        #expect(outcome.output.contains("number of systems  1\n"))
    }

    @Test func `accepts the listed name for a scenario without cases`() throws {
        #expect(try TapSim.run(["run", "--card", "blank", "--case", "blank"]).exitCode == 0)
    }
}
