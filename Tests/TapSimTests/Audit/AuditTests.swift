import Foundation
import TapDocument
import TapSystem
import TapField
import TestSupport
import Testing

/// Test suites of clients that are correct or have one bug, and of programs that create their own cards.
///
/// Some tests start `tapsim`: suites start it, and so does a line with a variable that a user runs by hand.
@Suite struct `An audit` {
    private static let felica = ZooProgram.felica
    private static let writer = ZooProgram.writer

    /// A suite that runs a client and compares its output with that of a correct client without lies.
    private func comparing(_ program: ZooProgram, _ mistake: String) throws -> [String] {
        let expected = try TapSimProgram.file("expected.txt", "")
        let script = "\"$@\" > \"$0\""
        let correct = try TapSim.run(
            ["run", program.scenarioPath, "--trace", "off", "--", "/bin/sh", "-c", script, expected]
                + program.command(ZooProgram.correct))
        try #require(correct.exitCode == 0, "\(correct.output)")
        let compare = "out=$(\"$@\") && test \"$out\" = \"$(cat \"$0\")\""
        return ["/bin/sh", "-c", compare, expected] + (try program.command(mistake))
    }

    private func audit(_ options: [String] = [], _ suite: [String]) throws -> CommandOutcome {
        try TapSim.run(["audit", "--trace", "off"] + options + ["--"] + suite)
    }

    private func lies(_ outcome: CommandOutcome, _ verdict: String) throws -> [String] {
        let lies = try #require(outcome.json?["cases"]?[0]?["lies"]?.items, "\(outcome.output)\(outcome.error)")
        return lies.filter { $0["verdict"]?.text == verdict }.compactMap { $0["name"]?.text }
    }

