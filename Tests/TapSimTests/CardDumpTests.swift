import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

/// `tapsim card`, and dumps instead of cards, as a user types them.
@Suite struct `Dumps on the command line` {
    /// A folder with dumps exported by the command.
    private struct Folder {
        let path: String

        init(_ exports: [(card: String, format: String, name: String)]) throws {
            path = try TestFolder.make().path
            for export in exports {
                let outcome = try run(
                    "card", "export", export.card, "--format", export.format, "-o", export.name)
                try #require(outcome.exitCode == 0, "\(outcome.error)")
            }
        }

        func run(_ words: String...) throws -> CommandOutcome { try TapSim.run(words, in: path) }

        func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
        }

        func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
    }

    private static let tag = "NTAG215:uid=04A23B5C6D7E80,ndef.0.uri=https://example.com/dump,config.pwd=12345678"
    private static let suica = "suica:balance=3120,trips=3"

    @Test func `can be run as cards`() throws {
        let folder = try Folder([
            (Self.tag, "flipper", "tag.nfc"), (Self.tag, "bin", "tag.bin"), (Self.suica, "flipper", "transit.nfc"),
            (Self.suica, "pm3-json", "transit.json"),
        ])
        for name in ["tag.nfc", "tag.bin"] {
            let outcome = try folder.run("run", name)
            #expect(
                outcome.exitCode == 0 && outcome.output.contains("URI https://example.com/dump"), "\(outcome.error)")
        }
        for name in ["transit.nfc", "transit.json"] {
            let outcome = try folder.run("run", name)
            #expect(outcome.exitCode == 0 && outcome.output.contains("balance 3120 yen   3 trips"), "\(outcome.error)")
            #expect(outcome.error.contains("warning[S078]: system 0003: services that need a key were not read"))
        }
        let client = ["--", "true"]
        let other = try TapSim.run(
            ["run", "--card", "\(folder.path)/tag.nfc:uid=04112233445566", "--json"] + client)
        #expect(other.json?["scenarios"]?[0]?["name"]?.text == "tag", "\(other.error)")
    }

    @Test func `are imported with comments on missing parts, without replacing files`() throws {
        let folder = try Folder([(Self.tag, "bin", "tag.bin"), (Self.suica, "flipper", "transit.nfc")])
        let outcome = try folder.run("card", "import", "tag.bin", "-o", "tag.yaml")
        #expect(outcome.exitCode == 0 && outcome.output == "wrote tag.yaml\n", "\(outcome.error)")
        #expect(outcome.error.contains("note: the dump does not contain the NFC counter; it starts at 0"))
        let text = try folder.text("tag.yaml")
        #expect(
            text.hasPrefix(
                "# Written by tapsim card import from tag.bin, raw memory.\n# The dump does not contain")
        )
        #expect(try folder.run("check", "tag.yaml").exitCode == 0)
        #expect(try folder.run("fmt", "--check", "tag.yaml").exitCode == 0)
        #expect(try folder.run("card", "diff", "tag.yaml", "tag.bin").output == "the cards are the same\n")
        let again = try folder.run("card", "import", "tag.bin", "-o", "tag.yaml")
        #expect(again.exitCode == 2 && again.error.contains("tag.yaml already exists; use `--force` to replace it"))
        #expect(try folder.run("card", "import", "tag.bin", "-o", "tag.yaml", "--force").exitCode == 0)
        #expect(try folder.run("card", "import", "transit.nfc", "-o", "transit.yaml").exitCode == 0)
        let run = try folder.run("run", "transit.yaml")
        #expect(run.output.contains("balance 3120 yen") && run.error.isEmpty, "\(run.error)")
    }

    @Test func `that are truncated or invalid are rejected with the line and a list of formats`() throws {
        let folder = try Folder([(Self.tag, "flipper", "tag.nfc"), (Self.tag, "bin", "tag.bin")])
        try folder.write(
            "cut.nfc", try folder.text("tag.nfc").split(separator: "\n").prefix(60).joined(separator: "\n"))
        let cut = try folder.run("run", "cut.nfc")
        #expect(
            cut.exitCode == 2 && cut.error.contains("the file ends before `Page 42`\n  cut.nfc:60:21"), "\(cut.error)")
        try Data(try folder.bytes("tag.bin").prefix(200)).write(to: URL(fileURLWithPath: "\(folder.path)/cut.bin"))
        let short = try folder.run("card", "import", "cut.bin")
        #expect(short.exitCode == 2 && short.output.isEmpty)
        #expect(short.error.contains("the dump ends at offset 200, after page 49"), "\(short.error)")
        try folder.write("notes.txt", "hello\n")
        for words in [["run", "notes.txt"], ["card", "show", "notes.txt"], ["card", "import", "notes.txt"]] {
            let outcome = try TapSim.run(words, in: folder.path)
            #expect(outcome.exitCode == 2)
            #expect(outcome.error.contains(".nfc of Flipper Zero, .bin or .json of Proxmark3"), "\(outcome.error)")
        }
    }

    @Test func `that are truncated after a Proxmark3 header are rejected with that reason`() throws {
        let folder = try Folder([(Self.tag, "eml", "tag.eml")])
        try folder.write(
            "cut.eml", try folder.text("tag.eml").split(separator: "\n").prefix(50).joined(separator: "\n"))
        let cut = try folder.run("card", "import", "cut.eml")
        #expect(cut.exitCode == 2, "\(cut.output)")
        #expect(
            cut.error.contains("the dump ends at offset 200, with 36 pages after a header of the Proxmark3 client"),
            "\(cut.error)")
    }

    @Test func `are distinguished from logs, scenarios, folders and missing files`() throws {
        let folder = try Folder([(Self.tag, "flipper", "tag.nfc")])
        try folder.write("n.log", "> 30 04\n< 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10\n")
        try folder.write("t.yaml", "format: 1\ncards: {tag: {template: ndef}}\n")
        for (words, said) in [
            (["run", "n.log"], "To turn it into a scenario: tapsim record --import n.log"),
            (["card", "show", "n.log"], "To turn it into a scenario: tapsim record --import n.log"),
            (["card", "import", "t.yaml"], "t.yaml is a scenario, not a dump"),
            (["card", "edit", "gone.yaml", "uid=04"], "there is no file gone.yaml"),
            (["card", "show", "gone.yaml"], "there is no file gone.yaml"),
            (["card", "show", "."], ". is a folder"),
            (["card", "show", "/gone/tag.nfc"], "there is no file /gone/tag.nfc"),
            (["run", "--card", "/gone/tag.nfc"], "there is no file /gone/tag.nfc"),
            (
                ["card", "export", "tag.nfc", "--format", "foo", "-o", "x"],
                "expected `flipper`, `bin`, `mfd`, `pm3-bin`, `pm3-json` or `eml`"
            ),
            (["record", "--probe", "c.yaml", "--trace", "x.json"], "a trace ends in .jsonl; write --trace x.jsonl"),
        ] {
            let outcome = try TapSim.run(words, in: folder.path)
            #expect(outcome.exitCode == 2 && outcome.error.contains(said), "\(words)\n\(outcome.error)")
        }
    }

    @Test func `are shown in words`() throws {
        let folder = try Folder([
            ("NTAG213:preset=amiibo", "bin", "figure.bin"), (Self.suica, "flipper", "transit.nfc"),
        ])
        let tag = try folder.run("card", "show", "figure.bin").output
        for words in [
            "locked pages        03, 0D to 11", "CFGLCK            configuration locked forever",
            "AUTHLIM           7 wrong passwords", "AUTH0             page 04", "PACK 8080", "records  none",
        ] { #expect(tag.contains(words), "\(words)\n\(tag)") }
        let transit = try folder.run("card", "show", "transit.nfc")
        for words in ["system 0003", "area 0800", "balance 3120 yen", "usage history of transit card", "date 20"] {
            #expect(transit.output.contains(words), "\(words)\n\(transit.output)")
        }
        #expect(transit.error.contains("note: dumps never contain keys"))
    }

    @Test func `are exported with a note about values that the format cannot store`() throws {
        let folder = try Folder([])
        let card = "NTAG215:uid=04112233445566,config.counter.value=7,config.counter.enabled=true"
        let bin = try folder.run("card", "export", card, "--format", "bin", "-o", "a.bin")
        #expect(bin.error == "note: raw memory cannot store these values of the card: config.counter.value\n")
        #expect(try folder.bytes("a.bin").count == 540)
        #expect(try folder.run("card", "export", card, "--format", "flipper", "-o", "a.nfc").error.isEmpty)
        #expect(try folder.run("card", "export", "a.nfc", "--format", "pm3-json", "-o", "a.json").error.isEmpty)
        #expect(try folder.run("card", "diff", "a.nfc", "a.json").exitCode == 0)
        let wrong = try folder.run("card", "export", "suica", "--format", "bin", "-o", "b.bin")
        #expect(wrong.exitCode == 2 && wrong.error.contains("use flipper or pm3-json"), "\(wrong.error)")
    }

    @Test func `of a transit card have the new balance in their blocks after an edit`() throws {
        let folder = try Folder([
            (Self.suica, "flipper", "transit.nfc"), ("edy:balance=77,trips=2", "pm3-json", "edy.json"),
            (Self.tag, "flipper", "tag.nfc"),
        ])
        for (dump, words) in [("transit.nfc", "balance 5000 yen   3 trips"), ("edy.json", "balance 5000 yen")] {
            let edit = try folder.run("card", "edit", dump, "balance=5000", "-o", "\(dump).yaml")
            #expect(edit.exitCode == 0, "\(edit.error)")
            let shown = try folder.run("card", "show", "\(dump).yaml").output
            #expect(shown.contains(dump == "edy.json" ? "purse value 5000 yen" : "balance 5000 yen"), "\(shown)")
            if dump == "transit.nfc" { #expect(try folder.run("run", "\(dump).yaml").output.contains(words)) }
        }
        let none = try folder.run("card", "edit", "tag.nfc", "balance=5000", "-o", "tag.yaml")
        #expect(
            none.exitCode == 2 && none.error.contains("does not know where this card stores its balance"),
            "\(none.error)")
    }

    @Test func `become cards that can be created, edited and compared`() throws {
        let folder = try Folder([(Self.tag, "flipper", "tag.nfc")])
        #expect(try folder.run("card", "new", "suica:balance=1000,trips=2", "-o", "a.yaml").exitCode == 0)
        try folder.write("a.yaml", "# mine\n" + folder.text("a.yaml"))
        #expect(try folder.run("card", "edit", "a.yaml", "balance=5000").output == "wrote a.yaml\n")
        #expect(try folder.text("a.yaml").hasPrefix("# mine\nformat: 1\n"))
        #expect(try folder.run("run", "a.yaml").output.contains("balance 5000 yen"))
        let missing = try folder.run("card", "edit", "tag.nfc", "uid=04112233445566")
        #expect(missing.exitCode == 2 && missing.error.contains("use `-o`"), "\(missing.error)")
        #expect(try folder.run("card", "edit", "tag.nfc", "uid=04112233445566", "-o", "b.yaml").exitCode == 0)
        let difference = try folder.run("card", "diff", "tag.nfc", "b.yaml", "--json")
        #expect(difference.exitCode == 1)
        #expect(difference.json?.items.compactMap { $0["key"]?.text }.contains("uid") == true, "\(difference.output)")
        let wrong = try folder.run("card", "edit", "a.yaml", "balance=x")
        #expect(wrong.exitCode == 2 && wrong.error.contains("balance"), "\(wrong.error)")
        #expect(try folder.run("card", "paint", "a").error.contains("there is no `card paint`"))
    }
}

