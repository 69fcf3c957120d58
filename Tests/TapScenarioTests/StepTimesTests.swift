import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapYAML
import Testing

/// Timed steps in a file that expects counts of a program's commands.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A timed step between counted exchanges` {
    private static func load(_ timeline: String, _ rest: String) -> LoadedScenario {
        LoadedScenario(
            """
            format: 1
            cards: {tag: {ic: NTAG215}, other: {ic: NTAG213}}
            client: {run: [./x]}
            timeline: [\(timeline)]
            \(rest)

            """)
    }

    private static let counts = "expect: {counts: {ntag.read: 2}}"

    /// Steps that may or may not happen while the client is reading.
    static let racing = [
        "{tap: tag}, {at: 1500ms, remove: tag}", "{tap: tag}, {after: 20ms, tap: other}",
        "{tap: tag}, {after: 20ms, swap: {out: tag, in: other}}",
        "{tap: tag}, {after: 5ms, set: {card: tag, values: {}}}",
        "{tap: tag}, {unplug: reader}, {after: 5ms, plug: reader}", "{after: 1s, tap: tag}, {after: 1s, remove: tag}",
    ]

    @Test(arguments: racing) func `is rejected if the count depends on the client's speed`(_ timeline: String)
        throws
    {
        let loaded = Self.load(timeline, Self.counts)
        #expect(loaded.first == nil || loaded.diagnostics.hasErrors)
        let text = loaded.diagnostics.text()
        #expect(text.contains("error[S052]: the counts in `expect` depend on the speed of the client"), "\(text)")
        #expect(text.contains("when: {command: felica.read, nth: 2}") && text.contains("`settings.clock`"), "\(text)")
        for expect in [
            "expect: {never: [ntag.write]}", "expect: {client: {exit: 0}}",
            "settings: {clock: virtual}\n\(Self.counts)",
        ] {
            let other = Self.load(timeline, expect)
            #expect(!other.diagnostics.text().contains("the speed of the client"), "\(expect)")
        }
    }

    /// Steps, and whether their time depends on the client's exchanges.
    static let allowed: [(timeline: String, expect: String, isByExchanges: Bool)] = [
        ("{tap: tag}, {when: ntag.read, remove: tag}, {after: 20ms, tap: tag}", counts, true),
        ("{tap: tag}, {when: ntag.read, remove: tag}, {after: 20ms, tap: tag}", "", false),
        (
            "{tap: tag}, {when: ntag.read, remove: tag}, {after: 20ms, tap: tag}",
            "expect: {exchanges: {list: [ntag.read]}}", true
        ),
        ("{tap: tag}, {when: ntag.read, swap: {out: tag, in: other, gap: 20ms}}", counts, true),
        ("{tap: tag}, {when: ntag.read, remove: tag}", counts, false),
        // A late card changes only the count of searches.
        ("{at: 300ms, tap: tag}", counts, false),
        ("{at: 300ms, tap: tag}", "expect: {counts: {a3.wupa: 2}}", true),
        ("{tap: tag}, {at: 300ms, note: half}", counts, false),
    ]

    @Test(arguments: allowed) func `happens after an exchange with the empty field, or at its own time`(
        _ timeline: String, _ expect: String, _ isByExchanges: Bool
    ) throws {
        let loaded = Self.load(timeline, expect)
        let test = try #require(loaded.first, "\(loaded.diagnostics.text())")
        #expect(test.followsExchanges == isByExchanges)
        #expect(test.disturbed(by: FaultPlan()).followsExchanges == isByExchanges, "a campaign does the same")
    }

    @Test func `is rejected with a real clock that the file sets`() {
        let returning = "{tap: tag}, {when: ntag.read, remove: tag}, {after: 20ms, tap: tag}"
        let loaded = Self.load(returning, "settings: {clock: real}\n\(Self.counts)")
        #expect(loaded.diagnostics.text().contains("the speed of the client"), "\(loaded.diagnostics.text())")
        let late = Self.load("{at: 300ms, tap: tag}", "settings: {clock: real}\n\(Self.counts)")
        #expect(late.first != nil)
    }
}
