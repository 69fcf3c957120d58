import TapDocument
import TapField
import TapJudge
import TapScenario
import Testing

@testable import TapRun

/// The default replacement for a card in the field.
@Suite struct `Another card of the same kind` {
    private func clean(_ card: String) throws -> ScenarioCase {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "test.json", text: #"{"format": 1, "cards": {"card": \#(card)}}"#)
        let node = try #require(JSONReader().read(file, into: &diagnostics))
        let scenario = ScenarioLoader.scenario(from: node, file: file.name, into: &diagnostics)
        return try #require(scenario?.cases.first, "\(diagnostics.sorted.map(\.message))")
    }

    /// The keys and list lengths of a result.
    private func shape(_ node: Node) -> [String] {
        node.items.isEmpty
            ? node.entries.flatMap { entry in ["\(entry.key.text)"] + shape(entry.value) }
            : ["\(node.items.count)"] + node.items.flatMap(shape)
    }

    @Test(arguments: [
        #"{"template": "suica", "balance": 3120, "trips": 20}"#, #"{"template": "nanaco", "trips": 5}"#,
        #"{"template": "edy", "trips": 6}"#, #"{"template": "waon", "trips": 3}"#,
        #"{"template": "ndef", "ndef": [{"uri": "https://example.com/7"}, {"text": "gate 9", "lang": "en"}]}"#,
        #"{"template": "felica-lite", "ndef": [{"text": "platform 3", "lang": "en"}]}"#,
    ])
    func `has the same structure as the first, with different values`(card: String) async throws {
        let test = try clean(card)
        let (first, other) = (try await CaseRun().run(test), try await CaseRun().run(test.withOtherCards))
        #expect(first.client.end == .exit(0) && other.client.end == .exit(0), "\(other.client.standardError)")
        let (one, two) = (try #require(first.client.result), try #require(other.client.result))
        #expect(shape(one) == shape(two))
        for key in ["trips", "purses", "records", "idm", "uid"] where one[key] != nil {
            #expect(one[key] != two[key], "\(key)")
        }
    }
}
