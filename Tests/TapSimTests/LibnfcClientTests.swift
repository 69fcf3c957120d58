import Foundation
import TapSystem
import TapDocument
import Testing

/// Programs of Debian's libnfc, and a program in C, run by `tapsim run`.
@Suite struct `Installed programs on libnfc` {
    /// Runs a client against a scenario or a card and returns its output; requires that the case passed through the
    /// transport.
    private func output(_ words: [String], _ client: [String]) throws -> String {
        let outcome = try TapSim.run(["run"] + words + ["--json", "--"] + client)
        let report = try #require(
            outcome.json?["scenarios"]?[0]?["cases"]?[0], "\(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(report["transport"]?.text == "libnfc")
        return report["client"]?["stdout"]?.text ?? ""
    }

    private static let reader = Result<String, any Error> {
        let path = try TapSimProgram.file("libnfc_reader", "")
        let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/libnfc_reader.c $(pkg-config --cflags --libs libnfc)"
        let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return path
    }

    @Test func `nfc-list finds cards of both kinds in the field`() throws {
        let scenario = try TapSimProgram.file(
            "both.yaml",
            """
            format: 1
            cards:
              tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80"}
              transit: {template: suica, idm: "01 01 0A 10 20 30 40 50"}
            expect: {cards: {tag: unchanged, transit: unchanged}}
            """)
        let text = try output([scenario], ["nfc-list"])
        #expect(text.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  80"))
        #expect(text.contains("ID (NFCID2): 01  01  0a  10  20  30  40  50"))
        #expect(text.contains("1 Felica (212 kbps) passive target(s) found"))
    }

    @Test func `nfc-poll waits for a card and notices when it leaves`() throws {
        let scenario = try TapSimProgram.file(
            "waiting.yaml",
            """
            format: 1
            cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80"}}
            timeline: [{at: 300ms, tap: tag}, {when: ntag.read, remove: tag}]
            expect: {counts: {ntag.read: 1..}}
            """)
        let text = try output([scenario], ["nfc-poll"])
        #expect(text.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  80"))
        #expect(text.contains("Waiting for card removing"))
    }

    @Test func `nfc-mfultralight identifies a tag by its version and reads all pages`() throws {
        let file = try TapSimProgram.file("dump.mfd", "")
        let text = try output(["--card", "ndef"], ["nfc-mfultralight", "r", file])
        #expect(text.contains("NTAG215 (504 user bytes)"))
        #expect(text.contains("135 of 135 pages read"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == 135 * 4)
    }

    @Test func `a C program reads pages of a tag that arrives while it waits`() throws {
        let scenario = try TapSimProgram.file(
            "late.yaml",
            """
            format: 1
            cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80", ndef: [{uri: "https://example.org"}]}}
            timeline: [{at: 300ms, tap: tag}]
            expect: {counts: {ntag.read: 1}, cards: {tag: unchanged}}
            """)
        let text = try output([scenario, "--transport", "libnfc"], [Self.reader.get(), "tag"])
        #expect(text == "UID 04A1B2C3D4E580\npages 0310D1010C55046578616D706C652E6F\n")
    }

    @Test func `a C program reads the history of a transit card`() throws {
        let text = try output(["--card", "suica:balance=3120,trips=20"], [Self.reader.get(), "transit"])
        let lines = text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("IDm 01") == true)
        let records = lines.dropFirst().compactMap { $0.hasPrefix("record ") ? $0.dropFirst("record ".count) : nil }
        #expect(records.count == 20)
        // Bytes 10 and 11, little-endian: 3120 yen.
        #expect(records.first?.dropFirst(20).prefix(4) == "300C")
    }

    @Test func `a chip error is passed to the program`() throws {
        let scenario = try TapSimProgram.file(
            "chip.yaml",
            """
            format: 1
            cards: {tag: {template: ndef}}
            reader: {model: acr122u, over: libnfc}
            faults: [{when: ntag.read, do: {reader.chip_status: {status: 2}}}]
            client: {run: [\(try Self.reader.get()), tag]}
            expect: {client: {exit: 1, stderr: "no answer: RF Transmission Error"}}
            """)
        let outcome = try TapSim.run(["run", scenario, "--allow-client"])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    }

    @Test func `a program without a device setting gets a hint about the variable`() throws {
        let client = ["env", "-u", "LIBNFC_DEVICE", "LIBNFC_AUTO_SCAN=false", "nfc-list"]
        let outcome = try TapSim.run(["run", "--card", "ndef", "--transport", "libnfc", "--"] + client)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("LIBNFC_DEVICE"))
    }

    @Test func `a program with a fixed port finds the line through a link, which is removed with the service`() throws {
        let link = try TapSimProgram.file("port", "")
        try FileManager.default.removeItem(atPath: link)
        let line = """
            eval "$("$0" serve --card ndef:uid=04A1B2C3D4E580 --tty "$1" --env --parent $$ &)" &&
            LIBNFC_DEVICE="pn532_uart:$1:115200" nfc-list; test -L "$1" && "$0" ctl stop
            """
        let outcome = try TapSimProgram.run(["-c", line, TapSimProgram.path, link], program: "/bin/sh")
        #expect(
            outcome.output.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  80"), "\(outcome.output)\(outcome.error)")
        #expect(outcome.exitCode == 0)
        let file = try TapSimProgram.file("taken", "kept")
        let taken = try TapSim.run(["serve", "--card", "ndef", "--tty", file, "--env"])
        #expect(taken.exitCode == 3)
        #expect(taken.error.contains("use another path or remove the existing file"), "\(taken.error)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
    }
}
