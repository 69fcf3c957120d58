import Foundation
import TapSystem
import TapDocument
import TestSupport
import Testing

/// Logs that programs write at our transports become scenarios with which the same programs run again.
@Suite struct `Importing logs of programs` {
    /// A log that a program writes, and its scenario.
    private struct Files {
        let log: String
        let scenario: String

        init() throws {
            let folder = try TestFolder.make().path
            (log, scenario) = ("\(folder)/client.log", "\(folder)/client.private.yaml")
        }

        /// Imports the log, and returns the messages.
        func importLog(_ options: [String] = []) throws -> String {
            let words = ["record", "--import", log, "-o", scenario, "--private"]
            let outcome = try TapSim.run(words + options)
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
            return outcome.output + outcome.error
        }

        /// Runs a client with the scenario, and returns its output; requires that the case passed.
        func replay(_ transport: [String], _ client: [String]) throws -> String {
            try Replay.run([scenario] + transport, client)
        }
    }

    private enum Replay {
        static func run(_ words: [String], _ client: [String], in folder: String = TapSimProgram.root) throws -> String
        {
            let outcome = try TapSim.run(["run"] + words + ["--json", "--"] + client, in: folder)
            let report = try #require(
                outcome.json?["scenarios"]?[0]?["cases"]?[0], "\(outcome.end)\n\(outcome.output)\n\(outcome.error)")
            #expect(
                report["passed"]?.text == "true", "\(report["client"]?["stderr"]?.text ?? "")\n\(outcome.output)")
            return report["client"]?["stdout"]?.text ?? ""
        }
    }

    private static func script(_ name: String) -> String { "\(TapSimProgram.root)/Tests/Clients/\(name)" }

    private static let reader = Result<String, any Error> {
        let path = try TapSimProgram.file("libnfc_reader", "")
        let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/libnfc_reader.c $(pkg-config --cflags --libs libnfc)"
        let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return path
    }

    @Test(arguments: [("nfcpy", ""), ("libnfc", ""), ("usb rc-s380", "usb"), ("usb acr122u", "usb")])
    func `nfcpy rereads a transit card and a tag from its debug log`(transport: String, path: String) throws {
        let parts = transport.split(separator: " ").map(String.init)
        let words = ["--transport", parts[0]] + parts.dropFirst().flatMap { ["--model", $0] }
        for (card, program) in [("suica:balance=3120,trips=20", "nfcpy_felica.py"), ("ndef", "nfcpy_ntag.py")] {
            let files = try Files()
            let client = [Self.script(program)] + (path.isEmpty ? [] : [path])
            let logged = [TapSimProgram.python, Self.script("nfcpy_logged.py"), files.log] + client
            let first = try Replay.run(["--card", card] + words, logged)
            #expect(try files.importLog().contains("note:") == false)
            #expect(try files.replay(words, [TapSimProgram.python] + client) == first)
        }
    }

    @Test func `libnfc programs reread a card from its log`() throws {
        for (card, program) in [
            ("suica:balance=3120,trips=20", [try Self.reader.get(), "transit"]),
            ("ndef", [try Self.reader.get(), "tag"]),
            ("ndef", ["nfc-mfultralight", "r", try TapSimProgram.file("dump.mfd", "")]), ("ndef", ["nfc-list"]),
        ] {
            let files = try Files()
            let shell = ["/bin/sh", "-c", "LIBNFC_LOG_LEVEL=3 \"$@\" 2> \"$0\"", files.log]
            let first = try Replay.run(["--card", card, "--transport", "libnfc"], shell + program)
            guard program != ["nfc-list"] else {
                // It finds the card but sends no commands to it.
                let outcome = try TapSim.run([
                    "record", "--import", files.log, "-o", files.scenario, "--private",
                ])
                #expect(outcome.exitCode == 2)
                #expect(outcome.error.contains("no command to a card was found"), "\(outcome.error)")
                continue
            }
            #expect(try files.importLog().contains("note:") == false)
            #expect(try files.replay(["--transport", "libnfc"], program) == first)
        }
    }

    @Test func `a C program rereads a tag from the log of pcscd`() throws {
        let files = try Files()
        let daemon = try PrivatePCSCD(readers: ["Virtual"], logsAPDUs: true)
        let reader = try #require(daemon.readers.first)
        let card = try ServedCards(["--transport", "vpcd:\(reader.port)", "--card", "ndef"])
        let client = try PCSCClient.compiled()
        let first = try TapSimProgram.run(
            Array(client.command.dropFirst()), environment: ["PCSCLITE_CSOCK_NAME": daemon.socket],
            program: client.command[0])
        #expect(first.exitCode == 0, "\(first.error)")
        _ = card.stop()
        try FileManager.default.copyItem(atPath: daemon.log, toPath: files.log)
        #expect(try files.importLog().contains("wrote \(files.scenario): 2 exchanges"))
        let again = try files.replay([], client.command)
        // Without --debug the log does not name the reader.
        #expect(again.split(separator: "\n").dropFirst() == first.output.split(separator: "\n").dropFirst())
    }

    @Test func `programs behave the same with the output of pcsc-spy`() throws {
        for (card, model, client) in [
            ("ndef", "acr122u", try PCSCClient.compiled().command),
            ("suica", "rc-s300", PCSCClient.python("sony_escape.py").command),
        ] {
            let files = try Files()
            let spied = ["python3", Self.script("spied.py"), files.log] + client
            let first = try Replay.run(["--card", card, "--model", model], spied)
            #expect(try files.importLog().contains("note:") == false)
            #expect(try files.replay([], client) == first)
        }
    }

    @Test func `a client rereads a card from the trace of a run`() throws {
        let files = try Files()
        let client = [TapSimProgram.python, Self.script("nfcpy_felica.py")]
        let folder = try TestFolder.make().path
        let words = ["--card", "suica:balance=3120,trips=20", "--transport", "nfcpy", "--trace", "always"]
        let first = try Replay.run(words, client, in: folder)
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let trace = try #require(found.first { $0.hasSuffix("trace.jsonl") })
        try FileManager.default.copyItem(atPath: "\(folder)/\(trace)", toPath: files.log)
        #expect(try files.importLog().contains("note:") == false)
        #expect(try files.replay(["--transport", "nfcpy"], client) == first)
    }

    @Test(arguments: ["suica", "icoca", "nanaco", "edy", "waon", "ndef", "NTAG213", "RC-S966"])
    func `the trace of a card replays without personal data`(card: String) throws {
        let folder = try TestFolder.make().path
        let first = try TapSim.run(["run", "--card", card, "--trace", "always"], in: folder)
        #expect(first.exitCode == 0, "\(first.output)\(first.error)")
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let trace = try #require(found.first { $0.hasSuffix("trace.jsonl") })
        let imported = try TapSim.run(["record", "--import", trace, "-o", "card.yaml"], in: folder)
        #expect(imported.exitCode == 0, "\(imported.error)")
        for words in [["run", "card.yaml"], ["record", "--check", "card.yaml"]] {
            let outcome = try TapSim.run(words, in: folder)
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func `each visit becomes a file, and unplaced lines need --force`() throws {
        let files = try Files()
        let log = """
            12:00:01 > 93 70 88 04 A1 B2 9F
            12:00:01 < 04
            12:00:01 > 95 70 C3 D4 E5 80 72
            12:00:01 < 00
            12:00:01 > 30 04
            12:00:01 < 00
            12:00:02 > 93 70 88 04 A1 B2 9F
            12:00:02 < 04
            12:00:02 > 95 70 C3 D4 E5 81 73
            12:00:02 < 00
            12:00:02 > 60
            12:00:02 < 00 04 04 02 01 00 11 03
            what is 01 02 03 04

            """
        try log.write(toFile: files.log, atomically: true, encoding: .utf8)
        let words = ["record", "--import", files.log, "-o", files.scenario, "--private"]
        let refused = try TapSim.run(words)
        #expect(refused.exitCode == 1 && refused.error.contains("nothing was written"), "\(refused.error)")
        let doubt = "\n  line 13: the line contains bytes, but its kind is unknown: what is 01 02 03 04\nerror: "
        #expect(refused.error.contains(doubt), "\(refused.error)")
        #expect(!FileManager.default.fileExists(atPath: files.scenario))
        let said = try files.importLog(["--force"])
        let second = files.scenario.replacing(".private", with: "-2.private")
        #expect(
            said.contains("wrote \(files.scenario): 1 exchange\n") && said.contains("wrote \(second): 1 exchange\n"))
        #expect(
            said.contains("note: line 13: the line contains bytes, but its kind is unknown: what is 01 02 03 04\n"))
        let text = try String(contentsOfFile: second, encoding: .utf8)
        #expect(
            text.contains("04 A1 B2 C3 D4 E5 81") && text.contains("# Imported from hexadecimal lines"))
        let again = try TapSim.run(["record", "--import", files.log, "-o", files.scenario, "--private"])
        #expect(again.exitCode == 2 && again.error.contains("--force"), "\(again.error)")
        let input = try TapSim.run(
            ["record", "--import", "-", "--format", "hex", "-o", files.scenario, "--private", "--force", "--json"],
            input: log)
        #expect(input.json?["files"]?.items.count == 2, "\(input.error)")
    }

    @Test func `a file that is not a log is rejected with a list of formats`() throws {
        let file = try TapSimProgram.file("notes.txt", "nothing of any kind\n")
        let refused = try TapSim.run(["record", "--import", file, "--private"])
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("the log format is unknown"), "\(refused.error)")
        #expect(refused.error.contains("the log of pcscd --apdu"))
        let empty = try TapSim.run(["record", "--import", "-", "--private"], input: "\n")
        #expect(empty.exitCode == 2 && empty.error.contains("the log is empty"), "\(empty.error)")
        let dump = try TapSimProgram.file("tag.txt", "Type2Tag 'NXP NTAG213' ID=04A1B2C3D4E580\n000: 04 A1 B2 9F\n")
        let hint = try TapSim.run(["record", "--import", dump, "--private"]).error
        #expect(hint.contains("is a dump of a card, not a log"), "\(hint)")
    }
}
