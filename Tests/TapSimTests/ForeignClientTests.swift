import TapSystem
import TapDocument
import Testing

/// Third-party programs that read virtual cards: unmodified nfcpy 1.0.4 with its UDP driver, for which our program sets a
/// minimum answer time-out of 200 ms, with its driver for a PN532 on a serial port, and with its drivers for USB readers.
@Suite struct `Third-party clients` {
    private func run(_ card: String, transport: String, _ program: String, _ options: [String] = []) throws -> Node {
        try run(["--card", card], transport: transport, program, options)
    }

    private func run(_ cards: [String], transport: String, _ program: String, _ options: [String] = []) throws -> Node {
        let parts = transport.split(separator: " ").map(String.init)
        let reader = ["--transport", parts[0]] + parts.dropFirst().prefix(1).flatMap { ["--model", $0] }
        let client = [TapSimProgram.python, "Tests/Clients/\(program)"] + parts.dropFirst(2) + options
        let outcome = try TapSim.run(["run"] + cards + reader + ["--json", "--"] + client)
        let first = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        let report = try #require(first, "exit \(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        #expect(outcome.exitCode == 0, "\(report["client"]?["stderr"]?.text ?? "")")
        #expect(report["transport"]?.text == parts[0])
        var diagnostics = Diagnostics()
        let output = SourceFile(name: "client", text: report["client"]?["stdout"]?.text ?? "")
        return try #require(JSONReader().read(output, into: &diagnostics), "\(output.bytes.count) bytes of output")
    }

    /// A transport, and for USB a reader and its path in nfcpy; most scripts use plain `usb`.
    private static let ways = [
        "nfcpy", "libnfc", "usb rc-s380 usb", "usb rc-s380 usb:054c:06c3", "usb rc-s330 usb", "usb acr122u usb",
        "usb scl3711 usb",
    ]

    @Test(arguments: ways)
    func `nfcpy polls both systems of a card, dumps them, reads 20 trips and cannot read 13 blocks`(transport: String)
        throws
    {
        let found = try run("suica:balance=3120,trips=20", transport: transport, "nfcpy_felica.py")
        #expect(found["systems"]?.items.map(\.text) == ["0003", "FE00", "86A7"])
        #expect(found["polled"]?["0003"]?.text?.hasPrefix("01") == true)
        #expect(found["polled"]?["FE00"]?.text?.hasPrefix("11") == true)
        let dump = found["dump"]?.items.compactMap(\.text) ?? []
        #expect(dump.contains { $0.contains("System 0003") })
        #expect(dump.contains { $0.contains("System FE00") })
        #expect(dump.count > 50)
        let trips = found["trips"]?.items ?? []
        #expect(trips.count == 20)
        #expect(trips.first?["balance"]?.text == "3120")
        #expect(found["refused"]?.text == "FFA2")
    }

    /// RC-S915 answers Search Service Code in 1.8 ms, but its PMm states 0.9 ms, which a PN532 extends to 1.6 ms.
    @Test(arguments: [("RC-S915", true, 0), ("RC-S915", false, 58), ("RC-S962", true, 58)])
    func `nfcpy lists a card if it waits longer than the PMm states, and fails otherwise`(
        ic: String, isBare: Bool, nodes: Int
    ) throws {
        let card = ["--card", "suica:ic=\(ic)"] + (nodes == 0 ? ["--allow-no-read"] : [])
        let found = try run(card, transport: "libnfc", "nfcpy_search.py", isBare ? ["--no-floor"] : [])
        #expect(found["nodes"]?.text == (nodes == 0 ? nil : "\(nodes)"))
        #expect(found["error"]?.text?.contains("timeout") == (nodes == 0 ? true : nil))
    }

    @Test(arguments: ways)
    func `nfcpy recognises an NTAG215, reads and writes NDEF, protects it and authenticates`(transport: String) throws {
        let found = try run("ndef", transport: transport, "nfcpy_ntag.py")
        #expect(found["product"]?.text == "NXP NTAG215")
        #expect(found["before"]?.items.count == 1)
        #expect(found["written"]?[0]?.text == "https://example.com/" + String(repeating: "w", count: 300))
        #expect(found["protected"]?.text == "true")
        #expect(found["without password"]?.text == "null")
        #expect(found["wrong password"]?.text == "false")
        #expect(found["right password"]?.text == "true")
        #expect(found["with password"] == found["written"])
    }

    @Test(arguments: ["nfcpy", "libnfc"])
    func `nfcpy formats, protects and authenticates a FeliCa Lite-S, and reads and writes NDEF with MACs`(
        transport: String
    ) throws {
        let found = try run("Lite-S", transport: transport, "nfcpy_lite.py")
        #expect(found["class"]?.text == "FelicaLiteS")
        for step in ["factory key", "formatted", "protected", "right password", "again"] {
            #expect(found[step]?.text == "true", "\(step)")
        }
        #expect(found["plain"]?[0]?.text == "https://example.com/first")
        #expect(found["without password"]?.text == "null")
        #expect(found["plain read"]?.text == "01B1")
        #expect(found["plain write"]?.text == "01A8")
        #expect(found["key write"]?.text == "01A8")
        #expect(found["wrong password"]?.text == "false")
        #expect(found["with password"] == found["plain"])
        #expect(found["counted"]?.text == "1")
        #expect(found["after power-off"]?.text == "null")
        #expect(found["written with MAC"]?[0]?.text == "https://example.com/second")
        #expect(found["dump"]?.items.count ?? 0 > 10)
    }

