import Foundation
import TapDocument
import TestSupport
import Testing

/// `tapsim serve` started by another program: its output, its end, and that it leaves nothing behind.
///
/// Some tests start `tapsim`: signals end it, shells evaluate its output, and its output is closed or full.
@Suite struct `Serving cards` {
    @Test func `prints the transports and the control socket in one line`() throws {
        let cards = try ServedCards(["--card", "suica:balance=3120", "--card", "ndef", "--seed", "7"])
        #expect(cards.environment["PCSCLITE_CSOCK_NAME"] != nil && cards.environment["LIBNFC_DEVICE"] != nil)
        #expect(cards.environment["TAPSIM_CTL"] == cards.control)
        #expect(cards.environment["TAPSIM_SEED"] == "7")
        #expect(cards.ready["pid"].flatMap { Int32($0.text ?? "") }.map { kill($0, 0) } == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: cards.folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let socket = try FileManager.default.attributesOfItem(atPath: cards.control)[.posixPermissions] as? Int
        #expect(socket == 0o600)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `ends after a signal and leaves no files`(signal: Int32) throws {
        let cards = try ServedCards(["--card", "ndef"], isProcess: true)
        #expect(cards.end(by: signal) == 0)
        #expect(!FileManager.default.fileExists(atPath: cards.folder))
    }

    @Test func `ends on request`() throws {
        let cards = try ServedCards(["--card", "ndef"])
        #expect(try cards.ctl("stop").exitCode == 0)
        #expect(cards.awaitEnd() == 0)
        #expect(!FileManager.default.fileExists(atPath: cards.folder))
        let late = try cards.ctl("status")
        #expect(late.exitCode == 3)
        #expect(late.error.contains("start `tapsim serve`"))
    }

    /// Forms of the output, and outputs that nobody reads: all pairs with `Tools/test --long`, otherwise each at least once.
    private static let lostOutputs = {
        let forms = ["--json", "--env", "--verbose"]
        let redirections = ["> /dev/full", ">&-", "| true", "| (sleep 0.2; exec <&-)"]
        return zip(redirections.indices, redirections).flatMap { index, redirection in
            (TestScale.isLong ? forms : [forms[index % forms.count]]).map { ($0, redirection) }
        }
    }()

