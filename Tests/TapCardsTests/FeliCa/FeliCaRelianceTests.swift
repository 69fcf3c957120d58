import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `Facts that a FeliCa answer relies on` {
    /// The facts that the answer to a packet for system 0 of card S on a chip relies on.
    ///
    /// The packet has no LEN and IDm.
    private func reliance(on chip: String, _ packet: String) throws -> CardFacts {
        let ic = try #require(FeliCaIC.named(chip))
        var card = try CardS.card(ic.profile)
        var context = CardContext(random: SeededGenerator(seed: 1))
        let bytes = try Hex.bytes(compact(packet))
        let payload = [bytes[0]] + CardS.definition.idm.rawValue.octets + bytes.dropFirst()
        _ = card.answer([UInt8(payload.count + 1)] + payload, context: &context)
        return context.reliance.facts
    }

    /// Packets and the facts that their answers rely on.
    ///
    /// The error location is a number, a bit or absent.
    private static let packets: [(String, CardFacts)] = [
        (read(8), []), (read(9), [.maxReadBlocks]), (read(13), [.maxReadBlocks]), (read(16), []),
        ("06 01 0F09 01 8000 00", [.trailingBytes]),
        ("06 01 0F09 01 80FF", [.statusLocation]), ("06 01 0F09 03 8000 8001 80FF", [.statusLocation]),
        ("06 00 01 8000", [.serviceCountErrors]), ("06 00 00", [.countErrorPreference, .serviceCountErrors]),
        ("0A 0000", [.supportedCommands]), ("04", []), ("3C 0000", [.supportedCommands]),
        ("02 01 0300", [.requestServiceUnknownAttribute]),
    ]

    private static func read(_ count: Int) -> String {
        let list = (0..<count).map { "80" + Hex.digits(UInt8($0), width: 2) }.joined()
        return "06 01 0F09 " + Hex.digits(UInt8(count), width: 2) + list
    }

    @Test(arguments: packets)
    func `are recorded if chips could differ`(_ packet: String, _ facts: CardFacts) throws {
        #expect(try reliance(on: "vector-s", packet).list == facts.list)
    }

    @Test func `are unconfirmed if neither the chip's sources nor the card set them`() throws {
        let ic = try #require(FeliCaIC.named("RC-S960"))
        var definition = CardS.definition
        definition.profile = ic.profile
        definition.assumptions = ic.assumptions
        let card = try FeliCaCard(definition)
        let limit = try #require(card.assumption(about: .maxReadBlocks))
        #expect((limit.name, limit.value, limit.confidence) == ("maxReadBlocks", "12", .inferred))
        #expect(card.assumption(about: .statusLocation)?.confidence == .unknown)
        definition.assumptions.decide("statusLocation")
        #expect(try FeliCaCard(definition).assumption(about: .statusLocation) == nil)
        #expect(try CardS.card(FeliCaProfile()).assumption(about: .statusLocation) == nil)
    }

    @Test func `have the names of switches`() {
        let names = SwitchCatalogue.all.map(\.name)
        for fact in CardFact.allCases {
            #expect(names.contains(fact.name))
            #expect(CardFact(named: fact.name) == fact)
        }
        #expect(CardFacts(CardFact.allCases).list == CardFact.allCases)
    }
}