/// Dumps that other programs make of our cards read back as the same cards.
@Suite struct `Dumps of other programs` {
    @Test func `of nfc-mfultralight match the card that it read`() throws {
        let folder = try TestFolder.make().path
        let card = "NTAG216:uid=04A23B5C6D7E80,ndef.0.uri=https://example.com/mfd"
        let dump = try TapSim.run(
            ["run", "--card", card, "--", "nfc-mfultralight", "r", "\(folder)/tag.mfd"])
        #expect(dump.exitCode == 0, "\(dump.output)")
        let difference = try TapSim.run(["card", "diff", card, "\(folder)/tag.mfd", "--json"])
        #expect(
            Set(difference.json?.items.compactMap { $0["key"]?.text } ?? ["?"]) == ["pages.229", "config.pwd_known"])
    }

    @Test(
        arguments: [
            ("NTAG215:uid=04A23B5C6D7E80,ndef.0.text=hello", ["pages.133", "config.pwd_known"]),
            ("suica:balance=3120,trips=20", nil), ("FeliCa Lite-S:ndef.0.text=hello", []),
        ] as [(String, [String]?)])
    func `of nfcpy match the card that it read`(card: String, keys: [String]?) throws {
        let folder = try TestFolder.make().path
        let client = [TapSimProgram.python, "Tests/Clients/nfcpy_show.py", "{nfcpy}"]
        let run = try TapSim.run(["run", "--card", card, "--json", "--"] + client)
        let shown = run.json?["scenarios"]?[0]?["cases"]?[0]?["client"]?["stdout"]?.text
        try Data((shown ?? "").utf8).write(to: URL(fileURLWithPath: "\(folder)/dump.txt"))
        let difference = try TapSim.run(["card", "diff", card, "\(folder)/dump.txt", "--json"])
        let found = difference.json?.items.compactMap { $0["key"]?.text }
        if let keys {
            #expect(Set(found ?? ["?"]) == Set(keys), "\(shown ?? "")\n\(difference.error)")
        } else {
            // A dump lacks the contents protected by the card's keys.
            let open = found?.filter { $0.contains(".008B.") || $0.contains(".090F.") || $0.contains("areas") }
            #expect(open == [], "\(difference.output)\(difference.error)")
            let read = try TapSim.run(["run", "\(folder)/dump.txt"])
            #expect(read.output.contains("balance 3120 yen   20 trips"), "\(read.error)")
        }
    }
}
