import Foundation
import Testing

/// Command lines that people write at first, with the error and the advice that they get.
@Suite struct `A mistaken command line` {
    private static let models = "`storage-card`, `acr122u`, `rc-s380`, `rc-s300`, `rc-s330` or `scl3711`"
    private static let suica = ["run", "--card", "suica"]

    @Test(arguments: [
        (["run", "suica"], "there is no file `suica`", "did you mean `tapsim run --card suica`?"),
        (
            ["run", "suica:balance=5"], "there is no file `suica:balance=5`",
            "did you mean `tapsim run --card suica:balance=5`?"
        ),
        (["run", "スイカ"], "there is no file `スイカ`", "did you mean `tapsim run --card suica`?"),
        (["fuzz", "suica", "--", "true"], "there is no file `suica`", "did you mean `tapsim fuzz --card suica`?"),
        (["run", "--cards", "suica"], "there is no option `--cards`", "did you mean `--card`?"),
        (["run", "-card", "suica"], "there is no option `-card`", "did you mean `--card`?"),
        (["run", "--colour", "never"], "there is no option `--colour`", "did you mean `--color`?"),
        (
            ["serve", "--listen", "tcp:0"], "there is no option `--listen`",
            "`--listen` is an option of `tapsim exchange`"
        ),
        (["run", "--xyzzy"], "there is no option `--xyzzy`", "see `tapsim run --help`"),
        (
            ["run", "——card", "suica"], "there is no option `——card`",
            "`—` is a typographic dash; did you mean `--card`?"
        ),
        (
            ["run", "ーーcard", "suica"], "there is no option `ーーcard`",
            "`ー` is not a letter from a to z; did you mean `--card`?"
        ),
        (["--verson"], "there is no option `--verson`", "did you mean `tapsim --version`?"),
        (["--cards", "suica"], "there is no option `--cards`", "did you mean `tapsim run --card suica`?"),
        (["-card", "suica"], "there is no option `-card`", "did you mean `tapsim run --card suica`?"),
        (["——card", "suica"], "there is no option `——card`", "did you mean `tapsim run --card suica`?"),
        (["--cards=suica"], "there is no option `--cards=suica`", "did you mean `tapsim run --card=suica`?"),
        (["--seed", "3", "run"], "there is no option `--seed`", "options follow a verb: tapsim run --seed"),
        (["--xyzzy"], "there is no option `--xyzzy`", "options follow a verb: tapsim run --xyzzy"),
        (["version"], "there is no verb `version`", "did you mean `tapsim --version`?"),
        (["suica"], "there is no verb `suica`", "did you mean `tapsim run --card suica`?"),
        (
            ["rum"], "there is no verb `rum`",
            "did you mean `run`? expected `run`, `fuzz`, `audit`, `coverage`, `trace`, `record`, `card`, `init`, `serve`, "
                + "`ctl`, `check`, …"
        ),
    ])
    func `names the option, the verb or the card that is meant`(
        _ words: [String], _ error: String, _ help: String
    ) throws {
        try expect(words, error, help)
    }

    @Test(arguments: [
        ("スイカ", "`スイカ` is neither a template nor an IC", "did you mean `suica`?"),
        ("siuca", "`siuca` is neither a template nor an IC", "did you mean `suica`?"),
        (
            "felica", "`felica` is neither a template nor an IC",
            "name a FeliCa card, such as `suica`, `edy` or `felica-lite`, or an IC, such as `RC-S962`"
        ),
        (
            "mifare", "`mifare` is neither a template nor an IC",
            "TapSim simulates FeliCa and NTAG21x, not MIFARE; for an NFC tag, use `ndef`"
        ),
        ("suica:balance=3,120", "`balance=3,120` has a thousands separator", "write `balance=3120`"),
        ("suica:balance=3120、trips=20", "`、` does not separate keys", "write `balance=3120,trips=20`"),
        ("“suica”", "`“suica”` is neither a template nor an IC", "remove the typographic quotes: `suica`"),
    ])
    func `names the card that is meant`(_ card: String, _ error: String, _ help: String) throws {
        try expect(["run", "--card", card], "--card \(card): \(error)", help)
    }

