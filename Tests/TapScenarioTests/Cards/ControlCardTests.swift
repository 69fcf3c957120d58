import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapYAML
import Testing

/// The table of control cards, and the sets drawn from it.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Control cards` {
    private static let cards =
        CardLanguage.templates.map { "{template: \($0.name)}" } + [
            "{ic: NTAG213, ndef: [{text: a}]}", "{ic: NTAG215, ndef: [{text: a}], config: {pwd: 01020304}}",
            "{ic: NTAG216, ndef: [{mime: text/plain, body: a}]}",
            "{template: suica, history: [{kind: shop}], balance: 20}",
        ]

    private static func test(_ card: String, seed: Int = 1) throws -> ScenarioCase {
        let source = "format: 1\nsettings: {seed: \(seed)}\ncards: {card: \(card)}\n"
        return try #require(LoadedScenario(source).first)
    }

    private static func fits(_ name: String, _ row: ControlProperty) -> Bool {
        row.pattern.hasSuffix("*") ? name.hasPrefix(row.pattern.dropLast()) : name == row.pattern
    }

    @Test(arguments: cards) func `are few, distinct, valid and match a row of the table`(card: String) throws {
        let test = try Self.test(card)
        let (few, all) = (VariedCard.few(for: test), VariedCard.all(for: test))
        #expect(few.count <= VariedCard.fewest && Set(few).isSubset(of: all) && Set(all).count == all.count)
        for card in all {
            let changed = try #require(test.with(card), "\(card.name)")
            #expect(changed.cards[0].definition != test.cards[0].definition, "\(card.name)")
            #expect(ControlProperty.all.contains { Self.fits(card.name, $0) }, "\(card.name)")
        }
    }

    @Test func `cover every row of the table`() throws {
        let tests = try Self.cards.map { try Self.test($0) }
        let names = (tests + [tests[0].staying(for: 3)]).flatMap { VariedCard.all(for: $0).map(\.name) }
        for row in ControlProperty.all {
            #expect(names.contains { Self.fits($0, row) }, "\(row.pattern)")
            #expect(row.shows.hasSuffix("."), "\(row.pattern)")
        }
        #expect(Set(ControlProperty.all.map(\.pattern)).count == ControlProperty.all.count)
    }

    @Test(arguments: [
        "{template: suica}", "{template: octopus}", "{template: ndef}", "{ic: NTAG213, ndef: [{text: a}]}",
    ])
    func `differ in each visit: the second has the same number, the third another`(card: String) throws {
        let test = try Self.test(card).staying(for: 3)
        let cards = VariedCard.all(for: test)
        #expect(cards.map(\.name) == ["card.visits"] && VariedCard.few(for: test) == cards)
        let visits = try #require(cards.first.flatMap(test.with))
        #expect(visits.cards[0] == test.cards[0] && Set(visits.cards.map(\.definition)).count == 3)
        let numbers = visits.cards.map(\.definition.identifier)
        #expect(numbers[0] == numbers[1] && numbers[1] != numbers[2])
        var world = visits.makeQuietWorld()
        let present = (1...4).map { number in
            visits.beginVisit(in: &world, number: number)
            defer { world.removeAll() }
            return world.cards.filter(\.isPresent).map(\.name)
        }
        #expect(present == [["card"], ["visit-2"], ["visit-3"], ["card"]])
        #expect(VariedCard.all(for: try Self.test(card).staying(for: 1)).allSatisfy { !$0.isOfVisits })
    }

    @Test func `depend on the seed, and cover every URI prefix code`() throws {
        let drawn = try (1...3).map { seed in
            VariedCard.few(for: try Self.test("{template: ndef}", seed: seed)).map(\.name)
        }
        #expect(Set(drawn).count > 1)
        let codes = VariedCard.all(for: try Self.test("{template: ndef}")).filter {
            $0.name.hasPrefix("card.uri-code-")
        }
        #expect(codes.count == 35)
    }

    @Test func `have a negative balance if the card allows it`() throws {
        for (template, owes) in [("octopus", true), ("octopus, debt: 350", false), ("suica", false)] {
            let names = VariedCard.few(for: try Self.test("{template: \(template)}")).map(\.name)
            #expect(names.contains("card.balance--499") == owes, "\(names)")
        }
    }
}
