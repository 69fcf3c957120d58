import Foundation
import TapSystem
import TapReport
import Testing

/// `tapsim exchange --listen`, used by a client with its own transport.
///
/// Some tests start `tapsim`, because only signals end it.
@Suite struct `An exchange over a socket` {
    @Test func `prints its address and serves until it is interrupted`() throws {
        let folder = try PrivateDirectory()
        let server = try ListeningExchange("unix:\(folder.path)/card")
        #expect(server.address == "unix:\(folder.path)/card")
        let path = "\(folder.path)/card"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let client = try ControlClient(to: path)
        #expect(client.ask("@select") == "00")
        #expect(client.ask("60") == "0004040201001103")
        #expect(client.ask("zz") == "?")
        #expect(server.end(by: SIGINT) == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(server.errors == "client 1, line 3: `z` at position 1 is not a hexadecimal digit\n")
    }

    @Test func `prints the port that the system chose`() throws {
        let server = try ListeningExchange("tcp:0")
        let words = server.address.split(separator: " ").map(String.init)
        try #require(words.count == 2)
        let port = try #require(words[0].split(separator: ":").last.flatMap { UInt16($0) })
        #expect(port > 0 && words[0] == "tcp:\(port)")
        let ask = """
            import socket, sys
            with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as card:
                lines = card.makefile("rw")
                for line in ("@token " + sys.argv[2], "@select", "60"):
                    print(line, file=lines, flush=True)
                    print(lines.readline(), end="")
            """
        for _ in 0..<2 {
            let outcome = try TapSimProgram.run(["-c", ask, "\(port)", words[1]], program: TapSimProgram.python)
            #expect(outcome.output == "-\n00\n0004040201001103\n", "\(outcome.error)")
        }
        #expect(server.end(by: SIGTERM) == 0)
    }

    @Test func `closes its output after the address, for a shell that waits for it`() throws {
        let script =
            "set -- $(\"$0\" exchange Scenarios/cards/ntag215.yaml --listen tcp:0 --parent $$ &); echo \"$1, $2\""
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path], program: "/bin/sh")
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains(#/^tcp:[0-9]+, [0-9A-F]{32}$/#.anchorsMatchLineEndings()))
    }

    @Test(arguments: [("udp:1", 2, "unix:PATH or tcp:PORT"), ("unix:no/such/folder/card", 3, "cannot listen")])
    func `reports why it cannot listen`(address: String, code: Int32, sentence: String) throws {
        let outcome = try TapSim.run(["exchange", "Scenarios/cards/ntag215.yaml", "--listen", address])
        #expect(outcome.exitCode == code)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
        #expect(outcome.output.isEmpty)
    }
}

/// Messages about invalid lines, in any number.
@Suite struct `Endless complaints` {
    @Test func `are printed 20 times, then counted once a second`() {
        var limit = MessageLimit()
        let start = ContinuousClock.now
        let told = { (number: Int, time: Duration) in limit.line(for: "line \(number)", at: start + time) }
        for number in 1...20 { #expect(told(number, .zero) == "line \(number)") }
        #expect(limit.rest() == nil)
        #expect(told(21, .milliseconds(1)) == nil)
        #expect(told(22, .milliseconds(1_000)) == nil)
        #expect(told(23, .milliseconds(1_001)) == "3 more; the last: line 23")
        #expect(told(24, .milliseconds(2_000)) == nil)
        #expect(told(25, .seconds(60)) == "2 more; the last: line 25")
        #expect(told(26, .milliseconds(60_999)) == nil)
        #expect(limit.rest() == "1 more; the last: line 26")
        #expect(limit.rest() == nil)
    }

    @Test func `do not fill standard error`() throws {
        let input = String(repeating: "x\n", count: 100_000)
        let outcome = try TapSim.run(["exchange", "Scenarios/cards/ntag215.yaml"], input: input)
        #expect(outcome.exitCode == 2)
        #expect(outcome.output == String(repeating: "?\n", count: 100_000))
        let lines = outcome.error.split(separator: "\n")
        #expect(lines[19] == "line 20: `x` at position 1 is not a hexadecimal digit")
        let counts = lines.dropFirst(20).map { Int($0.prefix { $0 != " " }) ?? 0 }
        #expect(counts.reduce(20, +) == 100_000)
        #expect(counts.count <= 150, "\(counts)")
        #expect(lines.last?.hasSuffix("the last: line 100000: `x` at position 1 is not a hexadecimal digit") == true)
    }
}

/// A running `tapsim exchange --listen`, ended at the latest when it is released.
private final class ListeningExchange {
    private let command: StartedCommand
    /// The text it printed before it closed its output.
    let address: String

    init(_ address: String) throws {
        command = try StartedCommand(["exchange", "Scenarios/cards/ntag215.yaml", "--listen", address])
        self.address = command.firstLine.trimmingCharacters(in: .newlines)
    }

    /// The standard error of a server that has printed a message and ended.
    var errors: String { command.errorText }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit code.
    func end(by signal: Int32) -> Int32 {
        command.send(signal)
        return command.awaitEnd()
    }
}
