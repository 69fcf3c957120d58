import Foundation
import TapDocument
import Testing

/// `tapsim ctl` and its socket, with valid and invalid requests.
@Suite struct `Controlling served cards` {
    @Test func `moves cards, and reports the result of each request`() throws {
        let cards = try ServedCards(["--card", "suica", "--card", "ndef"])
        #expect(try cards.json("remove")["removed"]?.items.map(\.text) == ["suica", "ndef"])
        #expect(try cards.json("tap", "suica")["tapped"]?[0]?.text == "suica")
        #expect(try cards.json("tap", "suica")["tapped"]?.items.isEmpty == true)
        #expect(try cards.json("swap", "suica", "ndef", "--gap", "20ms")["gap"]?.text == "20000000")
        var present: [String?] = []
        for _ in 0..<1_000 where present.isEmpty {
            present =
                try cards.json("status")["cards"]?.items.filter { $0["present"]?.text == "true" }
                .map { $0["name"]?.text } ?? []
        }
        #expect(present == ["ndef"])
        #expect(try cards.ctl("swap", "suica", "ndef").error.contains("tap it first"))
        #expect(try cards.ctl("tap", "ndef").output == "ndef is already on the reader\n")
    }

    @Test func `replaces a card in place, and restores all cards`() throws {
        let cards = try ServedCards(["--card", "suica:balance=3120,trips=20", "--transport", "nfcpy"])
        #expect(try cards.read() == ("3120", "20"))
        let definition = try cards.json("set", "suica", "balance=5000", "trips=1")["definition"]
        #expect(definition?["systems"] != nil)
        #expect(try cards.read() == ("5000", "1"))
        let wrong = try cards.ctl("set", "suica", "balanse=1")
        #expect(wrong.exitCode == 2)
        #expect(wrong.error.contains("did you mean `balance`?"))
        #expect(try cards.json("reset")["reset"]?.text == "true")
        #expect(try cards.json("status")["exchanges"]?.text == "0")
        #expect(try cards.read() == ("3120", "20"))
    }

    @Test func `gives two services with the same seed, and a reset service, the same exchanges`() throws {
        let journals = try (0..<2).map { _ in
            let cards = try ServedCards(["--card", "suica", "--seed", "3", "--transport", "nfcpy"])
            try cards.read()
            let first = try cards.json("journal")
            _ = try cards.ctl("reset")
            try cards.read()
            #expect(try cards.json("journal") == first)
            return first
        }
        #expect(journals[0] == journals[1])
    }

    @Test func `shows exchanges as text and judges them`() throws {
        let cards = try ServedCards(["--card", "suica:trips=20", "--transport", "nfcpy"])
        #expect(try cards.ctl("journal").output == "no frame has reached a card\n")
        let untouched = try cards.ctl("verify", "--never", "felica.write")
        #expect(untouched.exitCode == 1)
        #expect(untouched.output.contains("none opened"))
        try cards.read()
        let words = try cards.ctl("journal", "--last", "2").output
        #expect(words.split(separator: "\n").count { $0.contains(" >  ") } == 2)
        let journal = try cards.json("journal", "--last", "2")
        #expect(journal["exchanges"]?.items.count == 2)
        #expect(journal["count"]?.text == "3")
        #expect(try cards.ctl("verify", "--count", "felica.read=1..", "--never", "felica.write").exitCode == 0)
        let failed = try cards.ctl("verify", "--count", "felica.read=1", "--never", "felica.polling")
        #expect(failed.exitCode == 1)
        // In the user's order, not in the socket's order.
        #expect(failed.output.contains("        --count felica.read=1   expected 1, got 2\n"), "\(failed.output)")
        #expect(failed.output.contains("        --never felica.polling   expected no felica.polling"))
        #expect(!failed.output.contains("control"))
        // The nearest exchange is marked.
        #expect(failed.output.contains("\n        >"))
        #expect(failed.output.contains("reproduce  tapsim serve --card suica:trips=20 --seed 1 --transport nfcpy"))
        let verdict = try cards.json("verify", "--count", "felica.read=1")
        #expect(verdict["passed"]?.text == "false")
        #expect(verdict["failures"]?[0]?["exchange"] != nil)
        #expect(verdict["failures"]?[0]?["path"]?.text == "--count felica.read=1")
        #expect(verdict["failures"]?[0]?["file"] == nil)
    }

