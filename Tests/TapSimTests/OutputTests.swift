import Foundation
import ScenarioSupport
import TapCommand
import TapDocument
import TapReport
import TestSupport
import Testing

/// The verbs' output with `--json`, checked against the schema in `docs`.
///
/// Keys come from the tables behind the schema; the verbs that use them, and their arguments, are listed again here.
///
/// Suites of an audit and the doctor start `tapsim`: the doctor sets a variable of its process.
@Suite struct `JSON output` {
    private struct Document {
        let words: [String]
        let node: Node

        init(_ words: [String], _ node: Node) {
            self.words = words
            self.node = node
        }

        init(
            of words: [String], environment: [String: String] = [:], in folder: String = TapSimProgram.root
        ) throws {
            let outcome =
                words == ["doctor", "--json"]
                ? try `The doctor`.report.get() : try TapSim.run(words, environment: environment, in: folder)
            self.init(words, try #require(outcome.json, "\(words): \(outcome.error)"))
        }
    }

    /// Checks the output of a verb against the schema.
    private static func fits(_ document: Document) -> Bool {
        let schema: Node = [
            "$ref": .text("#/definitions/\(document.words[0])"),
            "definitions": OutputDocument.schema["definitions"] ?? [],
        ]
        return SchemaValidator(schema).accepts(document.node)
    }

    private static func expectFits(_ documents: [Document]) {
        for document in documents {
            #expect(fits(document), "\(document.words): \(JSONWriter.text(document.node).prefix(1000))")
        }
    }

    @Test func `is described for every verb that supports it`() throws {
        // The overview lists a verb per line; the lines after it are indented further.
        let lines = try TapSim.run(["--help"]).output.split(separator: "\n")
        let names = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map { line in
            String(line.dropFirst(2).prefix { $0 != " " })
        }
        #expect(names.contains("run") && names.count > 10)
        let withJSON = try names.filter { try TapSim.run([$0, "--help-all"]).output.contains("\n  --json") }
        #expect(withJSON.sorted() == OutputDocument.verbNames.sorted())
    }

    @Test func `is invalid with a missing or extra key`() {
        let run: Node = ["tapsim": "1", "scenarios": [], "passed": 0, "failed": 0, "skipped": 0]
        let entries = run.entries.map { ($0.key.text, $0.value) }
        #expect(Self.fits(Document(["run"], run)))
        for wrong in [entries + [("more", 1)], Array(entries.dropLast())] {
            #expect(!Self.fits(Document(["run"], .map(wrong))))
        }
        #expect(!Self.fits(Document(["decode"], run)))
    }

    private static let calls = [
        ["run", "--card", "suica", "--", "/bin/sh", "-c", "kill -9 $$"],
        ["run", "--card", "ndef", "--timeout", "1s", "--", "/bin/sleep", "5"], ["run", "gone.yaml"],
        ["run", "Scenarios/readers/unplugged.yaml"],
        ["fuzz", "--card", "suica", "--only", "rf.silence"], ["fuzz", "--card", "ndef", "--only", "mem.*"],
        ["fuzz", "--card", "suica", "--only", "rf.silence", "--list"], ["fuzz", "gone.yaml"],
        ["audit", "--", "/bin/true"],
        ["check", "Scenarios"], ["check", "Scenarios/uses/fuzz.yaml", "--resolved"], ["check", "gone.yaml"],
        ["check", "Scenarios/uses/fuzz.yaml", "--resolved", "--case", "1"],
        ["list", "cards"], ["list", "ics"], ["list", "models"], ["list", "readers"], ["list", "faults"],
        ["list", "lies"], ["list", "control-cards"],
        ["list", "scenarios"], ["list", "x"],
        ["explain"], ["explain", "FF A2"], ["explain", "RC-S962"], ["explain", "rf.silence"], ["explain", "suica"],
        ["explain", "S012"], ["explain", "acr122u"], ["explain", "x x"],
        ["decode", "0600FFFF0100"], ["decode", "26:7"], ["decode", "9325880001:21"], ["decode", "FFCA000000"],
        ["decode", "160100022D4712340102B80B00012300"], ["decode", "D1011155046578616D706C652E636F6D2F31323334"],
        ["decode", "D6 00 01 01 0F 01"], ["decode", "zz"], ["webusb", "http://localhost:8000"],
        ["card", "show", "ndef"], ["card", "show", "suica"], ["card", "diff", "ndef", "NTAG213"],
        ["card", "show", "gone.nfc"], ["doctor"], ["doctor", "x"], ["serve"], ["ctl", "--control", "gone", "status"],
    ]

