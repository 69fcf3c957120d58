import Foundation
import TapDocument
import Testing

/// Access to the cards by anyone except the user they are served for.
@Suite struct `Strangers on the same machine` {
    @Test func `find no nfcpy transport if no client uses it`() throws {
        let served = try ServedCards(["--card", "ndef"])
        #expect(served.environment["TAPSIM_NFCPY"] == nil)
        #expect(try served.json("status")["transports"]?.items.map { $0["name"]?.text } == ["pcsc", "libnfc"])
        for (arguments, isOpen) in [([], false), (["{nfcpy}"], true), (["--path={nfcpy}"], true), (["nfcpy"], false)] {
            let client = ["sh", "-c", "echo \"[$TAPSIM_NFCPY] [$1]\"", "sh"] + arguments
            let outcome = try TapSim.run(["run", "--card", "ndef", "--"] + client)
            #expect(outcome.output.contains("[] [") != isOpen, "\(outcome.output)")
            #expect(outcome.output.contains("[udp:127.0.0.1:") == isOpen, "\(outcome.output)")
        }
    }

    private static let atPorts = ["nfcpy", "pn532-tcp", "felica-rs", "proxmark3"]

    @Test(arguments: atPorts)
    func `see a closed port after a client tried it in vain`(transport: String) throws {
        let client = ["--transport", "pcsc", "--", "python3", "client.py", "{\(transport)}"]
        let outcome = try TapSim.run(["run", "--card", "ndef"] + client)
        #expect(outcome.exitCode == 2)
        #expect(
            outcome.error.contains(
                "no reader uses the transport of `{\(transport)}`; use `over: \(transport)` or `--transport \(transport)`"
            ))
    }

    /// The user is served after the stranger, who is ignored both while connected and after disconnecting.
    @Test(
        .enabled(if: geteuid() == 0, "only root can be another user too"),
        arguments: [
            ("pn532-tcp", "TAPSIM_PN532_TCP", "0000ff02fed4022a00", "0000ff00ff000000ff06fad50332010607e800"),
            // An empty object, and the error.
            ("felica-rs", "TAPSIM_FELICA_RS", "7b7d0a", "7b22737461747573223a"),
            ("proxmark3", "TAPSIM_PROXMARK3", "504d3361008013016133504d3361008030046133", "504d336200800000300462"),
        ])
    func `are ignored by a TCP transport`(transport: String, variable: String, command: String, answer: String)
        throws
    {
        let cards = try ServedCards(["--card", "suica:idm=01010A1020304050", "--transport", transport])
        let script = """
            import encodings.idna, os, socket
            host, port = os.environ["\(variable)"].split(":")[-2:]
            transport = (host, int(port))
            command, answer = bytes.fromhex("\(command)"), bytes.fromhex("\(answer)")
            def say():
                try:
                    client = socket.create_connection(transport, timeout=60)
                    client.sendall(command)
                    return client
                except OSError:
                    return None  # hung up before
            os.seteuid(65534)
            stranger, gone = say(), say()
            if gone:
                gone.close()
            os.seteuid(0)
            user = socket.create_connection(transport, timeout=60)
            user.sendall(command)
            heard = b""
            while len(heard) < len(answer):
                heard += user.recv(1024)
            print(heard[:len(answer)].hex())
            try:
                print(stranger.recv(1024) if stranger else b"")
            except OSError:
                print(b"")
            """
        let outcome = try TapSimProgram.run(
            ["-c", script], environment: cards.environment, program: TapSimProgram.python)
        #expect(outcome.output == "\(answer)\nb''\n", "\(outcome.output)\(outcome.error)")
    }

    /// The user sends last and gets an answer; by then any answer to the stranger would have arrived.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user too"))
    func `are ignored by the nfcpy transport, along with their remaining data`() throws {
        let cards = try ServedCards(["--card", "suica:idm=01010A1020304050", "--transport", "nfcpy"])
        let script = """
            import os, socket, sys
            host, port = os.environ["TAPSIM_NFCPY"].split(":")[1:]
            transport = (host, int(port))
            user = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            user.settimeout(60)
            os.seteuid(65534)
            stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            stranger.sendto(b"212F 060000030000", transport)
            gone = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            gone.sendto(b"212F 060000030000", transport)
            gone.close()
            os.seteuid(0)
            user.sendto(b"212F 060000030000", transport)
            print(user.recv(1024).decode())
            try:
                print(stranger.recv(1024, socket.MSG_DONTWAIT))
            except BlockingIOError:
                print("silence")
            """
        let outcome = try TapSimProgram.run(
            ["-c", script], environment: cards.environment, program: TapSimProgram.python)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("212F 120101010a1020304050") == true, "\(outcome.output)\(outcome.error)")
        #expect(lines.last == "silence")
        #expect(try cards.json("status")["exchanges"]?.text == "1")
    }
}
