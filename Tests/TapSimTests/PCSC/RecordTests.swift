import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

/// `tapsim record` between PC/SC programs and virtual cards instead of real ones.
///
/// Some tests start `tapsim`, because signals end it.
@Suite struct `Recording at PC/SC readers` {
    private static let transit = [TapSimProgram.python, "Tests/Clients/acr122u_transit.py"]

    private func folder() throws -> String { try TestFolder.make().path }

    /// Records a program.
    private func record(
        _ client: [String], _ options: [String] = ["--private"], at socket: String, to path: String
    ) throws -> CommandOutcome {
        try TapSim.run(
            ["record", path] + options + ["--"] + client, environment: ["PCSCLITE_CSOCK_NAME": socket])
    }

    /// Serves cards on an ACR122U from another process, and passes the socket of its service to the body.
    private func withService(_ cards: [String], _ body: (String) throws -> Void) throws {
        let served = try ServedCards(["--model", "acr122u"] + cards.flatMap { ["--card", $0] })
        try body(try #require(served.environment["PCSCLITE_CSOCK_NAME"]))
        _ = served.stop()
    }

    @Test func `a program behaves the same with a recording as with the card`() throws {
        let path = "\(try folder())/suica.yaml"
        try withService(["suica:balance=3120,trips=20"]) { socket in
            let recorded = try record(Self.transit, at: socket, to: path)
            #expect(recorded.exitCode == 0, "\(recorded.error)")
            #expect(recorded.output.contains("\"balance\": 3120"))
            let file = path.replacing(".yaml", with: ".private.yaml")
            #expect(recorded.output.contains("wrote \(file): 4 exchanges"), "\(recorded.output)")
            let again = try TapSim.run(["run", file, "--json", "--"] + Self.transit)
            let test = try #require(again.json?["scenarios"]?[0]?["cases"]?[0], "\(again.output)\(again.error)")
            #expect(test["passed"]?.text == "true", "\(again.output)")
            let printed = try #require(test["client"]?["stdout"]?.text)
            #expect(recorded.output.hasPrefix(printed) && printed.contains("3120"), "\(printed)")
        }
    }

    @Test func `a program that deviates fails with the position`() throws {
        let path = "\(try folder())/suica.yaml"
        try withService(["suica:balance=3120,trips=20"]) { socket in _ = try record(Self.transit, at: socket, to: path)
        }
        let file = path.replacing(".yaml", with: ".private.yaml")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let other = text.replacing("FF 00 48 00 00", with: "FF 00 48 00 01")
        try #require(other != text)
        try other.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try TapSim.run(["run", file, "--"] + Self.transit)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("recording  exchange 2"), "\(outcome.output)")
        #expect(outcome.output.contains("recorded  FF 00 48 00 01\n"), "\(outcome.output)")
        #expect(outcome.output.contains("sent      FF 00 48 00 00\n"), "\(outcome.output)")
    }

    @Test func `a card behind the installed pcscd can be recorded`() throws {
        let daemon = try PrivatePCSCD(readers: ["Virtual"])
        let reader = try #require(daemon.readers.first)
        let card = try ServedCards(["--transport", "vpcd:\(reader.port)", "--card", "ndef"])
        let path = "\(try folder())/tag.yaml"
        let client = try PCSCClient.compiled()
        let recorded = try record(client.command, at: daemon.socket, to: path)
        #expect(recorded.exitCode == 0, "\(recorded.output)\(recorded.error)")
        _ = card.stop()
        let output = try client.output(of: path.replacing(".yaml", with: ".private.yaml"))
        #expect(!output.isEmpty && recorded.output.hasPrefix(output), "\(recorded.output)\(output)")
    }

    /// Signals that end a recording: all with `Tools/test --long`, otherwise two, since all have one handler.
    private static let signals = ["TERM", "INT", "HUP", "QUIT", "USR1", "ALRM", "XCPU"].prefix(TestScale.isLong ? 7 : 2)

