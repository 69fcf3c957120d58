import TapCards
import TapWire
import TestSupport
import Testing

/// Differences between independent models: the shortest frame of each class, and both answers.
@Suite struct `Disagreement between FeliCa sources` {
    struct Disagreement: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let card: FeliCaCardDefinition
        let frame: String
        /// The answer after IDm and response code; `-` for silence.
        let byDefault: String
        let otherwise: String

        var testDescription: String { name }

        /// The status flags; `-` for silence.
        func answer(_ value: String?) throws -> (answer: String, reliance: CardReliance, card: FeliCaCard) {
            var definition = card
            if let value { try definition.profile.set(name, to: value) }
            var card = try FeliCaCard(definition)
            var context = CardContext(random: SeededGenerator(seed: 1))
            let packet = try Hex.bytes(compact(frame))
            let answer = card.answer(packet, context: &context)
            return (answer.map { Hex.text($0.bytes.dropFirst(10)) } ?? "-", context.reliance, card)
        }
    }

    private static let idm = "01010A1020304050"

    static let all = [
        Disagreement(
            name: "cutBlockList", value: "silence", card: CardS.definition, frame: "0E06 \(idm) 010F090D",
            byDefault: "FFA2", otherwise: "-"),
        Disagreement(
            name: "cutServiceList", value: "answer", card: CardS.definition, frame: "0B06 \(idm) 11",
            byDefault: "-", otherwise: "FFA1"),
        Disagreement(
            name: "absentPINService", value: "A4", card: CardS.definition, frame: "1006 \(idm) 012910018000",
            byDefault: "01A6", otherwise: "01A4"),
        Disagreement(
            name: "purseCheckOrder", value: "inOrder", card: CardS.definition,
            frame: "3408 \(idm) 0293104D1002 9000 8101 FFFFFF7F" + String(repeating: "00", count: 11) + "0F"
                + String(repeating: "11", count: 16),
            byDefault: "02A5", otherwise: "0102"),
        Disagreement(
            name: "limitedPurseAmount", value: "signed", card: CardM.definition,
            frame: "2008 0102030405060708 019300018000 FFFFFFFF 00000000 00000000 00000001",
            byDefault: "0103", otherwise: "0000"),
        Disagreement(
            name: "purseDirectSum", value: "checked", card: CardS.definition,
            frame: "2008 \(idm) 019110018001 FAFFFFFF 0A000000 00000000 00000005",
            byDefault: "0000", otherwise: "01A5"),
    ]

    @Test(arguments: all) func `has a switch for both answers`(_ case: Disagreement) throws {
        let fact = try #require(CardFact(named: `case`.name))
        let (byDefault, reliance, _) = try `case`.answer(nil)
        #expect(byDefault == `case`.byDefault)
        #expect(reliance.facts.contains(fact))
        #expect(try `case`.answer(`case`.value).answer == `case`.otherwise)
        #expect(try #require(FeliCaIC.named("RC-S962")).assumptions.unknown.contains(fact))
    }

    @Test func `a signed decrement of FFFFFFFF adds 1 to a limited purse`() throws {
        let limited = try #require(Self.all.first { $0.name == "limitedPurseAmount" })
        let card = try limited.answer("signed").card
        #expect(card.blocks(of: NodeCode(0x0091), in: CardM.system)?[0].bytes.prefix(4) == [51, 0, 0, 0])
    }

    @Test func `every element is checked before the space in a cyclic service`() throws {
        var card = try CardS.card()
        let blocks = String(repeating: "11", count: 64)
        let answer = try card.answer(hex: compact("5608 \(Self.idm) 014D1004 8000 8000 8000 8001 \(blocks)"))
        #expect(answer == "0C09\(Self.idm)04A5")
    }
}