    @Test func `matches the schema`() throws {
        let documents = try Self.calls.map { words in
            let kept = words[0] == "run" ? ["--trace", "off"] : []
            return try Document(of: [words[0], "--json"] + kept + words.dropFirst())
        }
        Self.expectFits(documents)
    }

    @Test func `matches the schema for an audit`() throws {
        let suite = ["--", TapSimProgram.path, "run", "--card", "suica:trips=3", "--trace", "off"]
        let audit = ["audit", "--json", "--trace", "off", "--only", "app.balance", "--only", "felica.status"]
        let document = try Document(of: audit + suite)
        let verdicts = document.node["cases"]?[0]?["lies"]?.items.compactMap { $0["verdict"]?.text }
        #expect(verdicts.map(Set.init) == ["noticed", "not noticed"])
        Self.expectFits([document])
    }

    @Test func `matches the schema for saved runs`() throws {
        let scenario = """
            format: 1
            cards: {suica: {template: suica}}
            cases: [{name: whole}, {name: silent, faults: [{when: felica.read, do: rf.silence}]}]
            """
        let file = try TapSimProgram.file("kept.yaml", scenario)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let run = try Document(of: ["run", "--json", "--trace", "always", "kept.yaml"], in: folder)
        let list = try Document(of: ["trace", "list", "--json"], in: folder)
        let kept = list.node.items.compactMap { $0["folder"]?.text }
        try #require(kept.count == 2)
        var documents = [run, list]
        for words in [
            ["show", kept[0]], ["export", kept[0], "copy.html"], ["diff"] + kept, ["diff", kept[0], kept[0]], ["show"],
            ["at", "3", kept[0]], ["at", "x"],
        ] {
            documents.append(try Document(of: ["trace", "--json"] + words, in: folder))
        }
        documents.append(try Document(of: ["coverage", "--json"], in: folder))
        documents.append(try Document(of: ["coverage", "--json", "gone"], in: folder))
        Self.expectFits(documents)
    }

    @Test func `matches the schema for a service`() throws {
        let cards = try ServedCards(["--transport", "nfcpy", "--card", "suica:balance=3120,trips=20", "--card", "ndef"])
        var documents = [Document(["serve"], cards.ready)]
        try cards.read()
        let kept = try TestFolder.make().path
        for words in [
            ["status"], ["remove"], ["tap", "suica"], ["swap", "suica", "tag", "--gap", "1ms"],
            ["set", "suica", "balance=1"], ["journal"], ["verify", "--count", "felica.read=1"], ["unplug"],
            ["keep", kept, "--because", "a test"],
            ["tap", "nothing"], ["phone", "cancel"], ["reset"], ["stop"],
        ] {
            documents.append(try Document(of: ["ctl", "--json"] + words, environment: ["TAPSIM_CTL": cards.control]))
        }
        let plugged = try ServedCards(["--card", "suica"])
        for words in [["unplug"], ["plug"], ["status"]] {
            documents.append(try Document(of: ["ctl", "--json"] + words, environment: ["TAPSIM_CTL": plugged.control]))
        }
        Self.expectFits(documents)
    }

    @Test func `matches the schema for an app`() throws {
        let app = try SteeredApp(["TAPSIM_CARD": "suica:balance=3120"])
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        let control = try app.control()
        var documents: [Document] = []
        for words in [["status"], ["phone", "cancel"], ["status"], ["phone", "radio", "off"], ["journal"], ["stop"]] {
            documents.append(try Document(of: ["ctl", "--json"] + words, environment: ["TAPSIM_CTL": control]))
        }
        Self.expectFits(documents)
    }
}
