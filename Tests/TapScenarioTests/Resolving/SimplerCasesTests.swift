import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Simpler cases` {
    private func simpler(_ text: String) throws -> [ScenarioCase] {
        let loaded = LoadedScenario(text)
        return try #require(loaded.first, "\(loaded.diagnostics.text())").simpler
    }

    @Test func `have a shorter history, and fewer keys of the card`() throws {
        let cases = try simpler(
            """
            format: 1
            cards: {pass: {template: suica, balance: 3120, trips: 20}}
            """)
        let cards = cases.map { simpler in
            let card = simpler.short(named: "short", title: "short")["cards"]?["pass"]?.entries ?? []
            return card.map { "\($0.key.text) \($0.value.text ?? "")" }
        }
        #expect(
            cards == [
                ["template suica", "balance 3120", "trips 1"], ["template suica", "balance 3120", "trips 10"],
                ["template suica", "trips 20"],
            ])
    }

    @Test func `have half the history of the brand's cards`() throws {
        let cases = try simpler("format: 1\ncards: {purse: {template: edy}}\n")
        let trips = cases.compactMap { $0.short(named: "a", title: "a")["cards"]?["purse"]?["trips"]?.text }
        #expect(trips == ["1", "3"])
    }

    @Test func `have fewer cards, records, steps and visits, and load without errors`() throws {
        let cases = try simpler(
            """
            format: 1
            cards:
              tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80", ndef: [{uri: "https://a.example"}, {text: b}, {text: c}, {text: d}]}
              other: {ic: NTAG213}
            client: {run: ["./kiosk"], ready: ready}
            timeline: [{tap: tag}, {after: 1s, remove: tag}]
            taps: 4
            """)
        let texts = cases.map { "\($0.cards.map(\.name)) \($0.visits?.count ?? 0) \($0.timeline.remaining.count)" }
        #expect(texts.contains(#"["tag"] 4 2"#), "without the other card")
        #expect(texts.contains(#"["tag", "other"] 1 2"#) && texts.contains(#"["tag", "other"] 2 2"#), "\(texts)")
        #expect(texts.contains(#"["tag", "other"] 4 1"#), "without a step")
        let messages = cases.compactMap { $0.short(named: "a", title: "a")["cards"]?["tag"]?["ndef"]?.items.count }
        #expect(Set(messages) == [1, 2, 4], "\(messages)")
        #expect(!texts.contains { $0.hasPrefix(#"["other"]"#) }, "the timeline needs the first card")
    }
}