    @Test func `judges by a file, and by the scenario's expectations on the field`() throws {
        let cards = try ServedCards(["Scenarios/felica/suica-history.yaml", "--case", "1", "--transport", "nfcpy"])
        try cards.read()
        let own = try cards.ctl("verify")
        #expect(own.exitCode == 0, "\(own.output)")
        #expect(own.output.contains("not judged, since TapSim did not start the client: expect."))
        let right = try TapSimProgram.file("right.yaml", "expect: {never: [felica.write], cards: {suica: unchanged}}\n")
        #expect(try cards.ctl("verify", "--file", right).exitCode == 0)
        let wrong = try TapSimProgram.file("wrong.yaml", "counts: {felica.write: 3}\n")
        let failed = try cards.ctl("verify", "--file", wrong)
        #expect(failed.exitCode == 1)
        #expect(
            failed.output.contains("expect.counts  felica.write  in \(wrong)   expected 3, got 0"), "\(failed.output)")
        let unseen = try TapSimProgram.file("unseen.yaml", "client: {exit: 0}\n")
        let refused = try cards.ctl("verify", "--file", unseen)
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("expect.client.exit is not visible to the field"))
        let nothing = try ServedCards(["--card", "ndef"]).ctl("verify")
        #expect(nothing.exitCode == 2)
        #expect(nothing.error.contains("has no expectations for the field"))
    }

    @Test func `saves page, trace and case of the session, with failed expectations`() throws {
        let cards = try ServedCards(["--card", "suica:trips=20", "--transport", "nfcpy"])
        try cards.read()
        _ = try cards.ctl("verify", "--count", "felica.read=7")
        let folder = try TapSimProgram.file("kept", "") + ".d/deep"
        let kept = try cards.ctl("keep", folder, "--because", "the till shows <b>0 yen</b>")
        #expect(kept.exitCode == 0, "\(kept.error)")
        let files = [
            "trace.jsonl", "trace.html", "client.out", "client.err", "resolved.json", "meta.json", "trace.pcapng",
        ]
        #expect(kept.output == "kept in \(folder): \(files.joined(separator: ", "))\n")
        let meta = try String(contentsOfFile: "\(folder)/meta.json", encoding: .utf8)
        #expect(meta.contains("--count felica.read=7"), "\(meta)")
        #expect(meta.contains("\"got\": \"the till shows <b>0 yen</b>\""), "\(meta)")
        let page = try String(contentsOfFile: "\(folder)/trace.html", encoding: .utf8)
        #expect(page.contains("the till shows \\u003Cb>0 yen"))
        let shown = try TapSim.run(["trace", "show", "\(folder)/trace.jsonl"])
        #expect(shown.exitCode == 0 && shown.output.contains("Read 090F"), "\(shown.output)\(shown.error)")
        let again = try cards.ctl("keep", folder)
        #expect(again.exitCode == 2 && again.error.contains("trace.jsonl already exists; use `--force` to replace it"))
        #expect(try cards.ctl("keep", folder, "--force").exitCode == 0)
        try FileManager.default.removeItem(atPath: "\(folder)/meta.json")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/meta.json", withDestinationPath: "\(folder).outside")
        let linked = try cards.ctl("keep", folder, "--force")
        #expect(linked.exitCode == 2 && linked.error.contains("meta.json is a symbolic link"), "\(linked.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder).outside"))
        #expect(try cards.ctl("stop", "--because", "x").error.contains("`--because` is only for `keep`"))
    }

    @Test func `waits for connected programs, and releases its path for the next service`() throws {
        let folder = try TapSimProgram.file("place", "")
        let socket = "\(folder).sock"
        let cards = try ServedCards(["--card", "ndef", "--socket", socket])
        let program = try ResidentConnection(cards)
        let stopped = try cards.json("stop", "--linger")
        #expect(stopped["clients"]?.text == "1")
        let next = try ServedCards(["--card", "suica", "--socket", socket])
        #expect(try program.say("transmit") == "8010001D")
        #expect(try program.say("disconnect") == "00000000")
        #expect(try program.say("release") == "00000000")
        #expect(cards.awaitEnd() == 0)
        #expect(try next.ctl("status").exitCode == 0)
        let alone = try ServedCards(["--card", "ndef"])
        _ = try alone.ctl("stop", "--linger")
        #expect(alone.awaitEnd() == 0)
    }

    @Test func `has no phone, and explains where phones are available`() throws {
        let cards = try ServedCards(["--card", "ndef"])
        let refused = try cards.ctl("phone", "cancel")
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("an app built on VirtualCoreNFC has one"))
        #expect(try cards.ctl("phone", "radio", "none").error.contains("expected `on` or `off`"))
        #expect(try cards.ctl("phone").error.contains("write `tapsim ctl phone cancel|background|radio on|radio off`"))
    }

    @Test(arguments: [
        ("", "empty"), ("no JSON", "error"), ("[]", "a map"), ("{}", "a key is missing"),
        ("{\"tap\": \"nobody\"}", "there is no card `nobody`; the cards are ndef"),
        ("{\"tap\": \"ndef\", \"reset\": {}}", "cannot be combined with"),
        ("{\"tapp\": \"ndef\"}", "did you mean `tap`?"), ("{\"journal\": {\"last\": 0}}", "out of range"),
        ("{\"swap\": {\"out\": \"ndef\"}}", "`in` is missing"),
        ("{\"set\": {\"card\": \"ndef\", \"values\": 3}}", "a map"),
        ("{\"verify\": {\"counts\": {\"felica.raed\": 1}}}", "did you mean `felica.read`?"),
        ("{\"stop\": {}, \"stop\": {}}", "duplicate key"),
    ])
    func `answers an invalid request with a message and continues`(line: String, sentence: String) throws {
        let cards = try ServedCards(["--card", "ndef"])
        let answer = try #require(try cards.ask(line))
        #expect(answer.contains("\"ok\":false"))
        #expect(answer.contains(sentence) || sentence == "error", "\(answer)")
        #expect(try cards.ctl("status").exitCode == 0)
    }

    @Test func `treats a line of any length or content as an invalid request at worst`() throws {
        let cards = try ServedCards(["--card", "ndef"])
        let long = String(repeating: "x", count: 3 << 20)
        #expect(try cards.ask(long)?.contains("at most 1048576 bytes") == true)
        let deep = String(repeating: "[", count: 100_000)
        #expect(try cards.ask(deep)?.contains("\"ok\":false") == true)
        #expect(try cards.ask("\u{0}\u{1B}[2J")?.contains("\"ok\":false") == true)
        #expect(try cards.ctl("status").exitCode == 0)
    }

    @Test func `keeps serving while others hold connections, send half a line, or disconnect`() throws {
        let cards = try ServedCards(["--card", "ndef"])
        let script = """
            import socket, sys
            held = []
            for number in range(400):
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                try:
                    client.send(b'{"status": {}}\\n' * 3 if number % 2 else b'{"sta')
                except OSError:
                    pass
                held.append(client)
            print("held")
            sys.stdout.flush()
            sys.stdin.read()
            """
        let outcome = try TapSimProgram.run(
            ["-c", script, cards.control], input: "", program: TapSimProgram.python)
        #expect(outcome.output == "held\n", "\(outcome.error)")
        #expect(try cards.ctl("status").exitCode == 0)
    }
}

