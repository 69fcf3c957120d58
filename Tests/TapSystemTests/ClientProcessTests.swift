import Foundation
import TapSystem
import TestSupport
import Testing

@Suite struct `A client process` {
    private func run(
        _ script: String, limits: ClientLimits = ClientLimits(), input: String = "",
        environment: [String: String] = [:]
    ) throws -> ClientOutcome {
        let command = ClientCommand(["/bin/sh", "-c", script], environment: environment, input: Array(input.utf8))
        return try ClientProcess.run(command, limits: limits)
    }

    /// Returns whether a killed process has died.
    ///
    /// The system may take a moment, and its new parent may leave a zombie.
    private func isGone(_ process: Int32) -> Bool {
        for _ in 0..<500 {
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            if kill(process, 0) != 0 || status.contains("State:\tZ") { return true }
            usleep(10_000)
        }
        return false
    }

    @Test func `returns its exit code and both streams`() throws {
        let outcome = try run("echo out; echo err >&2; exit 3")
        #expect(outcome.end == .exit(3))
        #expect(outcome.standardOutput.text == "out\n")
        #expect(outcome.standardError.text == "err\n")
    }

    @Test func `names the signal that ended it`() throws {
        #expect(try run("kill -SEGV $$").end == .signal(SIGSEGV))
    }

