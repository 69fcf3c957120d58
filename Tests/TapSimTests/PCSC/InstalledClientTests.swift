import Testing

/// Programs of Debian's pcsc-tools, and a program in C, run by `tapsim run`.
@Suite struct `Installed programs on PC/SC` {
    @Test func `pcsc_scan prints reader and card`() throws {
        let scenario = try TapSimProgram.scenario("Scenarios/cards/suica.yaml", before: "rc-s300")
        let text = try PCSCClient(command: ["pcsc_scan", "-t", "1"]).output(of: scenario)
        #expect(text.contains("SONY FeliCa RC-S300/P 00 00"))
        #expect(text.contains("Card inserted"))
        #expect(text.contains("RFID - FeliCa (generic)"))
    }

    @Test func `scriptor sends the commands of a file`() throws {
        let scenario = try TapSimProgram.scenario("Scenarios/cards/ntag215.yaml", before: "storage-card")
        let script = try TapSimProgram.file("script", "reset\nFF CA 00 00 00\nFF B0 00 03 04\nFF B0 00 FF 10\n")
        let text = try PCSCClient(command: ["scriptor", script]).output(of: scenario)
        #expect(text.contains("E1 10 3E 00 90 00"))
    }

    @Test func `a C program waits for a tag, reads it and notices when it leaves`() throws {
        let scenario = try TapSimProgram.file(
            "waiting.yaml",
            """
            format: 1
            cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80"}}
            timeline: [{at: 30ms, tap: tag}, {when: ntag.read, remove: tag}]
            expect: {counts: {ntag.read: 1}, cards: {tag: unchanged}}
            """)
        let text = try PCSCClient.compiled("--until-removed").output(of: scenario)
        #expect(text.contains("ATR 3B8F8001804F0CA0000003060300030000000068\n"))
        #expect(text.contains("UID 04A1B2C3D4E580\n"))
        #expect(text.hasSuffix("card taken away\n"))
    }

    @Test func `a program that looks for pcscd at a fixed path gets a hint about the variable`() throws {
        let outcome = try TapSim.run(
            ["run", "--card", "suica", "--", "env", "-u", "PCSCLITE_CSOCK_NAME", "pcsc_scan", "-r"])
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("PCSCLITE_CSOCK_NAME"))
    }
}