    @Test(arguments: [
        ("suica:trip=2", "unknown key `trip`", "^^^^ did you mean `trips`? a card has ic, template,"),
        ("ndef:uri=https://a.example", "unknown key `uri`", "^^^ did you mean `ndef.0.uri`? a card has ic, template,"),
        ("suica:balance=-5", "`balance` is negative", "^^ expected 0 to 65535"),
    ])
    func `names the key of the card that is meant`(_ card: String, _ error: String, _ help: String) throws {
        let outcome = try TapSim.run(["run", "--card", card])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("]: \(error)\n"), "\(outcome.error)")
        #expect(outcome.error.contains(help), "\(outcome.error)")
    }

    @Test(arguments: [
        (
            ["--model", "rc-s620"], "`--model` cannot be `rc-s620`",
            "an RC-S620/S is `--model rc-s330 --transport libnfc`"
        ),
        (
            ["--model", "pasori"], "`--model` cannot be `pasori`",
            "did you mean `rc-s380`, `rc-s300` or `rc-s330`? expected \(models)"
        ),
        (
            ["--timeout", "５s", "--", "true"], "`--timeout ５s` is not a duration",
            "`５` is a full-width digit; write `5s`"
        ),
        (
            ["--timeout", "99999999999h", "--", "true"], "`--timeout 99999999999h` is too long",
            "a duration is at most one day, `24h`"
        ),
        (["--seed", "-1"], "`--seed` cannot be `-1`", "expected a whole number from 0 to 18446744073709551615"),
        (["--seed", "１"], "`--seed` cannot be `１`", "`１` is a full-width digit; write `1`"),
    ])
    func `names the value that is meant`(_ words: [String], _ error: String, _ help: String) throws {
        try expect(Self.suica + words, error, help)
    }

    @Test(arguments: [("{nfcpyy}", "{nfcpy}"), ("{NFCPY}", "{nfcpy}"), ("{pn532_tcp}", "{pn532-tcp}")])
    func `names the placeholder that is meant`(_ written: String, _ meant: String) throws {
        let outcome = try TapSim.run(Self.suica + ["--", "echo", written])
        #expect(outcome.exitCode == 2 && !outcome.output.contains("\n\(written)\n"), "\(outcome)")
        #expect(outcome.error.contains("there is no placeholder `\(written)`"), "\(outcome.error)")
        #expect(outcome.error.contains("did you mean `\(meant)`?"), "\(outcome.error)")
    }

    @Test func `lets a client have braces that mean nothing to TapSim`() throws {
        let words = Self.suica + ["--allow-no-read", "--trace", "off", "--", "echo", "{\"a\": {b}} {felica} {pcsc} {}"]
        #expect(try !TapSim.run(words).error.contains("placeholder"))
    }

    @Test(arguments: [
        (
            ["decode", "０６"], "`０` at position 1 is not a hexadecimal digit",
            "`０` is a full-width digit; write `06`"
        ),
        (
            ["trace", "lst"], "there is no `trace lst`",
            "did you mean `tapsim trace list`? expected `show`, `list`, `open`, `at`, `export` or `diff`"
        ),
        (
            ["list", "card"], "there is no `list card`",
            "did you mean `tapsim list cards`? expected `cards`, `ics`, `models`, `readers`, `faults`, `lies`, "
                + "`control-cards` or `scenarios`"
        ),
        (
            ["trace", "show", "--format", "html"], "`trace show` has no option `--format`",
            "use `trace export`: tapsim trace export FILE --format html"
        ),
        (["card", "suica"], "there is no `card suica`", "did you mean `tapsim card show suica`?"),
        (["card", "nope.nfc"], "there is no `card nope.nfc`", "did you mean `tapsim card show nope.nfc`?"),
        (
            ["exchange", "Scenarios/cards/suica.yaml", "--listen", "tcp:99999"], "`--listen` cannot be `tcp:99999`",
            "a port is a number from 0 to 65535"
        ),
    ])
    func `names the action that is meant`(_ words: [String], _ error: String, _ help: String) throws {
        try expect(words, error, help)
    }

    @Test(arguments: [
        (
            ["list", "faults", "rf.silense"], "there is no fault `rf.silense`",
            "did you mean `rf.silence`? `tapsim list faults` lists them"
        ),
        (["list", "faults", "xyzzy"], "there is no fault `xyzzy`", "`tapsim list faults` lists them"),
        (
            ["fuzz", "--card", "suica", "--only", "rf.dup"], "`--only rf.dup` matches no fault",
            "did you mean `rf.duplicate`? `tapsim list faults` lists them"
        ),
        (
            ["fuzz", "--card", "suica", "--except", "xyzzy"], "`--except xyzzy` matches no fault",
            "`tapsim list faults` lists them"
        ),
        (
            ["audit", "--only", "felica.statu", "--", "true"], "`--only felica.statu` matches no lie",
            "did you mean `felica.status`? `tapsim list lies` lists them"
        ),
        (
            ["explain", "felica.readd"], "there is no page about `felica.readd`",
            "did you mean `felica.read`? `tapsim explain` lists the names"
        ),
        (
            ["explain", "rc-s620"], "there is no page about `rc-s620`",
            "did you mean `rc-s330`? `tapsim explain` lists the names"
        ),
    ])
    func `names the fault, the lie or the page that is meant`(
        _ words: [String], _ error: String, _ help: String
    ) throws {
        try expect(words, error, help)
    }

    @Test func `names the lie that the environment means`() throws {
        let outcome = try TapSim.run(Self.suica, environment: ["TAPSIM_LIE": "felica.statsu"])
        #expect(outcome.exitCode == 2)
        #expect(
            outcome.error == """
                error: TAPSIM_LIE: there is no lie `felica.statsu`
                help: did you mean `felica.status`? `tapsim list lies` lists them; for none, unset the variable

                """)
    }

    @Test func `offers a virtual card if there is no reader to record`() throws {
        try expect(
            ["init", "--from-run", "--", "false"], "no PC/SC service answers",
            "name a virtual card with `--card`, such as `--card suica`, or start pcscd with a reader", code: 3)
    }

    @Test(arguments: [
        ("kiosk.py", "", "python3 kiosk.py"), ("kiosk", "#!/bin/sh\n", "./kiosk"), ("kiosk", "\u{7F}ELF", "./kiosk"),
    ])
    func `runs a program as a client`(_ name: String, _ text: String, _ client: String) throws {
        let file = URL(fileURLWithPath: try TapSimProgram.file(name, text))
        let outcome = try TapSim.run(["run", name], in: file.deletingLastPathComponent().path)
        #expect(outcome.exitCode == 2)
        #expect(
            outcome.error == """
                error: \(name) is a program, not a scenario or a card
                help: to run it as a client: tapsim run --card suica -- \(client)

                """)
    }

    @Test func `is explained once if the client opens no reader and never ends`() throws {
        let outcome = try TapSim.run(Self.suica + ["--timeout", "200ms", "--trace", "off", "--", "sleep", "5"])
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains("got none opened: it was still running"), "\(outcome.output)")
        #expect(!outcome.output.contains("expected the client to end in time"), "\(outcome.output)")
    }

    @Test func `of coverage warns if no client sent a command`() throws {
        let file = URL(fileURLWithPath: try TapSimProgram.file("x", ""))
        let folder = file.deletingLastPathComponent().path
        _ = try TapSim.run(Self.suica + ["--trace", "always", "--", "true"], in: folder)
        let outcome = try TapSim.run(["coverage"], in: folder)
        #expect(outcome.exitCode == 0)
        #expect(outcome.error.contains("warning: no client sent a command to a card in .tapsim/runs"))
    }

    @Test func `may ask for the version briefly`() throws {
        #expect(try TapSim.run(["-V"]).output == TapSim.run(["--version"]).output)
    }

    private func expect(_ words: [String], _ error: String, _ help: String, code: Int32 = 2) throws {
        let outcome = try TapSim.run(words)
        #expect(outcome.exitCode == code)
        #expect(outcome.error == "error: \(error)\nhelp: \(help)\n")
        #expect(outcome.output.isEmpty)
    }
}