    @Test func `does not inherit blocked signals from the thread that starts it`() throws {
        var (blocked, usual) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &usual)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &usual, nil) }
        #expect(try run("kill -TERM $$; exit 0").end == .signal(SIGTERM))
    }

    /// Reaps a client before anybody else does; the client prints its process number.
    private final class Thief: ClientAttendant {
        private var number: Int32?

        func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {
            number = Int32(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines))
        }

        func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders { ClientOrders() }

        func ended() {
            if let number { while waitpid(number, nil, 0) < 0, errno == EINTR {} }
        }
    }

    @Test func `whose exit status is unknown is an error`() {
        let error = #expect(throws: ClientStartError.self) {
            try ClientProcess.run(
                ClientCommand(["/bin/sh", "-c", "echo $$; exit 7"]), limits: ClientLimits(), attendant: Thief())
        }
        #expect(error?.code == .system)
        #expect(error?.description.hasPrefix("the exit status of `/bin/sh` is unknown") == true)
    }

    @Test func `gets the given variables instead of ours`() throws {
        let outcome = try run("echo $TAPSIM_TEST-$HOME", environment: ["TAPSIM_TEST": "1", "HOME": "/nowhere"])
        #expect(outcome.standardOutput.text == "1-/nowhere\n")
    }

    @Test func `can read all its input, even if it is longer than a pipe's buffer`() throws {
        let input = String(repeating: "0123456789", count: 50_000)
        #expect(try run("wc -c", input: input).standardOutput.text.contains("500000"))
    }

    @Test func `may ignore its input`() throws {
        #expect(try run("exit 0", input: String(repeating: "x", count: 500_000)).end == .exit(0))
    }

    @Test func `that floods both streams is read to the end and kept up to the limit`() throws {
        let outcome = try run(
            "yes | head -c 3000000; yes | head -c 3000000 >&2", limits: ClientLimits(outputBytes: 1_000))
        #expect(outcome.end == .exit(0))
        for stream in [outcome.standardOutput, outcome.standardError] {
            #expect(stream.bytes.count == 1_000)
            #expect(stream.droppedBytes == 2_999_000)
        }
    }

    @Test func `that hangs is ended at its time limit`() throws {
        #expect(try run("sleep 60", limits: ClientLimits(wall: .milliseconds(100))).end == .timeLimit(exit: nil))
    }

    @Test func `that crashes when asked to end counts as crashed`() throws {
        let script = "trap 'kill -SEGV $$' TERM; while :; do sleep 0.05; done"
        let outcome = try run(script, limits: ClientLimits(wall: .milliseconds(300), grace: .seconds(20)))
        #expect(outcome.end == .timeLimit(crash: SIGSEGV))
    }

    @Test func `that exits when asked to end counts as ended`() throws {
        let script = "trap 'exit 1' TERM; while :; do sleep 0.05; done"
        let outcome = try run(script, limits: ClientLimits(wall: .milliseconds(300), grace: .seconds(20)))
        #expect(outcome.end == .timeLimit(exit: 1))
    }

    /// Gives its first orders only after the client, which writes its process number into a file, has ended.
    private final class Latecomer: ClientAttendant {
        private let file: String
        private let isToEnd: Bool

        init(_ file: String, isToEnd: Bool) { (self.file, self.isToEnd) = (file, isToEnd) }

        func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {}

        func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders {
            var number: Int32?
            while number == nil {
                let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                if text.hasSuffix("\n") { number = Int32(text.dropLast()) } else { usleep(1_000) }
            }
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(number ?? 0), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return ClientOrders(isToEnd: isToEnd)
        }

        func ended() {}
    }

    @Test(arguments: [true, false]) func `that ended before it was asked to keeps its own result`(
        isToEnd: Bool
    ) throws {
        for (script, end) in [("exit 7", ClientOutcome.End.exit(7)), ("kill -SEGV $$", .signal(SIGSEGV))] {
            let file = try TestFolder.make().appendingPathComponent("number").path
            let command = ClientCommand(["/bin/sh", "-c", "echo $$ >\"$0\"; \(script)", file])
            let limits = ClientLimits(wall: isToEnd ? nil : .milliseconds(1))
            let attendant = Latecomer(file, isToEnd: isToEnd)
            let outcome = try ClientProcess.run(command, limits: limits, attendant: attendant)
            #expect(outcome.end == end)
        }
    }

    @Test func `that ignores the request to end is killed, and its output is kept`() throws {
        let outcome = try run(
            "trap '' TERM; echo here; while :; do sleep 1; done",
            limits: ClientLimits(wall: .milliseconds(300), grace: .milliseconds(100)))
        #expect(outcome.end == .timeLimit(exit: nil))
        #expect(outcome.standardOutput.text == "here\n")
    }

    @Test func `leaves no process of its group running`() throws {
        let outcome = try run("sleep 60 & echo $!")
        let grandchild = try #require(
            Int32(outcome.standardOutput.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(isGone(grandchild))
    }

    @Test func `does not block us if a process outside its group keeps a stream open`() throws {
        let outcome = try run("setsid sleep 5 & exit 0")
        #expect(outcome.end == .exit(0))
        #expect(outcome.wall < .seconds(5))
    }

    @Test func `that does not exist gives an error with its name`() {
        #expect {
            try ClientProcess.run(ClientCommand(["no-such-program-here"]), limits: ClientLimits())
        } throws: { error in
            (error as? ClientStartError)?.code == .notFound && "\(error)".contains("`no-such-program-here`")
        }
    }

    @Test func `that cannot be run gives an error with a fix`() {
        #expect {
            try ClientProcess.run(ClientCommand(["/etc/hostname"]), limits: ClientLimits())
        } throws: { error in
            (error as? ClientStartError)?.code == .notExecutable && "\(error)".contains("make it executable")
        }
    }

    @Test func `without a name gives an error`() {
        #expect(throws: ClientStartError.self) {
            try ClientProcess.run(ClientCommand([]), limits: ClientLimits())
        }
    }

    @Test func `shows its output as it arrives`() throws {
        var seen = ""
        _ = try ClientProcess.run(ClientCommand(["/bin/echo", "hello"]), limits: ClientLimits()) { stream, bytes in
            seen += "\(stream): " + String(decoding: bytes, as: UTF8.self)
        }
        #expect(seen == "output: hello\n")
    }

    @Test func `waits for a program that is just being written`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-\(UUID().uuidString)").path
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: file)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let writer = try #require(FileHandle(forUpdatingAtPath: file))
        Thread.detachNewThread {
            usleep(50_000)
            try? writer.close()
        }
        #expect(try ClientProcess.run(ClientCommand([file]), limits: ClientLimits()).end == .exit(0))
    }

    @Test func `distinguishes a missing script from a missing interpreter`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-\(UUID().uuidString).sh").path
        // In a separate process, since another test may inherit a file that this process has open for writing, which makes it
        // busy.
        let write = ClientCommand(["/bin/sh", "-c", "echo '#!/no/such/interpreter' >$0 && chmod 755 $0", file])
        #expect(try ClientProcess.run(write, limits: ClientLimits()).end == .exit(0))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let there = #expect(throws: ClientStartError.self) {
            try ClientProcess.run(ClientCommand([file]), limits: ClientLimits())
        }
        #expect(there?.code == .notExecutable)
        #expect(there?.description.contains("interpreter of `\(file)` is missing") == true)
        let gone = #expect(throws: ClientStartError.self) {
            try ClientProcess.run(ClientCommand(["\(file).gone"]), limits: ClientLimits())
        }
        #expect(gone?.code == .notFound)
        let folder = #expect(throws: ClientStartError.self) {
            try ClientProcess.run(ClientCommand(["/tmp"]), limits: ClientLimits())
        }
        #expect(folder?.description.contains("is a folder") == true)
    }
}