    @Test func `finds nothing in a suite that compares all that a correct client reads`() throws {
        let outcome = try audit(
            [Self.felica.scenarioPath, "--json", "--jobs", "2"], try comparing(Self.felica, ZooProgram.correct))
        #expect(outcome.exitCode == 0)
        #expect(try lies(outcome, "not noticed") == [] && lies(outcome, "flaky") == [])
        let noticed = try lies(outcome, "noticed")
        #expect(
            Set(noticed).isSuperset(of: [
                "felica.status", "felica.idm", "felica.response_code", "felica.other_data", "felica.repeat_block",
                "felica.stale", "felica.truncate", "app.history",
            ]))
        let untold = try lies(outcome, "never told")
        #expect(untold.contains("ntag.pack") && untold.contains("felica.lost_write"))
        // The client reads only the history.
        #expect(untold.contains("app.balance"))
        #expect(noticed.count + untold.count == FaultCatalogue.lies.count)
    }

    @Test func `reports what a suite of a client that ignores status flags does not notice`() throws {
        let suite = try comparing(Self.felica, "ignores-status")
        let outcome = try audit([Self.felica.scenarioPath, "--only", "felica.*"], suite)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("  not noticed  felica.status   An answer reports FF70"), "\(outcome.output)")
        #expect(outcome.output.contains("A client that ignores status flags treats"))
        let again = try #require(outcome.output.split(separator: "\n").first { $0.contains("  reproduce  ") })
        let repeated = try TapSim.run(TapSim.arguments(of: again.replacing("        reproduce  ", with: "")))
        #expect(repeated.exitCode == 1 && repeated.output.contains("  1 lie: 1 not noticed"), "\(repeated.error)")
        let alone = try #require(outcome.output.split(separator: "\n").first { $0.contains("  alone      ") })
        #expect(alone.contains("TAPSIM_LIE=felica.status tapsim run \(Self.felica.scenarioPath) --case 1"))
        let single = alone.replacing("        alone      ", with: "")
            .replacing(" tapsim ", with: " '\(TapSimProgram.path)' ")
        let byHand = try TapSimProgram.run(["-c", "\(single)"], program: "/bin/sh")
        #expect(
            byHand.exitCode == 0 && byHand.error.contains("TAPSIM_LIE=felica.status: cards lie."), "\(byHand.error)")
    }

    @Test(arguments: [("ignores-pack", "ntag.pack"), ("no-ack-check", "ntag.data_for_ack")])
    func `reports what a suite of a client that writes does not notice`(mistake: String, lie: String) throws {
        let suite = try Self.writer.command(mistake)
        let outcome = try audit(
            [Self.writer.scenarioPath, "--json", "--only", "ntag.*"], suite)
        #expect(outcome.exitCode == 1)
        #expect(try lies(outcome, "not noticed").contains(lie))
        let correct = try audit(
            [Self.writer.scenarioPath, "--json", "--only", "ntag.*"], try Self.writer.command(ZooProgram.correct))
        #expect(correct.exitCode == 0)
        #expect(try lies(correct, "noticed").contains("ntag.lost_write"))
    }

    /// A suite whose test creates its own card and checks only the requested values.
    private func own(_ check: String) throws -> [String] {
        try [
            "/bin/sh",
            TapSimProgram.file(
                "suite.sh",
                "out=$('\(TapSimProgram.path)' run --card suica:balance=3120,trips=5 --trace off) || exit 1\n\(check)\n"
            ),
        ]
    }

    private static let balance = "case $out in *'balance 3120'*) ;; *) "

    @Test func `lets cards lie that tests create on their own`() throws {
        let sloppy = try audit(["--json", "--only", "app.*", "--only", "felica.status"], try own("true"))
        #expect(sloppy.exitCode == 1)
        #expect(sloppy.json?["cases"]?[0]?["own_cards"]?.text == "true")
        let unnoticed = try lies(sloppy, "not noticed")
        #expect(unnoticed.contains("app.balance") && unnoticed.contains("app.history"))
        #expect(try lies(sloppy, "noticed").contains("felica.status"))
        let looking = try audit(["--json", "--only", "app.*"], try own(Self.balance + "exit 1;; esac"))
        #expect(try lies(looking, "not noticed") == ["app.history"])
        #expect(try lies(looking, "noticed") == ["app.balance"])
    }

    @Test func `says of each test how many lies it noticed`() throws {
        let suite = try own(
            """
            status=0; echo 'ok 1 - reads'
            case $out in *'balance 3120'*) echo 'ok 2 - shows the balance';; *) echo 'not ok 2 - shows the balance'; status=1;; esac
            exit $status
            """)
        let outcome = try audit(["--json", "--only", "app.*"], suite)
        let tests = try #require(outcome.json?["cases"]?[0]?["tests"]?.items, "\(outcome.output)\(outcome.error)")
        #expect(tests.compactMap { $0["name"]?.text } == ["reads", "shows the balance"])
        #expect(tests.map { $0["noticed"]?.items.compactMap(\.text) } == [[], ["app.balance"]])
        let text = try audit(["--only", "app.*"], suite).output
        #expect(
            text.contains("    reads              none of 2 lies\n    shows the balance  1 of 2 lies\n"), "\(text)")
    }

    #if os(Linux)
        @Test(arguments: [
            ("showsTheBalance", ["felica.status", "app.balance"], []),
            ("endsItsSession", ["felica.status"], ["app.balance"]),
        ])
        func `lets cards lie that tests of an app create`(
            _ test: String, _ noticed: [String], _ unnoticed: [String]
        ) throws {
            let program = TapSimProgram.alongside("TapSimPackageTests.xctest")
            let outcome = try audit(
                ["--json", "--only", "felica.status", "--only", "app.balance"],
                [program, "--testing-library", "swift-testing", "--filter", "AuditedAppTests/\(test)"])
            #expect(outcome.json?["cases"]?[0]?["own_cards"]?.text == "true", "\(outcome.error)")
            #expect(try lies(outcome, "noticed") == noticed)
            #expect(try lies(outcome, "not noticed") == unnoticed)
        }
    #endif

    @Test func `lets cards lie that a service or a serial line provides`() throws {
        let served = try TapSimProgram.file(
            "served.sh",
            """
            eval "$('\(TapSimProgram.path)' serve --env --parent $$ --model acr122u --card suica:balance=3120,trips=5 &)"
            '\(Self.python)' Tests/Clients/acr122u_transit.py > /dev/null; code=$?
            '\(TapSimProgram.path)' ctl stop > /dev/null
            exit $code
            """)
        let lines = try TapSimProgram.file(
            "lines.sh",
            """
            echo 0600FFFF0100 | '\(TapSimProgram.path)' exchange Scenarios/cards/suica.yaml > /dev/null
            """)
        let exchanged = try audit(["--json", "--only", "felica.response_code"], ["/bin/sh", lines])
        #expect(try lies(exchanged, "not noticed") == ["felica.response_code"])
        let service = try audit(["--json", "--only", "felica.*"], ["/bin/sh", served])
        #expect(try lies(service, "noticed").contains("felica.status"), "\(service.output)")
    }

    private static let python = TapSimProgram.python

    @Test func `rejects a suite that fails without lies, and one that uses no card`() throws {
        let failing = try audit(["--card", "suica"], ["/bin/sh", "-c", "echo 'no reader' >&2; exit 3"])
        #expect(failing.exitCode == 5)
        #expect(failing.error.contains("the suite fails without any lie: exit 3: no reader. Fix that first"))
        let deaf = try audit([], ["/bin/true"])
        #expect(deaf.exitCode == 5 && deaf.error.contains("no virtual card received a command"))
        let untold = try audit(["--only", "ntag.*"], try own("true"))
        #expect(untold.exitCode == 5 && untold.error.contains("no selected lie applies"), "\(untold.error)")
        let none = try TapSim.run(["audit", "--card", "suica"])
        #expect(none.exitCode == 2 && none.error.contains("name the command of a test suite after `--`"))
        let unknown = try audit(["--only", "felica.statu"], ["/bin/true"])
        #expect(unknown.exitCode == 2 && unknown.error.contains("did you mean `felica.status`?"))
    }

    @Test func `treats a hanging suite as one that has noticed the lie, and ends it`() throws {
        let pid = try TapSimProgram.file("pid", "")
        let suite = try own(Self.balance + "(echo $$; exec sleep 1000) > '\(pid)' ;; esac")
        let outcome = try audit(["--json", "--only", "app.balance", "--timeout", "3s"], suite)
        #expect(outcome.exitCode == 0)
        let lie = try #require(outcome.json?["cases"]?[0]?["lies"]?[0])
        #expect(
            lie["verdict"]?.text == "noticed" && lie["end"]?.text?.contains("still running") == true,
            "\(outcome.output)")
        let number = try #require(Int32(try String(contentsOfFile: pid, encoding: .utf8).filter(\.isNumber)))
        #expect(kill(number, 0) != 0)
    }

    @Test func `lists known lies, and saves the unnoticed ones`() throws {
        let folder = try TestFolder.make()
        let known = folder.appendingPathComponent("known.txt").path
        let junit = folder.appendingPathComponent("audit.xml").path
        let suite = ["--only", "app.*", "--known", known, "--junit", junit]
        #expect(try audit(suite, own("true")).exitCode == 2)
        #expect(try audit(suite + ["--update-known"], own("true")).exitCode == 1)
        #expect(try String(contentsOfFile: known, encoding: .utf8).hasSuffix("app.balance\napp.history\n"))
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("<failure message=\"audit  app.balance"))
        let later = try audit(suite, own("true"))
        #expect(later.exitCode == 0 && later.output.contains("  known: app.balance, app.history"), "\(later.output)")
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("failures=\"0\""))
        let kept = try TapSim.run(
            [
                "audit", "--model", "acr122u", "--card", "suica:trips=5", "--only", "app.history", "--except",
                "app.balance", "--",
                TapSimProgram.python, "-s", "\(TapSimProgram.root)/Tests/Clients/acr122u_transit.py",
            ], in: folder.path)
        #expect(kept.exitCode == 1)
        let page = try #require(kept.output.split(separator: "\n").first { $0.contains("  page  ") })
        #expect(page.hasSuffix("suica-1-app.history/trace.html"))
        let shown = try TapSim.run(["trace", "show"], in: folder.path)
        #expect(shown.output.contains("app.history_short"), "\(shown.output)\(shown.error)")
    }

    @Test func `rejects a lie that does not exist, wherever cards are created`() throws {
        let wrong = ["TAPSIM_LIE": "felica.statsu"]
        for words in [
            ["run", "--card", "suica"], ["serve", "--card", "suica"], ["exchange", "Scenarios/cards/suica.yaml"],
        ] {
            let outcome = try TapSim.run(words, environment: wrong)
            #expect(outcome.exitCode == 2)
            #expect(outcome.error.contains("TAPSIM_LIE: there is no lie `felica.statsu`"), "\(outcome.error)")
        }
    }
}
