import Foundation
import ScenarioSupport
import TapDocument
import TapYAML
import TestSupport
import Testing

@Suite struct `The JSON Schema of a key table` {
    static let schema = JSONSchema.of(
        SampleLanguage.file, title: "Sample files", id: "https://example.com/sample.schema.json")

    @Test func `matches the stored schema`() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Vectors/sample.schema.json")
        let stored = try String(contentsOf: url, encoding: .utf8)
        #expect(JSONWriter.text(Self.schema, .pretty) + "\n" == stored)
    }

    @Test func `has one definition for each table and refers to every one`() throws {
        let names = try #require(Self.schema["definitions"]).entries.map(\.key.text)
        #expect(Set(names) == Set(references(in: Self.schema)))
        #expect(names.count == Set(names).count)
        let expected = [
            "file", "card", "step", "fault", "client", "case", "configuration", "swap", "action", "loss",
            "parameter-reference",
        ]
        #expect(names == expected)
    }

    private func references(in node: Node) -> [String] {
        node.entries.flatMap { entry in
            entry.key.text == "$ref" ? [String((entry.value.text ?? "").dropFirst(14))] : references(in: entry.value)
        } + node.items.flatMap(references)
    }

    @Test func `describes every key that is supported`() throws {
        let properties = try #require(Self.schema["definitions"]?["file"]?["properties"])
        for key in SampleLanguage.file.keys {
            #expect(properties[key.name]?["description"]?.text == (key.notYet == nil ? key.summary : nil))
        }
    }

    @Test(.enabled(if: YAMLReader.isAvailable))
    func `accepts the sample, also as other YAML readers read it`() throws {
        let node = try #require(SampleDocument("a.yaml", `Decoding a checked document`.yaml).node)
        #expect(SchemaValidator(Self.schema).accepts(node))
        #expect(SchemaValidator(Self.schema).accepts(GuessingReader.convert(node)))
    }

    @Test(
        arguments: [
            ["format": 2], [:], ["format": 1, "y": 1], ["format": 1, "tags": []], ["format": 1, "title": []],
            ["format": 1, "cards": ["a": ["idm": "01"]]], ["format": 1, "cards": ["a b": [:]]],
            ["format": 1, "phone": 1],
            ["format": 1, "timeline": [[:]]],
            ["format": 1, "timeline": [["tap": "a", "swap": ["out": "a", "in": "b"]]]],
            ["format": 1, "timeline": [["tap": "a", "at": 1, "after": "1s"]]],
            ["format": 1, "timeline": [["tap": "a", "at": "1h"]]],
            ["format": 1, "cards": ["a": ["services": ["90F": []]]]], ["format": 1, "client": ["run": []]],
            ["format": 1, "faults": [["when": "x", "do": "y"]]],
            ["format": 1, "cases": [["name": "x", "skip": "yes"]]],
        ] as [Node])
    func `rejects what the checker rejects`(_ node: Node) {
        var diagnostics = Diagnostics()
        #expect(SampleLanguage.file.read(node, into: &diagnostics) == nil)
        #expect(!SchemaValidator(Self.schema).accepts(node))
    }

    /// Texts for every rule, and texts that other readers give another type.
    static let texts =
        VectorFile.lines("foreign-readings.txt").flatMap { $0.dropFirst(16).split(separator: " ").map(String.init) }
        + VectorFile.lines("scalars.txt").compactMap { try? ScalarRuleTexts.parts(of: $0).1 }
        + ["1", "0011223344556677", "00112233445566778899AABBCCDDEEFF", "04A1B2C3", "write", "rf.lose_tag"]

    private typealias ScalarRuleTexts = `Scalar rules`

    @Test(arguments: [false, true])
    func `accepts every document that the checker accepts, in both formats`(_ hasReferences: Bool) {
        let validator = SchemaValidator(Self.schema)
        var documents = RandomDocuments(
            seed: TestSeed.value, "schema", texts: Self.texts, hasReferences: hasReferences)
        for round in 0..<200 {
            let node = documents.next(.map(SampleLanguage.file))
            var diagnostics = Diagnostics()
            let isClean = SampleLanguage.file.read(node, into: &diagnostics) != nil
            #expect(isClean || hasReferences, "seed \(TestSeed.value), round \(round): \(diagnostics.text())")
            let texts = [node, GuessingReader.convert(node)].filter { !validator.accepts($0) }.map {
                JSONWriter.text($0)
            }
            #expect(texts.isEmpty, "seed \(TestSeed.value), round \(round)")
        }
    }

    @Test(arguments: ["a configuration", "the configuration page", "configuration"])
    func `names definitions by nouns without their article`(_ noun: String) {
        let schema = JSONSchema.of(KeyTable(noun, []), title: "t")
        let name = noun.hasPrefix("the") ? "configuration-page" : "configuration"
        #expect(schema["definitions"]?.entries.first?.key.text == name)
        #expect(schema["$id"] == nil)
    }
}
