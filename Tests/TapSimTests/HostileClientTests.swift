import Foundation
import TapSystem
import TestSupport
import Testing

/// Clients that hang, crash, flood the output, ignore their reader or do not exist.
///
/// Some tests start `tapsim`: clients send it signals, and it inherits ignored or blocked signals.
@Suite struct `Hostile clients` {
    /// - Parameter isProcess: Indicates whether the command runs in its own process, to which the client can send a signal.
    private func run(
        _ script: String, limits: String = "{wall: 20s}", isProcess: Bool = false
    ) throws -> CommandOutcome {
        let file = try TapSimProgram.file(
            "hostile.yaml", "format: 1\nsettings: {limits: \(limits)}\ncards: {tag: {template: ndef}}\n")
        let words = ["run", file, "--", "/bin/sh", "-c", script]
        return isProcess ? try TapSimProgram.run(words) : try TapSim.run(words)
    }

    /// Checks that no process with a marker is running; the system may need a moment to end killed processes.
    private func isGone(_ marker: String) throws -> Bool {
        for _ in 0..<500 {
            let left = try ClientProcess.run(ClientCommand(["pgrep", "-f", marker]), limits: ClientLimits())
            if left.standardOutput.text.isEmpty { return true }
            usleep(10_000)
        }
        return false
    }

