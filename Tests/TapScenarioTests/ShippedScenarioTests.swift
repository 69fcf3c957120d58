import Foundation
import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapWire
import TapYAML
import TestSupport
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The scenarios of the repository` {
    @Test(arguments: ShippedScenarios.readable)
    func `load without errors`(_ path: String) throws {
        let loaded = LoadedScenario(ShippedScenarios.text(path), name: path)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        #expect(loaded.diagnostics.isEmpty || path == "negative/swapped-code.yaml", "\(loaded.diagnostics.text())")
        #expect(try #require(loaded.scenario).cases.count >= 1)
    }

    @Test(arguments: ShippedScenarios.broken)
    func `with errors match the expected diagnostics`(_ path: String) {
        let loaded = LoadedScenario(ShippedScenarios.text(path), name: "Scenarios/\(path)")
        let expected = ShippedScenarios.folder.appendingPathComponent(path.replacing(".yaml", with: ".expected"))
        let isUpdating = ProcessInfo.processInfo.environment["TAPSIM_UPDATE_EXPECTED"] != nil
        if isUpdating { try? (loaded.diagnostics.text() + "\n").write(to: expected, atomically: true, encoding: .utf8) }
        let text = try? String(contentsOf: expected, encoding: .utf8)
        #expect(loaded.diagnostics.text() + "\n" == text)
        #expect(loaded.scenario == nil)
    }

    @Test(arguments: ShippedScenarios.readable)
    func `keep their meaning when resolved`(_ path: String) throws {
        let scenario = try #require(LoadedScenario(ShippedScenarios.text(path), name: path).scenario)
        for test in scenario.cases {
            let text = JSONWriter.text(test.resolved, .pretty)
            let again = LoadedScenario(text, name: path.replacing(".yaml", with: ".json"), seed: 99)
            #expect(!again.diagnostics.hasErrors, "\(again.diagnostics.text())")
            let copy = try #require(again.first)
            #expect(copy.cards == test.cards)
            #expect(copy.client?.node == test.client?.node)
            #expect(copy.seed == 99 && copy.limits == test.limits)
            #expect(copy.pace == test.pace && copy.settings.clock == test.settings.clock)
            #expect(copy.name == test.name && copy.tags == test.tags && copy.scenarioName == test.scenarioName)
            #expect(copy.timeline.remaining.map(\.actions) == test.timeline.remaining.map(\.actions))
            #expect(copy.timeline.remaining.map(\.trigger) == test.timeline.remaining.map(\.trigger))
            #expect(copy.expectations.items.map(\.path) == test.expectations.items.map(\.path))
            let same = try #require(LoadedScenario(text, name: "a.json").first)
            #expect(JSONWriter.text(same.resolved, .pretty) == text)
            let written = LoadedScenario(test.resolvedText, name: "written.yaml")
            #expect(!written.diagnostics.hasErrors, "\(written.diagnostics.text())")
            #expect(JSONWriter.text(try #require(written.first).resolved, .pretty) == text)
        }
    }

    @Test func `have defaults that are also valid in files`() {
        var waiting = [ScenarioLoader.table]
        var known: Set<String> = []
        var count = 0
        while let table = waiting.popLast() {
            guard known.insert(table.noun).inserted else { continue }
            for key in table.keys {
                waiting += Self.tables(in: key.shape)
                guard let standard = key.standard else { continue }
                var diagnostics = Diagnostics()
                #expect(key.shape.read(.text(standard), as: key.name, into: &diagnostics) != nil, "\(key.name)")
                count += 1
            }
        }
        #expect(count > 15)
    }

    private static func tables(in shape: Shape) -> [KeyTable] {
        switch shape {
        case .table(let table): [table()]
        case .items(let item, _): tables(in: item)
        case .named(_, let values): tables(in: values)
        case .variants(let shapes): shapes.flatMap(tables)
        case .scalar, .free: []
        }
    }

    @Test func `pass the published schema`() throws {
        let url = ShippedScenarios.folder.appendingPathComponent("schema/scenario-1.schema.json")
        if ProcessInfo.processInfo.environment["TAPSIM_UPDATE_SCHEMA"] != nil {
            try ScenarioLoader.schemaText.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == ScenarioLoader.schemaText)
        let schema = JSONSchema.of(ScenarioLoader.table, title: "TapSim scenario, format 1")
        for path in ShippedScenarios.readable {
            var diagnostics = Diagnostics()
            let file = SourceFile(name: path, text: ShippedScenarios.text(path))
            let node = try #require(YAMLReader().read(file, into: &diagnostics))
            #expect(SchemaValidator(schema).accepts(node), "\(path)")
            #expect(SchemaValidator(schema).accepts(GuessingReader.convert(node)), "\(path)")
        }
    }

    /// Everything that the key tables accept can be decoded.
    @Test func `decode without traps, as do all documents accepted by the tables`() {
        let words =
            CommandName.all.map(\.rawValue)
            + [
                "1", "tag", "a", "b", "/a/0", "", "suica", "RC-S962", "NTAG215", "1..3", "5ms", "0.5", "true",
                "2026-11-18",
            ]
            + ["001-230", "12:30", "none", "1234567890123456", "text", "example.com:x", "unchanged", "maxReadBlocks"]
            + [1, 2, 3, 4, 7, 8, 16].map { String(repeating: "A1", count: $0) }
        var documents = RandomDocuments(
            seed: TestSeed.value, "scenario", texts: words, hasReferences: false, tries: 300)
        for round in 0..<40 {
            let node = documents.next(.map(ScenarioLoader.table))
            var diagnostics = Diagnostics()
            let entries = node.entries.filter { !$0.key.text.hasPrefix(KeyTable.freePrefix) }
            let scenario = ScenarioLoader.scenario(from: .map(NodeMap(entries)), file: "a", into: &diagnostics)
            #expect((scenario == nil) == diagnostics.hasErrors, "seed \(TestSeed.value), round \(round)")
            for test in scenario?.cases ?? [] { _ = test.resolved }
        }
    }

    /// No external input may trap the program.
    @Test(arguments: 0..<4)
    func `do not trap if corrupted`(_ part: Int) {
        let documents = ShippedScenarios.paths().map { ShippedScenarios.text($0) }
        var mutations = Mutations(seed: TestSeed.value, "scenarios \(part)", of: documents)
        for _ in 0..<400 {
            let text = String(decoding: mutations.next(), as: UTF8.self)
            let loaded = LoadedScenario(text)
            #expect(loaded.scenario != nil || loaded.diagnostics.hasErrors, "seed \(TestSeed.value)")
            for test in loaded.scenario?.cases ?? [] { _ = test.makeWorld() }
        }
    }
}
