@testable import TapDocument
@testable import TapScenario
import TapYAML
import Testing

/// Limits on the cards of a file.
@Suite struct `The cards of a file` {
    /// A card of 1,040,000 bytes plus overhead.
    private static let large = #"{ic: RC-S915, systems: {"0003": {services: {"000B": 65000}}}}"#

    private func errors(_ text: String) -> [String] {
        var diagnostics = Diagnostics()
        _ = ScenarioLoader(reader: YAMLReader()).load(SourceFile(name: "a.yaml", text: text), into: &diagnostics)
        return diagnostics.found.map { $0.text() }
    }

    private func cards(_ count: Int, _ card: String) -> String {
        "format: 1\ncards:\n" + (0..<count).map { "  c\($0): \(card)\n" }.joined()
    }

    @Test func `use at most 64 MiB`() {
        #expect(errors(cards(64, Self.large)).isEmpty)
        let found = errors(cards(66, Self.large))
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("error[S002]: the cards of the file need more than 64 MiB\n  a.yaml:67:8\n"))
        let advice = "use fewer blocks, cards, cases or `set` steps; each case and step creates its own cards"
        #expect(found[0].hasSuffix("^^^ \(advice)"))
    }

    @Test func `count their memory again for each case`() {
        let file = cards(1, Self.large)
        let cases = { "cases:\n" + (0..<$0).map { "  - {name: c\($0)}\n" }.joined() }
        #expect(errors(file + cases(64)).isEmpty)
        #expect(errors(file + cases(65)).count == 1)
    }

    @Test func `count their memory again for each step that replaces a card`() {
        let step = "  - {set: {card: c0, values: {pmm: '0102030405060708'}}}\n"
        let steps = { "timeline:\n" + String(repeating: step, count: $0) }
        #expect(errors(cards(1, Self.large) + steps(63)).isEmpty)
        let found = errors(cards(1, Self.large) + steps(64))
        #expect(found.count == 1)
        #expect(found[0].contains("a.yaml:68:"), "\(found)")
    }

    @Test func `count their memory again for each scenario of a list`() {
        let card = #"{"ic": "RC-S915", "systems": {"0003": {"services": {"000B": 65000}}}}"#
        let one = #"{"format": 1, "cards": {"c": \#(card)}}"#
        let count = { count -> Int in
            var diagnostics = Diagnostics()
            let text = "[" + Array(repeating: one, count: count).joined(separator: ",\n") + "]"
            _ = ScenarioLoader(reader: JSONReader()).load(SourceFile(name: "a.json", text: text), into: &diagnostics)
            return diagnostics.found.count
        }
        #expect(count(64) == 0)
        #expect(count(65) == 1)
    }

    @Test func `number at most 1,000`() {
        #expect(errors(cards(1_000, "{ic: NTAG215}")).isEmpty)
        let found = errors(cards(1_002, "{ic: NTAG215}"))
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("error[S002]: the file has 1002 cards\n  a.yaml:1003:3\n"))
        #expect(found[0].hasSuffix("^^^^^ at most 1000 are allowed; split the file"))
        // Cards are not created if there is another error either.
        #expect(errors(cards(1_002, "{ic: NTAG215}") + "title: [a]\n").count == 2)
        #expect(errors(cards(66, Self.large) + "title: [a]\n").count == 2)
    }

    @Test func `are counted regardless of how their blocks are written`() {
        for service in ["{blocks: 65000}", "{data: [\(String(repeating: "AB", count: 16))], blocks: 65000}"] {
            let card = #"{ic: RC-S915, systems: {"0003": {services: {"000B": \#(service)}}}}"#
            #expect(errors(cards(64, card)).isEmpty)
            #expect(errors(cards(65, card)).count == 1)
        }
        // More blocks than a card can have are a separate error.
        let wrong = #"{ic: RC-S915, systems: {"0003": {services: {"000B": 65000, "010B": 65000}}}}"#
        #expect(errors(cards(3, wrong)).count == 3)
    }
}