/// A program that stays connected to a card and performs libpcsclite calls on request, with pyscard.
private final class ResidentConnection {
    private static let script = """
        import sys
        from smartcard.scard import *
        _, context = SCardEstablishContext(SCARD_SCOPE_USER)
        _, names = SCardListReaders(context, [])
        code, card, protocol = SCardConnect(context, names[0], SCARD_SHARE_SHARED, SCARD_PROTOCOL_ANY)
        calls = {
            "connect": lambda: code,
            "transmit": lambda: SCardTransmit(card, SCARD_PCI_T1, [0xFF, 0xCA, 0, 0, 0])[0],
            "disconnect": lambda: SCardDisconnect(card, SCARD_LEAVE_CARD),
            "release": lambda: SCardReleaseContext(context),
        }
        for line in sys.stdin:
            print("%08X" % (calls[line.strip()]() & 0xFFFFFFFF), flush=True)
        """
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ cards: ServedCards) throws {
        process.executableURL = URL(fileURLWithPath: TapSimProgram.python)
        process.arguments = ["-c", Self.script]
        process.environment = ProcessInfo.processInfo.environment.merging(cards.environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(try say("connect") == "00000000")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Lets the program make a call, and returns the return code.
    func say(_ call: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(call)\n".utf8))
        var line = Data()
        while line.last != 0x0A {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
