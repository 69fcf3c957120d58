import Foundation
import TapCommand
import TapDocument
import TapField
import TapReport
import TapScenario
import Testing

/// The pages generated from key tables and catalogue, and the verbs that print the same data.
@Suite struct `The documentation` {
    static let pages = [
        "docs/scenario.md": ScenarioDocument.text(), "docs/faults.md": FaultDocument.text,
        "docs/control-cards.md": ControlCardDocument.text,
        "docs/json.md": OutputDocument.text, "docs/fidelity.md": FidelityDocument.text,
        OutputDocument.schemaPath: JSONWriter.text(OutputDocument.schema, .pretty) + "\n",
    ]

    /// Files that the pages show.
    static let shown = ScenarioDocument.examples.map(\.yaml)

    @Test(arguments: pages.keys.sorted()) func `matches the tables`(path: String) throws {
        let text = try #require(Self.pages[path])
        if ProcessInfo.processInfo.environment["TAPSIM_UPDATE_DOCS"] != nil {
            try text.write(toFile: "\(TapSimProgram.root)/\(path)", atomically: true, encoding: .utf8)
        }
        #expect(try TapSimProgram.text(of: path) == text, "run the test with TAPSIM_UPDATE_DOCS=1 to update it")
    }

    @Test(arguments: shown) func `shows files that pass and are formatted`(yaml: String) throws {
        let file = try TapSimProgram.file("shown.yaml", yaml)
        let outcome = try TapSim.run(["run", file])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(try TapSim.run(["fmt", "--check", file]).exitCode == 0)
    }

    @Test func `links to existing headings`() throws {
        let text = ScenarioDocument.text()
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
        }
        let links = text.split(separator: "](#").dropFirst().map { String($0.prefix { $0 != ")" }) }
        #expect(links.count > 20)
        for link in links { #expect(headings.contains(link), "\(link)") }
        for heading in headings { #expect(headings.count { $0 == heading } == 1, "\(heading)") }
    }

    @Test func `covers every key`() throws {
        let text = ScenarioDocument.text()
        for key in ScenarioLoader.table.keys where key.notYet == nil { #expect(text.contains("| `\(key.name)`")) }
    }

    @Test func `of faults also appears in lists and explanations`() throws {
        let facts = FaultCatalogue.all
        let list = try Self.listedFaults([])
        #expect(list.count == facts.count && Set(list) == Set(facts.map(\.name)))
        #expect(try TapSim.run(["list", "faults", "--json"]).json == .list(facts.map(\.node)))
        let first = try #require(facts.first)
        let family = try Self.listedFaults(["\(first.family).*"])
        #expect(family.count == facts.count { $0.family == first.family })
        let page = try TapSim.run(["explain", first.name]).output
        for sentence in [first.summary, first.placeText] { #expect(page.contains(sentence)) }
        let unknown = try TapSim.run(["list", "faults", first.name + "x"])
        #expect(unknown.exitCode == 2)
        #expect(unknown.error.contains("did you mean `\(first.name)`?"), "\(unknown.error)")
    }

    /// The names that `list faults` prints below its headings.
    private static func listedFaults(_ arguments: [String]) throws -> [String] {
        try TapSim.run(["list", "faults"] + arguments).output.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .map { String($0.dropFirst(2).prefix { $0 != " " }) }
    }

    @Test func `lists faults under who causes them, people first`() throws {
        let lines = try TapSim.run(["list", "faults"]).output.split(separator: "\n")
        let headings = lines.filter { !$0.hasPrefix(" ") }
        #expect(headings == ["Person", "Card", "RF", "Reader", "PC/SC service", "Phone"])
        let person = lines.dropFirst().prefix { $0.hasPrefix(" ") }
        #expect(person.contains { $0.hasPrefix("  rf.lose_tag  ") } && person.allSatisfy { !$0.contains("rf.silence") })
    }

    @Test func `lists each fault once, with all its details`() {
        let facts = FaultCatalogue.all
        #expect(Set(facts.map(\.name)).count == facts.count)
        for fact in facts {
            #expect(fact.summary.hasSuffix(".") && fact.models.hasSuffix("."), "\(fact.name)")
            #expect(fact.japaneseSummary?.isEmpty == false, "\(fact.name)")
            for parameter in fact.parameters { #expect(!parameter.summary.isEmpty && !parameter.valuesText.isEmpty) }
        }
    }

    /// The listings in YAML of README.md.
    private static func readmeListings() throws -> [String] {
        let parts = try TapSimProgram.text(of: "README.md").components(separatedBy: "```yaml\n")
        return parts.dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func `of the first page shows a scenario that passes, also with the fault below it`() throws {
        let listings = try Self.readmeListings()
        let scenario = try #require(listings.first { $0.hasPrefix("format: 1\n") })
        let faults = try #require(listings.first { $0.hasPrefix("faults:\n") })
        for text in [scenario, scenario + faults] {
            let file = try TapSimProgram.file("readme.yaml", text)
            let outcome = try TapSim.run(["run", file])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
            #expect(outcome.output.hasSuffix("1 passed, 0 failed\n"))
        }
    }

    @Test(arguments: ["README.md", "SECURITY.md"]) func `names existing options and files`(page: String) throws {
        let text = try TapSimProgram.text(of: page)
        let verbs = ["run", "record", "fuzz", "serve", "exchange", "ctl", "init", "check", "fmt"].map {
            [$0, "--help-all"]
        }
        let help =
            try ([["--help"]] + verbs).map { try TapSim.run($0).output }.joined()
            + TapSimProgram.run(["--help"], program: "\(TapSimProgram.root)/Tools/test").output
        let words = Set(
            text.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") && $0.contains(where: \.isLetter) })
        #expect(words.count > 4)
        // The options of `docker` are not ours.
        for word in words.subtracting(["--platform", "--rm"]) { #expect(help.contains(word), "\(word)") }
        for link in text.split(separator: "](").dropFirst().map({ $0.prefix { $0 != ")" && $0 != "#" } }) {
            #expect(FileManager.default.fileExists(atPath: "\(TapSimProgram.root)/\(link)"), "\(link)")
        }
    }
}