    @Test(arguments: ["nfcpy", "libnfc"])
    func `nfcpy formats, protects and authenticates a FeliCa Lite, and reads NDEF with MACs`(transport: String) throws {
        let found = try run("Lite", transport: transport, "nfcpy_lite.py")
        #expect(found["class"]?.text == "FelicaLite")
        for step in ["factory key", "formatted", "protected", "right password"] {
            #expect(found[step]?.text == "true", "\(step)")
        }
        #expect(found["plain"]?[0]?.text == "https://example.com/first")
        #expect(found["without password"] == found["plain"])
        #expect(found["plain read"]?.text == "null")
        #expect(found["plain write"]?.text == "01A8")
        #expect(found["wrong password"]?.text == "false")
        #expect(found["with password"] == found["plain"])
        #expect(found["attributes"]?.text?.hasPrefix("100401000") == true)
    }

    /// The tag leaves during the second write, and returns after nfcpy has given up.
    @Test(arguments: ["Lite-S", "RC-S962"])
    func `nfcpy does not treat a torn message as readable`(ic: String) throws {
        let scenario = try TapSimProgram.file(
            "torn.yaml",
            """
            format: 1
            cards: {tag: {ic: \(ic), ndef: [{uri: "https://example.com/t"}]}}
            faults: [{when: {command: felica.write, nth: 2}, do: {mem.tear: {back_in: 3s}}}]
            expect: {client: {exit: 0}}

            """)
        let found = try run([scenario], transport: "nfcpy", "nfcpy_torn.py")
        #expect(found["before"]?[0]?.text == "https://example.com/t")
        #expect(found["error"]?.text != nil)
        #expect(found["readable"]?.text == "false")
    }

    @Test func `nfcpy gets the result of an empty sense at once, and tries the next technology`() throws {
        let found = try run("suica", transport: "nfcpy", "nfcpy_senses.py")
        let senses = found["senses"]?.items.compactMap(\.text) ?? []
        #expect(
            senses.prefix(5) == [
                ">>> 106A 26", "<<< RFOFF", ">>> 106B 050010", "<<< RFOFF", ">>> 212F 0600ffff0100",
            ])
        #expect(senses.count == 7 && senses[5].hasPrefix("<<< 212F 1401") && senses[6] == ">>> RFOFF", "\(senses)")
    }

    @Test(arguments: [("suica", "212F"), ("ndef", "106A")])
    func `nfcpy finds a card that arrives later`(template: String, technology: String) throws {
        let scenario = try TapSimProgram.file(
            "late.yaml", "format: 1\ncards: {card: {template: \(template)}}\ntimeline: [{after: 100ms, tap: card}]\n")
        let found = try run([scenario], transport: "nfcpy", "nfcpy_senses.py")
        #expect(found["found"]?.items.map(\.text) == [technology])
    }

    @Test func `pyserial reads an NTAG215 and a Suica with a PN532 over TCP`() throws {
        let tag = try run("ndef:uid=04A1B2C3D4E5F6", transport: "pn532-tcp", "pn532_socket.py", ["{pn532-tcp}"])
        #expect(tag["uid"]?.text == "04a1b2c3d4e5f6")
        #expect(tag["page 4"]?.text?.hasPrefix("03") == true)
        #expect(tag["page 10"]?.text == "41424344")
        let card = try run(
            "suica:idm=01010A1020304050,balance=3120", transport: "pn532-tcp", "pn532_socket.py", ["{pn532-tcp}"])
        #expect(card["idm"]?.text == "01010a1020304050")
        #expect(card["systems"]?.text == "030003fe0086a7")
        #expect(card["blocks"]?.text?.count == 64)
    }

    /// Requests of felica-rs 1.0.1, sent by Python.
    @Test func `a client of the felica-rs remote reader polls a Suica, and reads its systems and a block`() throws {
        let card = "suica:idm=01010A1020304050,balance=3120"
        let found = try run(card, transport: "felica-rs", "felica_rs_remote.py", ["{felica-rs}"])
        for rate in ["212F", "424F"] {
            #expect(found[rate]?["idm"]?.text == "01010A1020304050")
            #expect(found[rate]?["rd"]?.text == "0003")
        }
        #expect(found["plain"]?["rd"] == nil)
        #expect(found["absent"]?["status"]?.text == "error")
        #expect(found["systems"]?["response"]?.text == "110D01010A1020304050030003FE0086A7")
        #expect(found["block"]?["response"]?.text?.hasPrefix("1D0701010A1020304050000001") == true)
        #expect(found["unknown"]?["status"]?.text == "error")
    }

    @Test func `two runs of one client have the same exchanges`() throws {
        let runs = try (0..<2).map { _ in try patientExchanges() }
        let isSame = runs[0] == runs[1]
        #expect(isSame)
        #expect(runs[0].items.count > 100)
    }

    /// Returns the exchanges of a run in which the client waited for every answer.
    ///
    /// nfcpy waits 100 ms of real time, and rereads the page if the machine was busy for longer.
    private func patientExchanges() throws -> Node {
        let client = [TapSimProgram.python, "Tests/Clients/nfcpy_ntag.py", "{nfcpy}"]
        for _ in 0..<10 {
            let outcome = try TapSim.run(["run", "--card", "ndef", "--json", "--"] + client)
            let exchanges = try #require(outcome.json?["scenarios"]?[0]?["cases"]?[0]?["exchanges"])
            let commands = exchanges.items.map { $0["command"]?["hex"]?.text ?? "" }
            let hasReadAgain = zip(commands, commands.dropFirst()).contains { $0 == $1 && $0.hasPrefix("30") }
            if !hasReadAgain { return exchanges }
        }
        throw Impatience()
    }

    /// The machine was too busy for a client that waits in real time.
    private struct Impatience: Error {}
}