    @Test(arguments: lostOutputs)
    func `ends if the addresses of its transports cannot be printed`(form: String, redirection: String) throws {
        let folder = URL(fileURLWithPath: try TapSimProgram.file("x", "")).deletingLastPathComponent().path
        let temporary = "\(folder)/t"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let outcome = try TapSimProgram.run(
            ["serve", "--card", "ndef", form], environment: ["TMPDIR": temporary], redirection: redirection)
        // The shell reports the exit status of a pipeline's last command.
        #expect(outcome.exitCode == (redirection.hasPrefix("|") ? 0 : 3), "\(outcome.error)")
        #expect(outcome.error.contains("nobody is reading standard output"), "\(outcome.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    @Test(arguments: ["parent", "other", "zombie"])
    func `ends with its parent process, or with the process it watches`(kind: String) throws {
        let outcome = try TapSimProgram.run(
            ["Tests/Clients/orphaned_service.py", TapSimProgram.path, kind], program: TapSimProgram.python)
        #expect(outcome.output == "gone\n", "\(outcome.error)")
    }

    @Test(arguments: [
        ("/bin/sh", "eval \"$(\"$0\" serve --env --parent $$ --card suica &)\""),
        ("/bin/bash", "eval \"$(\"$0\" serve --env --parent $$ --card suica &)\""),
        ("/bin/bash", ". <(\"$0\" serve --env --card suica)"),
    ])
    func `prints output that a shell can evaluate`(shell: String, idiom: String) throws {
        let script = "\(idiom) && \"$0\" ctl status && echo \"libnfc has $LIBNFC_DEVICE\" && \"$0\" ctl stop"
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path], program: shell)
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.output.contains("libnfc has pn532_uart:/dev/"))
        #expect(outcome.output.contains("suica"))
    }

    @Test func `lets a shell detect that nothing is served`() throws {
        let script = "eval \"$(\"$0\" serve --env --parent $$ --card suicca &)\" && echo served"
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path], program: "/bin/sh")
        #expect(outcome.exitCode == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("suicca"))
    }

    @Test func `opens the PC/SC service at the given path, for the given user`() throws {
        let path = URL(fileURLWithPath: try TapSimProgram.file("marker", "")).deletingLastPathComponent()
            .appendingPathComponent("pcscd.comm").path
        let cards = try ServedCards(["--card", "ndef", "--socket", path, "--mode", "0660"], isProcess: true)
        #expect(cards.environment["PCSCLITE_CSOCK_NAME"] == path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        let second = try TapSim.run(["serve", "--card", "ndef", "--socket", path])
        #expect(second.exitCode == 3)
        #expect(second.error.contains("use another path"))
        #expect(try cards.ctl("status").exitCode == 0)
        #expect(cards.end(by: SIGKILL) == SIGKILL)
        // The remains of a killed service at the path do not matter.
        let third = try ServedCards(["--card", "ndef", "--socket", path])
        #expect(third.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `stops answering at an exchange limit, and starts over after a reset`() throws {
        let file = try TapSimProgram.file(
            "few.yaml", "format: 1\nsettings: {limits: {exchanges: 3}}\ncards: {suica: {template: suica}}\n")
        let cards = try ServedCards([file, "--transport", "nfcpy"])
        try cards.read()
        #expect(try cards.json("status")["exhausted"]?.text == "false")
        let poll = """
            import os, socket
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as reader, socket.socket(socket.AF_UNIX) as control:
                control.connect(os.environ["TAPSIM_CTL"])
                lines = control.makefile("rw")
                reader.sendto(b"212F 060000030000", ("127.0.0.1", int(os.environ["TAPSIM_NFCPY"].split(":")[2])))
                while True:
                    print('{"status": {}}', file=lines, flush=True)
                    if '"exhausted":true' in lines.readline(): break
            """
        let polled = try TapSimProgram.run(
            ["-c", poll], environment: cards.environment, program: TapSimProgram.python)
        #expect(polled.exitCode == 0, "\(polled.error)")
        #expect(try cards.json("status")["exhausted"]?.text == "true")
        #expect(try cards.ctl("status").output.contains("until a reset"))
        #expect(try cards.ctl("reset").exitCode == 0)
        #expect(try cards.read().trips != nil)
        let warning = "warning: readers have sent 3 frames, the limit in settings.limits.exchanges;"
        #expect(cards.stop() == 0)
        #expect(cards.errorText.components(separatedBy: "\n").filter { $0.hasPrefix(warning) }.count == 1)
    }

    @Test func `runs the timeline of a scenario without a client, and again after a reset`() throws {
        let file = try TapSimProgram.file(
            "later.yaml", "format: 1\ncards: {suica: {template: suica}}\ntimeline: [{after: 1s, tap: suica}]\n")
        let cards = try ServedCards([file])
        func isPresent() throws -> Bool { try cards.json("status")["cards"]?[0]?["present"]?.text == "true" }
        for _ in 0..<2 {
            var hasCome = false
            for _ in 0..<2_000 where !hasCome { hasCome = try isPresent() }
            #expect(hasCome)
            _ = try cards.ctl("remove")
            #expect(try !isPresent())
            _ = try cards.ctl("reset")
        }
    }

    @Test func `keeps two services independent`() throws {
        let first = try ServedCards(["--card", "suica:balance=100"])
        let second = try ServedCards(["--card", "ndef"])
        #expect(first.control != second.control)
        #expect(first.environment["PCSCLITE_CSOCK_NAME"] != second.environment["PCSCLITE_CSOCK_NAME"])
        #expect(try first.ctl("remove", "suica").exitCode == 0)
        #expect(try second.json("status")["cards"]?[0]?["present"]?.text == "true")
        #expect(try second.ctl("tap", "suica").exitCode == 2)
    }

    @Test func `shows exchanges as they happen, in addition to the ready line`() throws {
        let script = """
            "$0" serve -v --card suica:trips=20 --transport nfcpy >"$1" & service=$!
            while ! grep -q TAPSIM_CTL "$1"; do sleep 0.01; done
            eval "$(grep export "$1")"
            "$2" Tests/Clients/udp_felica.py >/dev/null && "$0" ctl stop && wait $service && cat "$1"
            """
        let file = try TapSimProgram.file("text", "")
        let outcome = try TapSimProgram.run(
            ["-c", script, TapSimProgram.path, file, TapSimProgram.python], program: "/bin/sh")
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.output.contains(">    Read 090F blocks 0..11"))
        #expect(outcome.output.contains("tapsim ctl stop"))
    }

    @Test(arguments: [
        (["serve"], 2, "name one scenario file"), (["serve", "--card", "suicca"], 2, "suicca"),
        (["serve", "no/such.yaml"], 2, "there is no file no/such.yaml"),
        (["serve", "Scenarios/felica/suica-history.yaml"], 2, "choose it with `--case`: 1 "),
        (["serve", "--card", "ndef", "--mode", "0660"], 2, "`--mode` needs `--socket`"),
        (["serve", "--card", "ndef", "--socket", "/tmp/x", "--mode", "rw"], 2, "octal digits such as 0660"),
        (
            ["serve", "--card", "ndef", "--socket", "/tmp/x", "--transport", "nfcpy"], 2,
            "only the transport nfcpy is open"
        ),
        (["serve", "--card", "ndef", "--socket", "/no/such/folder/socket"], 3, "cannot listen at"),
        (["serve", "--card", "ndef", "--parent", "999999999"], 2, "there is no process 999999999"),
        (["ctl"], 2, "name an action"), (["ctl", "tap"], 2, "write `tapsim ctl tap CARD [READER]`"),
        (["ctl", "status", "--gap", "3ms"], 2, "`--gap` is only for `swap`"),
        (["ctl", "verify", "--count", "felica.read"], 2, "write --count felica.read=2"),
        (["ctl", "verify", "--file", "no/such.yaml"], 2, "there is no file no/such.yaml"),
        (["ctl", "set", "suica", "balance"], 2, "`balance` is not a key"),
        (["ctl", "status"], 3, "TAPSIM_CTL is not set"),
        (["ctl", "status", "--control", "/no/such/socket"], 3, "start `tapsim serve`"),
    ])
    func `rejects invalid arguments with a reason`(arguments: [String], code: Int32, sentence: String) throws {
        let outcome = try TapSim.run(arguments)
        #expect(outcome.exitCode == code)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
        #expect(outcome.output.isEmpty)
    }
}
