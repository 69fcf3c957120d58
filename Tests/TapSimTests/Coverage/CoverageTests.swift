import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

/// Coverage of clients, computed from their saved runs.
@Suite struct `A coverage` {
    private let folder: String

    init() throws {
        folder = try TestFolder.make().path
    }

    private func tapsim(_ words: String...) throws -> CommandOutcome { try TapSim.run(words, in: folder) }

    private func part(_ name: String, _ outcome: CommandOutcome) throws -> (met: [String: String], never: [String]) {
        let part = try #require(outcome.json?["parts"]?[name], "\(outcome.output)\(outcome.error)")
        let met = (part["met"]?.entries ?? []).map { ($0.key.text, $0.value.text ?? "") }
        return (Dictionary(met) { first, _ in first }, (part["never"]?.items ?? []).compactMap(\.text))
    }

    @Test func `reports what a transit card reader has and has not encountered`() throws {
        #expect(try tapsim("run", "--card", "suica:trips=5", "--trace", "always").exitCode == 0)
        let outcome = try tapsim("coverage", "--json")
        #expect(outcome.exitCode == 0 && outcome.json?["traces"]?.text == "1")
        let commands = try part("commands", outcome)
        #expect(commands.met["felica.read"] != nil && commands.met["felica.polling"] == "1")
        #expect(commands.never.contains("felica.write") && commands.never.contains("felica.search_service_code"))
        // The sample card has no keys, so nothing that needs a key can occur.
        #expect(!commands.never.contains("felica.authentication1"))
        #expect(try part("states", outcome).met.keys.sorted() == ["Mode0"])
        let answers = try part("answers", outcome)
        #expect(answers.met["felica.read answered"] != nil)
        // Answers that the card gives to reads with another byte, and none that it never gives.
        #expect(
            Set(answers.never).isSuperset(of: ["felica.read status A2", "felica.read status A6", "felica.read silence"])
        )
        #expect(!answers.never.contains("felica.read status 71") && !answers.never.contains("felica.polling status A2"))
        let faults = try part("faults", outcome)
        #expect(faults.met.isEmpty && faults.never.contains("felica.status"))
        #expect(!faults.never.contains { $0.hasPrefix("ntag.") || $0.hasPrefix("pcsc.") })
    }

    @Test func `grows with faults, in runs of one client and in campaigns`() throws {
        let scenario = """
            format: 1
            cards: {suica: {template: suica, trips: 5}}
            cases:
              - {name: refused, faults: [{when: felica.read, do: {felica.status: {sf2: "A2"}}}]}
              - {name: silent, faults: [{when: felica.read, do: rf.silence}]}
            """
        try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(folder)/faults.yaml"))
        #expect(try tapsim("run", "faults.yaml", "--trace", "always").exitCode == 0)
        let outcome = try tapsim("coverage", "--json")
        let answers = try part("answers", outcome).met
        #expect(answers["felica.read status A2"] == "1" && answers["felica.read silence"] == "1")
        #expect(try part("faults", outcome).met == ["felica.status": "1", "rf.silence": "1"])
        _ = try tapsim("fuzz", "--card", "suica:trips=5", "--only", "felica.idm", "--trace", "always")
        let later = try tapsim("coverage", "--json", "--part", "faults")
        #expect(try part("faults", later).met.keys.sorted() == ["felica.idm", "felica.status", "rf.silence"])
        #expect(later.json?["parts"]?["answers"] == nil)
        let text = try tapsim("coverage").output
        #expect(text.contains("felica.read: answered") && text.contains("; never damaged"), "\(text)")
    }

    @Test func `reports the states of a tag, and for a trace alone only what occurred`() throws {
        #expect(try tapsim("run", "--card", "ndef", "--trace", "always").exitCode == 0)
        let tag = try tapsim("coverage", "--json")
        let states = try part("states", tag)
        #expect(states.met["ACTIVE"] != nil && states.never.contains("AUTHENTICATED"))
        #expect(try part("commands", tag).never.contains("ntag.pwd_auth"))
        #expect(try part("answers", tag).never.contains("ntag.read NAK 0"))
        let path = try #require(try tapsim("trace", "list").output.split(separator: "\n").first)
        let copy = "\(folder)/alone.jsonl"
        try FileManager.default.copyItem(atPath: "\(folder)/\(path)/trace.jsonl", toPath: copy)
        let alone = try tapsim("coverage", copy, "--json")
        #expect(alone.json?["cards"]?.items.isEmpty == true)
        #expect(try part("commands", alone).never == [] && part("states", alone).never == [])
    }

    @Test func `has no percentage if nothing could occur`() throws {
        _ = try tapsim("run", "--card", "ndef", "--trace", "always", "--", "true")
        let words = ["--part", "answers", "--fail-under", "1"]
        let text = try tapsim("coverage", words[0], words[1], words[2], words[3])
        #expect(text.exitCode == 1 && text.output.contains("nothing to meet"), "\(text.output)\(text.error)")
        #expect(text.error.contains("there is nothing that could be met, but `--fail-under` requires 1%"))
        let json = try tapsim("coverage", "--json", words[0], words[1]).json
        #expect(json?["parts"]?["answers"] != nil && json?["parts"]?["answers"]?["percentage"] == nil)
    }

    @Test func `fails below a percentage, and reports missing traces`() throws {
        let none = try tapsim("coverage")
        #expect(none.exitCode == 2 && none.error.contains("error: no traces in .tapsim/runs\nhelp: "))
        #expect(try tapsim("coverage", "gone").error.contains("gone is neither a folder nor a trace.jsonl"))
        #expect(try tapsim("coverage", "--fail-under", "101").exitCode == 2)
        #expect(try tapsim("coverage", "--part", "answer").error.contains("answers"))
        _ = try tapsim("run", "--card", "suica", "--trace", "always")
        #expect(try tapsim("coverage", "--fail-under", "1").error.contains("needs a part"))
        #expect(try tapsim("coverage", "--part", "commands", "--fail-under", "1").exitCode == 0)
        let low = try tapsim("coverage", "--part", "faults", "--part", "states", "--fail-under", "90")
        #expect(low.exitCode == 1 && low.error.contains("of the faults were met") && !low.error.contains("states"))
        #expect(low.error.contains("`--fail-under` requires 90%") && low.json?["percentage"] == nil)
        #expect(try tapsim("coverage", "--part", "states", "--fail-under", "100").exitCode == 0)
    }
}