    @Test func `a client that opens no transport fails with the probable cause`() throws {
        let outcome = try run("exit 0")
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("PCSCLITE_CSOCK_NAME"))
        #expect(outcome.output.contains("in braces among its arguments, such as {nfcpy}"))
        #expect(outcome.output.contains("sudo"))
    }

    @Test func `a crash is reported with its signal`() throws {
        let outcome = try run("kill -SEGV $$")
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("signal 11"))
    }

    @Test func `a client that exceeds its time limit is ended with all its processes`() throws {
        let marker = "tapsim-sleeper-\(UUID().uuidString)"
        let outcome = try run("sh -c 'sleep 300; : \(marker)' & sleep 300", limits: "{wall: 300ms}")
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains("time"))
        #expect(try isGone(marker))
    }

    @Test func `a flood of output is read to its end and truncated`() throws {
        let outcome = try run("yes 0123456789 | head -c 3000000", limits: "{wall: 300s}")
        #expect(outcome.exitCode == 1)
    }

    @Test func `a client that does not exist is reported`() throws {
        let outcome = try TapSim.run(["run", "--card", "ndef", "--", "./no-such-client"])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("no program `./no-such-client`; check the path"))
        let named = try TapSim.run(["run", "--card", "ndef", "--", "no-such-client"])
        #expect(named.error.contains("no program `no-such-client` in PATH"))
    }

    @Test func `a program outside the working directory that a scenario names runs only if allowed`() throws {
        let file = try TapSimProgram.file(
            "outside.yaml", "format: 1\ncards: {tag: {template: ndef}}\nclient: {run: [/bin/true]}\n")
        let refused = try TapSim.run(["run", file])
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("--allow-client"))
        let allowed = try TapSim.run(["run", file, "--allow-client"])
        #expect(allowed.exitCode == 1)
    }

    /// Creates a folder with a script, a program, links to the outside and a scenario that names a client.
    private func workingFolder(client: String) throws -> String {
        let file = try TapSimProgram.file(
            "own.yaml", "format: 1\ncards: {tag: {template: ndef}}\nclient: \(client)\n")
        let above = URL(fileURLWithPath: file).deletingLastPathComponent()
        let folder = above.appendingPathComponent("work")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: file, toPath: folder.appendingPathComponent("own.yaml").path)
        for name in ["client.py", "client", "../client.py"] {
            let path = folder.appendingPathComponent(name)
            try Data("#!/usr/bin/env python3\nprint('ran')\n".utf8).write(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
        }
        for (name, target) in [("link", "/bin/true"), ("link.py", "/etc/hostname"), ("python3", "/usr/bin/python3")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
        }
        return folder.path
    }

    @Test(arguments: [
        "{run: [./client]}", "{run: [python3, client.py, -c]}", "{run: [./python3, ./client.py]}",
        "{run: [./client], env: {MODE: fast}}",
    ])
    func `a program or script in the working directory is reported before it starts`(client: String) throws {
        let folder = try workingFolder(client: client)
        let outcome = try TapSim.run(["run", "own.yaml"], in: folder)
        #expect(outcome.exitCode != 2 && outcome.output.contains("ran"), "\(outcome.output)\(outcome.error)")
        #expect(outcome.error.hasPrefix("own.yaml:3 starts a program: "), "\(outcome.error)")
        for verb in ["run", "fuzz"] {
            let refused = try TapSim.run([verb, "own.yaml", "--no-client"], in: folder)
            #expect(refused.exitCode == 2)
            #expect(refused.error.contains("own.yaml:3 names a program to start, `"), "\(refused.error)")
            #expect(refused.output.isEmpty)
        }
        let replaced = try TapSim.run(["run", "own.yaml", "--no-client", "--", "./client"], in: folder)
        #expect(replaced.exitCode != 2 && replaced.output.contains("ran"), "\(replaced.output)\(replaced.error)")
        let both = try TapSim.run(["run", "own.yaml", "--no-client", "--allow-client"], in: folder)
        #expect(both.exitCode == 2)
    }

    @Test(arguments: [
        ("{run: [python3, -c, 'print(1)']}", "`python3` without a script (.py)"),
        ("{run: [./python3, -c, 'print(1)']}", "`./python3` without a script (.py)"),
        ("{run: [sh, own.yaml]}", "`sh` without a script (.sh)"),
        ("{run: [python3, link.py]}", "`python3` without a script (.py)"),
        ("{run: [python3, ../client.py]}", "`python3` without a script (.py)"),
        ("{run: [/usr/bin/python3, client.py]}", "`/usr/bin/python3`, which is outside"),
        ("{run: [./link]}", "`./link`, which is outside"), ("{run: [true]}", "`true`, which is outside"),
        ("{run: [../../bin/true]}", "`../../bin/true`, which is outside"),
        ("{run: [./client], env: {LD_PRELOAD: /tmp/x.so}}", "`./client` with the variable LD_PRELOAD"),
        ("{run: [./client], env: {BASH_ENV: x}}", "`./client` with the variable BASH_ENV"),
    ])
    func `nothing else is started unless it is allowed`(client: String, reason: String) throws {
        let outside = try upward("/bin")
        let folder = try workingFolder(client: client.replacing("../../bin", with: outside))
        let outcome = try TapSim.run(["run", "own.yaml"], in: folder)
        #expect(outcome.exitCode == 2)
        #expect(
            outcome.error.contains("own.yaml:3 wants to start \(reason.replacing("../../bin", with: outside))"),
            "\(outcome.error)")
        #expect(outcome.output.isEmpty)
    }

    /// A path from a folder of ``workingFolder(client:)`` through the root.
    private func upward(_ path: String) throws -> String {
        let depth = try TestFolder.make().resolvingSymlinksInPath().pathComponents.count
        return String(repeating: "../", count: depth) + path.dropFirst()
    }

    @Test func `the reproduce line may start the same program as the scenario`() throws {
        let file = try TapSimProgram.file(
            "again.yaml", "format: 1\ncards: {tag: {template: ndef}}\nclient: {run: [/bin/true]}\n")
        let outcome = try TapSim.run(["run", file, "--allow-client"])
        #expect(outcome.output.contains("--seed 1 --allow-client\n"))
    }

    #if os(Linux)
        /// Source: signal(7), the signals whose action is to end the process, except those for errors of the process itself.
        @Test func `the command handles every signal that ends a process`() throws {
            let note = try TapSimProgram.file("signals", "")
            _ = try run("grep -E 'SigIgn|SigCgt' /proc/$PPID/status > \(note)", isProcess: true)
            let lines = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")
            let masks = lines.compactMap { $0.split { $0.isWhitespace }.last.flatMap { UInt64($0, radix: 16) } }
            try #require(masks.count == 2)
            let signals =
                [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGVTALRM, SIGPROF, SIGXCPU]
                + [SIGXFSZ, SIGIO, SIGPWR] + Array(34...64)
            // A signal that this process ignores stays ignored.
            #expect(signals.filter { (masks[0] | masks[1]) & (1 << UInt64($0 - 1)) == 0 } == [])
        }
    #endif

    /// Signals that end the command: all with `Tools/test --long`, otherwise two, since all have one handler.
    private static let signals = [SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGALRM, SIGXCPU]
        .prefix(TestScale.isLong ? 7 : 2)

    @Test(arguments: signals)
    func `a signal that ends the command ends all processes of the client, and leaves no socket`(signal: Int32) throws {
        let marker = "tapsim-sleeper-\(UUID().uuidString)"
        let note = try TapSimProgram.file("socket", "")
        let outcome = try run(
            """
            sh -c 'sleep 300; : \(marker)' &
            echo $PCSCLITE_CSOCK_NAME > \(note); test -S $PCSCLITE_CSOCK_NAME && kill -\(signal) $PPID; sleep 300
            """, isProcess: true)
        #expect(outcome.end == .signal(signal))
        #expect(try isGone(marker) && isGone(note))
        let socket = try String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(socket.hasSuffix("/pcscd.comm"))
        let folder = URL(fileURLWithPath: socket).deletingLastPathComponent().path
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a hang-up signal that is ignored at start stays ignored`() throws {
        let outcome = try TapSimProgram.run(
            ["-c", "trap '' HUP; exec \"$0\" \"$@\"", TapSimProgram.path]
                + ["run", "--card", "ndef", "--", "/bin/sh", "-c", "kill -HUP $PPID; exit 0"],
            program: "/bin/sh")
        #expect(outcome.exitCode == 1)
    }

    /// Verbs that start a client, with their exit code if it fails: all with `Tools/test --long`, otherwise one.
    private static let verbs = [
        (["run", "--card", "ndef"], 1), (["fuzz", "--card", "ndef"], 5), (["audit", "--card", "ndef"], 5),
    ].prefix(TestScale.isLong ? 3 : 1)

    @Test(arguments: verbs)
    func `an exit status counts even if SIGCHLD is ignored at start`(
        words: [String], code: Int
    ) throws {
        // The client itself waits for a child, which requires the default action of the signal.
        let client = [
            "python3", "-c", "import os; os.posix_spawnp('true', ['true'], os.environ); os.wait(); os._exit(7)",
        ]
        let outcome = try TapSimProgram.run(
            ["-c", "trap '' CHLD; exec \"$0\" \"$@\"", TapSimProgram.path] + words + ["--"] + client, program: "/bin/sh"
        )
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)\(outcome.error)")
        #expect((outcome.output + outcome.error).contains("exit 7"), "\(outcome.output)\(outcome.error)")
    }

    @Test func `a signal that is blocked at start still ends the command`() throws {
        let script = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let client = ["/bin/sh", "-c", "kill -TERM $PPID; sleep 5"]
        let outcome = try TapSimProgram.run(
            ["-c", script, TapSimProgram.path, "run", "--card", "ndef", "--"] + client, program: "python3")
        #expect(outcome.end == .signal(SIGTERM), "\(outcome.end)")
    }
}