    @Test(arguments: signals)
    func `a signal ends the program and keeps the recorded exchanges`(_ signal: String) throws {
        try withService(["suica:balance=3120,trips=20"]) { socket in
            let path = "\(try folder())/suica.yaml"
            let script = """
                set -m  # A job in the background of a script ignores SIGINT otherwise.
                "$0" record \(path) --private -- /bin/sh -c '"$0" "$1"; echo read; sleep 300' "$@" > \(path).out &
                for _ in $(seq 600); do grep -q '^read' \(path).out && break; sleep 0.05; done
                kill -\(signal) $!
                wait $!
                """
            let outcome = try TapSimProgram.run(
                ["-c", script, TapSimProgram.path] + Self.transit, environment: ["PCSCLITE_CSOCK_NAME": socket],
                program: "/bin/bash")
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
            let text = try String(contentsOfFile: path.replacing(".yaml", with: ".private.yaml"), encoding: .utf8)
            #expect(text.contains("90 00"))
        }
    }

    @Test func `a card that leaves and returns is recorded in one file`() throws {
        let served = try ServedCards(["--model", "acr122u", "--card", "ndef"])
        let path = "\(try folder())/twice.yaml"
        let client = [TapSimProgram.python, "Tests/Clients/two_visits.py"]
        let script = """
            "$0" record \(path) -- "$@" > \(path).out &
            for _ in $(seq 600); do grep -q '^first' \(path).out && break; sleep 0.05; done
            "$0" ctl remove ndef
            for _ in $(seq 600); do grep -q '^then' \(path).out && break; sleep 0.05; done
            "$0" ctl tap ndef
            wait $!
            cat \(path).out
            """
        let recorded = try TapSimProgram.run(
            ["-c", script, TapSimProgram.path] + client,
            environment: served.environment.merging(["TAPSIM_CTL": served.control]) { $1 }, program: "/bin/bash")
        _ = served.stop()
        #expect(
            recorded.exitCode == 0 && recorded.output.contains("then 80100069"), "\(recorded.output)\(recorded.error)")
        #expect(recorded.output.contains("wrote \(path): 3 exchanges"), "\(recorded.output)")
        let again = try TapSim.run(["run", path, "--json", "--"] + client)
        let printed = again.json?["scenarios"]?[0]?["cases"]?[0]?["client"]?["stdout"]?.text ?? again.error
        #expect(again.exitCode == 0, "\(again.output)")
        let lines = printed.split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != " " } } == ["first", "then", "second"] && lines[1] == "then 80100069")
    }

    @Test func `a program's arguments contain placeholders for identifiers`() throws {
        let path = "\(try folder())/named.yaml"
        let client = [TapSimProgram.python, "Tests/Clients/acr122u_transit.py", "ACR122"]
        try withService(["suica:balance=3120,trips=3,idm=0112233445566778"]) { socket in
            let named = ["/bin/sh", "-c", #""$0" "$1" "$2""#] + client + ["0112233445566778"]
            let recorded = try record(named, [], at: socket, to: path)
            #expect(
                recorded.exitCode == 0 && !recorded.output.contains("reproduce  tapsim run \(path) -- 0112233445566778")
            )
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("run:") && !text.contains("0112233445566778"), "\(text)")
    }

    @Test func `a second interrupt does not lose data either`() throws {
        try withService(["suica:balance=3120,trips=20"]) { socket in
            let path = "\(try folder())/stubborn.yaml"
            let script = """
                "$0" record \(path) --private -- /bin/sh -c 'trap "" TERM; "$0" "$1"; echo read; sleep 300' "$@" > \(path).out &
                for _ in $(seq 600); do grep -q '^read' \(path).out && break; sleep 0.05; done
                kill -TERM $!; sleep 0.2; kill -TERM $!
                wait $!
                """
            let outcome = try TapSimProgram.run(
                ["-c", script, TapSimProgram.path] + Self.transit, environment: ["PCSCLITE_CSOCK_NAME": socket],
                program: "/bin/bash")
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
            let text = try String(contentsOfFile: path.replacing(".yaml", with: ".private.yaml"), encoding: .utf8)
            #expect(text.contains("90 00"))
        }
    }

    @Test func `an empty recording is reported, and no file is written`() throws {
        let path = "\(try folder())/none.yaml"
        try withService(["suica"]) { socket in
            let silent = try record(["/bin/true"], at: socket, to: path)
            #expect(silent.exitCode == 1)
            #expect(silent.error.contains("nothing was recorded"), "\(silent.error)")
            #expect(!FileManager.default.fileExists(atPath: path))
            let missing = try record(["./no-such-program"], at: socket, to: path)
            #expect(missing.exitCode == 2, "\(missing.error)")
        }
        let without = try record(["/bin/true"], at: "/nonexistent/pcscd.comm", to: path)
        #expect(without.exitCode == 3)
        #expect(without.error.contains("no PC/SC service answers"), "\(without.error)")
    }

    @Test func `an existing file is not replaced without --force`() throws {
        let path = "\(try folder())/there.private.yaml"
        try "kept".write(toFile: path, atomically: true, encoding: .utf8)
        try withService(["suica"]) { socket in
            let refused = try record(Self.transit, at: socket, to: path)
            #expect(refused.exitCode == 2)
            #expect(refused.error.contains("--force"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
            let replaced = try record(Self.transit, ["--private", "--force"], at: socket, to: path)
            #expect(replaced.exitCode == 0, "\(replaced.error)")
        }
    }

    @Test func `personal data is not in the file, which still replays`() throws {
        let path = "\(try folder())/suica.yaml"
        try withService(["suica:balance=3120,trips=20,idm=0112233445566778"]) { socket in
            let recorded = try record(Self.transit, [], at: socket, to: path)
            #expect(recorded.exitCode == 0, "\(recorded.error)")
            #expect(recorded.output.contains("0112233445566778") && recorded.error.contains("note: "))
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.filter { $0 != " " }.contains("12233445566778"), "\(text)")
        let replayed = try TapSim.run(["run", path, "--json", "--"] + Self.transit)
        let client = replayed.json?["scenarios"]?[0]?["cases"]?[0]?["client"]
        #expect(replayed.exitCode == 0 && client?["stdout"]?.text?.contains("3120") == true, "\(replayed.output)")
        let checked = try TapSim.run(["record", "--check", path])
        #expect(checked.exitCode == 0 && checked.output.contains("1 recording, no data"), "\(checked.output)")
    }

    @Test func `a private file is marked, and reported by the check`() throws {
        let path = "\(try folder())/suica.yaml"
        try withService(["suica:balance=3120,trips=3"]) { socket in
            for (options, file) in [(["--keep", "dates"], "dates.yaml"), (["--private"], "all.yaml")] {
                let recorded = try record(
                    Self.transit, options, at: socket, to: path.replacing("suica.yaml", with: file))
                #expect(recorded.exitCode == 0, "\(recorded.error)")
            }
        }
        for (name, what) in [("dates", "date"), ("all", "IDm")] {
            let file = path.replacing("suica.yaml", with: "\(name).private.yaml")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("# PRIVATE"))
            let checked = try TapSim.run(["record", "--check", file, "--json"])
            let findings = checked.json?["findings"]?.items ?? []
            #expect(checked.exitCode == 1 && findings.contains { $0["what"]?.text?.contains(what) == true })
            #expect(findings.allSatisfy { $0["file"]?.text == file }, "\(checked.output)")
            #expect((name == "dates") == findings.allSatisfy { $0["what"]?.text?.contains("IDm") != true })
        }
    }

    @Test func `a check needs recordings, and recording needs a file name and valid kinds`() throws {
        for (words, message) in [
            (["--check", "Scenarios/felica/aes-authentication.yaml"], "no file has a `recording`"),
            (["--check"], "name the files to check"),
            (["suica"], "name it suica.yaml"), ([], "name the file to write"),
            (["a.yaml", "--keep", "names"], "`--keep` takes identifiers"),
        ] {
            let refused = try TapSim.run(["record"] + words)
            #expect(refused.exitCode == 2 && refused.error.contains(message), "\(words): \(refused.error)")
        }
    }

    @Test func `a first scenario is a recording if the client reads a real card`() throws {
        let folder = try folder()
        try withService(["suica:balance=3120,trips=20"]) { socket in
            let client = [TapSimProgram.python, "\(TapSimProgram.root)/Tests/Clients/acr122u_transit.py"]
            let made = try TapSim.run(
                ["init", "--from-run", "--"] + client, environment: ["PCSCLITE_CSOCK_NAME": socket], in: folder)
            #expect(made.exitCode == 0, "\(made.error)")
            #expect(made.output.contains("the scenario is a recording of your card"), "\(made.output)")
        }
        let checked = try TapSim.run(["record", "--check", "Scenarios"], in: folder)
        #expect(checked.exitCode == 0, "\(checked.output)\(checked.error)")
        let replayed = try TapSim.run(["run", "Scenarios", "--allow-client"], in: folder)
        #expect(replayed.exitCode == 0, "\(replayed.output)\(replayed.error)")
    }
}
