import Foundation
import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReport
import TestSupport
import Testing

/// Replays a saved run to its client with the script next to it, using only Python: no card, no reader, no TapSim.
@Suite struct `A recorded run is replayed` {
    @Test(arguments: [("pcsc", true), ("nfcpy", true), ("usb", false), ("felica-rs", false), ("proxmark3", false)])
    func `only by a transport whose protocol the script speaks`(transport: String, isPlayed: Bool) {
        let record = RunRecord(world: World(seed: 1), client: ClientReport(end: .exit(0)), transportUsed: transport)
        #expect(ReplayScript.plays(record) == isPlayed)
    }

    /// A saved run with the script.
    private struct Recording {
        let folder: String
        let client: [String]

        /// Runs `client` against the card of a scenario, with a fault at `when` if given.
        ///
        /// - Parameter options: More options of `tapsim run`.
        init(
            _ client: [String], reader: String, card: String, fault: String = "", of when: String = "",
            options: [String] = []
        ) throws {
            let faults = fault.isEmpty ? "" : "faults: [{when: \(when), do: \(fault)}]"
            let text = "format: 1\nreader: \(reader)\ncards: {card: \(card)}\n\(faults)\n"
            let file = try TapSimProgram.file("recorded.yaml", text)
            let top = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let words = ["run", file, "--allow-client", "--trace", "always"] + options + ["--"] + client
            let outcome = try TapSim.run(words, in: top)
            let found = FileManager.default.subpaths(atPath: "\(top)/.tapsim/runs") ?? []
            let trace = try #require(found.first { $0.hasSuffix("/trace.jsonl") }, "\(outcome.output)\(outcome.error)")
            folder = "\(top)/.tapsim/runs/\(trace.dropLast("/trace.jsonl".count))"
            self.client = client
            try Data(ReplayScript.text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(ReplayScript.fileName)"))
        }

        func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

        var meta: Node {
            get throws {
                var diagnostics = Diagnostics()
                let file = SourceFile(name: "meta.json", text: try text("meta.json"))
                return try #require(JSONReader().read(file, into: &diagnostics))
            }
        }

        /// Replays the run with neither the client's packages nor TapSim available.
        func play(to words: [String]) throws -> CommandOutcome {
            let temporary = try TestFolder.make().path
            defer { #expect((try? FileManager.default.contentsOfDirectory(atPath: temporary)) == []) }
            let script = ["-I", "-S", "\(folder)/\(ReplayScript.fileName)"]
            let environment = ["PATH": "/usr/bin:/bin", "TMPDIR": temporary]
            return try TapSimProgram.run(script + words, environment: environment, program: TapSimProgram.python)
        }

        /// Replays the run to its client, which must behave the same.
        func expectTheSame(_ comment: Comment) throws {
            let played = try play(to: ["--"] + client)
            #expect(played.output == (try text("client.out")), comment)
            // Python prints addresses of its objects.
            let errors = try text("client.err").replacing(#/ at 0x[0-9a-f]+/#, with: "")
            let told = played.error.replacing(#/ at 0x[0-9a-f]+/#, with: "")
            #expect(errors.isEmpty || told.contains(errors), "\(comment)\n\(errors)\n\(played.error)")
            let exit = try meta["client"]?["exit"]?.text
            #expect(played.exitCode.map { "\($0)" } == exit, "\(comment) \(played.error)")
        }
    }

    private static let suica = "{template: suica, balance: 3120, trips: 20}"
    private static let tag = "{template: ndef}"

    private static func python(_ name: String, _ arguments: String...) -> [String] {
        [TapSimProgram.python, "\(TapSimProgram.root)/Tests/Clients/\(name)"] + arguments
    }

    private static func built(_ name: String, _ library: String) -> Result<String, any Error> {
        Result {
            let path = try TapSimProgram.file(name, "")
            let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/\(name).c $(pkg-config --cflags --libs \(library))"
            let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
            try #require(outcome.exitCode == 0, "\(outcome.error)")
            return path
        }
    }

    private static let cardUID = built("card_uid", "libpcsclite")
    private static let kiosk = built("kiosk", "libpcsclite")
    private static let libnfcReader = built("libnfc_reader", "libnfc")

    @Test(arguments: [
        ("", ""), ("felica.status", "{command: felica.read, nth: 2}"),
        ("rf.lose_tag", "{command: felica.read, nth: 2}"), ("reader.no_card", "felica.read"),
        ("reader.previous_answer", "{command: felica.read, nth: 2}"),
        ("{pcsc.return_code: {code: SCARD_E_NO_MEMORY}}", "{call: transmit, nth: 2}"),
        ("pcsc.lost_answer", "{call: transmit, nth: 3}"), ("pcsc.removed_inside", "{call: transmit, nth: 3}"),
        ("{pcsc.removed_inside: {back_in: 30ms}}", "{call: transmit, nth: 3}"),
        ("pcsc.reset_by_another", "{call: transmit, nth: 3}"), ("pcsc.short_answer", "{call: transmit, nth: 3}"),
        ("pcsc.reader_unplugged", "{call: transmit, nth: 3}"), ("pcsc.service_stopped", "{call: transmit, nth: 3}"),
        ("pcsc.return_code", "{call: connect}"), ("pcsc.return_code", "{call: establish_context}"),
    ])
    func `to a client on pyscard`(fault: String, when: String) throws {
        let client = Self.python("acr122u_transit.py")
        try Recording(client, reader: "acr122u", card: Self.suica, fault: fault, of: when).expectTheSame("\(fault)")
    }

    @Test(arguments: [
        ("", ""), ("pcsc.return_code", "{call: get_status_change}"), ("pcsc.return_code", "{call: begin_transaction}"),
        ("pcsc.return_code", "{call: status}"), ("reader.cut_data", "{call: transmit, nth: 2}"),
        ("pcsc.removed_inside", "{call: transmit}"),
    ])
    func `to a PC/SC client in C`(fault: String, when: String) throws {
        let client = [try Self.cardUID.get(), "--until-removed"]
        try Recording(client, reader: "storage-card", card: Self.tag, fault: fault, of: when).expectTheSame("\(fault)")
    }

    @Test func `to a terminal that waits for the next card and is asked to end`() throws {
        let recording = try Recording(
            [Self.kiosk.get()], reader: "storage-card", card: Self.tag, options: ["--taps", "1"])
        #expect(try recording.meta["client"]?["dismissed"]?.text == "true")
        let played = try recording.play(to: ["--"] + recording.client)
        #expect(played.output == (try recording.text("client.out")) && played.output.hasPrefix("UID "))
        #expect(played.error.contains("is asked to end") && played.exitCode == 128 + 15, "\(played.error)")
    }

    @Test(arguments: [("libnfc", ""), ("nfcpy", "{nfcpy}")])
    func `to nfcpy on a serial line and over UDP`(transport: String, path: String) throws {
        let client = Self.python("nfcpy_felica.py") + (path.isEmpty ? [] : [path])
        let recording = try Recording(
            client, reader: "storage-card", card: Self.suica, fault: "felica.truncate", of: "felica.read")
        #expect(try recording.meta["transport"]?.text == transport)
        try recording.expectTheSame("\(transport)")
    }

    @Test(arguments: [("", ""), ("reader.chip_status", "felica.read"), ("rf.silence", "felica.read")])
    func `to libnfc on a serial line`(fault: String, when: String) throws {
        let client = [try Self.libnfcReader.get(), "transit"]
        let reader = "{model: storage-card, over: libnfc}"
        try Recording(client, reader: reader, card: Self.suica, fault: fault, of: when).expectTheSame("\(fault)")
    }

    @Test func `with a table of commands and answers that marks the fault`() throws {
        let client = Self.python("acr122u_transit.py")
        let recording = try Recording(
            client, reader: "acr122u", card: Self.suica, fault: "felica.status", of: "{command: felica.read, nth: 2}")
        let played = try recording.play(to: ["--"] + client)
        let lines = played.error.split(separator: "\n").map(String.init)
        let mark = try #require(lines.firstIndex { $0.contains("!  fault felica.status: ") }, "\(played.error)")
        #expect(lines[mark + 1].contains("Read 090F blocks 12..19"))
        #expect(lines[mark + 2].hasPrefix("     <  D5 43 00 0C 07 ") && lines[mark + 2].hasSuffix("FF 70 90 00"))
        let atr = "3B8F8001804F0CA00000030603F011000000008A"
        #expect(lines.contains("     *  ACS ACR122U PICC Interface shows a card, ATR \(atr)"))
        #expect(lines.contains("replayed: the client exits 1") && lines.contains("recorded: exit 1"))
    }

    @Test func `up to the first mismatch, with a report of the expected command`() throws {
        let recording = try Recording(Self.python("acr122u_transit.py"), reader: "acr122u", card: Self.suica)
        let played = try recording.play(to: ["--"] + Self.python("acr122u_ntag.py"))
        #expect(played.exitCode == 125)
        #expect(played.error.contains("expected  FF 00 00 00 09 D4 4A 01 01 00 00 03 01 00\n"), "\(played.error)")
        #expect(played.error.contains("got       FF 00 00 00 04 D4 4A 01 00\n"))
    }

    @Test func `only to a client, and without a client prints how to replay and the original client`() throws {
        let recording = try Recording(Self.python("acr122u_transit.py"), reader: "acr122u", card: Self.suica)
        let told = try recording.play(to: [])
        #expect(told.exitCode == 0 && told.error.contains("usage: python3 replay.py -- CLIENT ARG"))
        #expect(told.error.contains("client of the recording: \(recording.client.joined(separator: " "))\n"))
        #expect(try recording.play(to: ["client"]).exitCode == 2)
        let missing = try recording.play(to: ["--", "./nosuch"])
        #expect(missing.exitCode == 2 && missing.error == "There is no program ./nosuch; check its path.\n")
        let other = try recording.play(to: ["--", "true"])
        #expect(other.exitCode == 125 && other.error.contains("asked no reader for anything"), "\(other.error)")
    }

    @Test func `not over USB, where it only shows the table`() throws {
        let recording = try Recording(Self.python("acr122u_transit.py"), reader: "acr122u", card: Self.suica)
        let transfer =
            #"{"v":1,"seq":0,"t":0,"kind":"call","layer":"usb","endpoint":"02","hex":"0102","outcome":"answer"}"#
        try Data("\(transfer)\n".utf8).write(to: URL(fileURLWithPath: "\(recording.folder)/trace.jsonl"))
        let played = try recording.play(to: ["--", "/bin/true"])
        #expect(played.exitCode == 125 && played.error.contains("  1  >  01 02\n"))
        #expect(played.error.contains("over the USB") && played.error.contains("tapsim run resolved.json"))
    }
}
