import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

/// Cards that leave while they are read, or answer late, because of field faults.
@Suite struct `A reader whose card leaves` {
    /// A reader with a card, with a fault at the second command of the given name.
    private func reader(
        _ engine: any CardEngine, _ fault: String, _ arguments: [String: FaultValue] = [:], at command: String
    ) throws -> CardReader<VirtualLink> {
        let kind = try #require(FaultCatalogue.named(fault))
        let trigger = EventTrigger.command(try #require(CommandName(command)), nth: 2)
        var world = World(
            seed: 1, plan: FaultPlan([.init(TapField.Fault(kind, arguments), when: trigger)]), trace: Trace())
        world.add(engine, named: "card")
        world.tap("card")
        return CardReader(VirtualLink(world))
    }

    private static let backSoon: [String: FaultValue] = ["back_in": .time(.duration(.milliseconds(400)))]

    @Test(arguments: FieldMoment.allCases)
    func `continues with a FeliCa card that returns soon`(point: FieldMoment) async throws {
        let arguments = Self.backSoon.merging(["point": .keyword(point.rawValue)]) { $1 }
        var reader = try reader(try ClientCards.transit(), "rf.lose_tag", arguments, at: "felica.read")
        #expect(try await reader.readTransitCard().history.records.count == 20)
        #expect(reader.link.world.plan.unmet.isEmpty)
    }

    @Test func `continues with a tag that returns soon`() async throws {
        var reader = try reader(NTAGCard(SampleTags.t0()), "rf.lose_tag", Self.backSoon, at: "ntag.read")
        #expect(try await reader.readNDEF().message.records.count == 1)
    }

    @Test func `reports a card that stays away`() async throws {
        var reader = try reader(try ClientCards.transit(), "rf.lose_tag", at: "felica.read")
        await #expect(throws: ClientError.self) { try await reader.readTransitCard() }
    }

    @Test func `reports a replaced card`() async throws {
        var reader = try reader(try ClientCards.transit(), "rf.swap", at: "felica.read")
        do {
            _ = try await reader.readTransitCard()
            Issue.record("expected an error for the second card")
        } catch {
            #expect(error.code == .silence)
        }
    }

    @Test(arguments: ["rf.delay", "rf.weak_field", "rf.brown_out", "rf.bad_crc", "rf.cut"])
    func `survives temporary faults`(fault: String) async throws {
        var reader = try reader(try ClientCards.transit(), fault, at: "felica.read")
        #expect(try await reader.readTransitCard().history.records.count == 20)
        #expect(reader.link.world.plan.unmet.isEmpty)
    }
}
