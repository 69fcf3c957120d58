import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa answer times` {
    private static func reply(_ packet: String, _ card: FeliCaCard, seed: UInt64 = 1) throws -> CardReply? {
        var card = card
        var context = CardContext(random: SeededGenerator(seed: seed))
        return card.answer(try Hex.bytes(compact(packet)), context: &context)?.reply
    }

    @Test(
        arguments: [
            ("0A04 01010A1020304050", PMm.CommandClass.fixed, 0, 4),
            ("0D02 01010A1020304050 01 0F09", .requestService, 1, 4),
            ("1006 01010A1020304050 01 0F09 01 8000", .read, 1, 16),
            ("1406 01010A1020304050 01 0F09 03 8000 8001 8002", .read, 3, 16),
            ("1006 01010A1020304050 01 120B 01 8000", .read, 1, 16),
            ("2008 01010A1020304050 01 0910 01 8000 00000000000000000000000000000000", .write, 1, 4),
        ] as [(String, PMm.CommandClass, Int, Int)])
    func `an answer takes a quarter of the time that the PMm allows, or a sixteenth for Read`(
        _ packet: String, _ commandClass: PMm.CommandClass, _ count: Int, _ share: Int
    ) throws {
        let card = try CardS.card()
        let periods = CardS.definition.pmm.maximumResponsePeriods(commandClass, count: count) / share
        #expect(try Self.reply(packet, card) == .frame(after: TransmissionTime.carrierPeriods(periods)))
    }

    @Test(
        arguments: [
            (FeliCaTime.typical, "0A0000", 1_800), (.pmm, "0A0000", 906), (.worst, "0A0000", 1_800),
            (.typical, "04", 226), (.pmm, "04", 906), (.worst, "04", 906),
        ] as [(FeliCaTime, String, Int)])
    func `RC-S915 takes longer for Search Service Code than its PMm states`(
        _ time: FeliCaTime, _ command: String, _ microseconds: Int
    ) throws {
        let ic = try #require(FeliCaIC.named("RC-S915"))
        var definition = CardS.definition
        definition.profile = ic.profile
        definition.pmm = try #require(ic.pmm.value)
        definition.time = time
        let bytes = try Hex.bytes(command)
        let payload = [bytes[0]] + definition.idm.rawValue.octets + bytes.dropFirst()
        let packet = Hex.text([UInt8(payload.count + 1)] + payload)
        guard case .frame(let after)? = try Self.reply(packet, FeliCaCard(definition)) else {
            Issue.record("expected an answer")
            return
        }
        #expect(Int(after / .microseconds(1)) == microseconds)
        // By its PMm a reader waits 906 µs; nfcpy waits 2 ms.
        #expect(after < .milliseconds(2))
    }

    @Test func `no answer takes less than 2672 carrier periods`() throws {
        var definition = CardS.definition
        definition.pmm = PMm(0)
        let reply = try Self.reply("0A04 01010A1020304050", FeliCaCard(definition))
        #expect(reply == .frame(after: TransmissionTime.carrierPeriods(2_672)))
    }

    @Test func `response times match the example in the manual`() {
        let pmm = PMm(0x100B_4B42_8485_D0FF)
        #expect(pmm.maximumResponseTime(.fixed) / .microseconds(1) == 3_624.778)
        #expect(pmm.maximumResponsePeriods(.read, count: 12) == 288 * 4_096)
    }

    @Test(arguments: [(0x00, 1), (0x01, 2), (0x03, 4), (0x07, 8), (0x0F, 16), (0x05, 4), (0xF0, 1)] as [(UInt8, Int)])
    func `every slot of the mask is drawn, and no others`(_ timeSlot: UInt8, _ count: Int) throws {
        let card = try CardS.card()
        var slots: Set<UInt8> = []
        for seed in 0..<400 {
            let packet = "0600FFFF00" + Hex.digits(timeSlot, width: 2)
            guard case .slot(let slot, let after)? = try Self.reply(packet, card, seed: UInt64(seed)) else {
                Issue.record("expected an answer to Polling in a slot")
                return
            }
            #expect(after == TransmissionTime.carrierPeriods(512 * 64 + Int(slot) * 256 * 64))
            #expect(slot & ~(timeSlot & 0x0F) == 0)
            slots.insert(slot)
        }
        #expect(slots.count == count)
    }

    @Test func `without random slots the first slot is used and no random number is drawn`() throws {
        var profile = FeliCaProfile()
        profile.randomSlot = false
        var card = try CardS.card(profile)
        var context = CardContext(random: SeededGenerator(seed: 5))
        let before = context
        let answer = card.answer(try Hex.bytes("0600FFFF000F"), context: &context)
        #expect(answer?.reply == .slot(0, after: TransmissionTime.carrierPeriods(512 * 64)))
        #expect(context == before)
    }

    @Test func `damaged and bit-oriented frames are not answered`() throws {
        var card = try CardS.card()
        var context = CardContext(random: SeededGenerator(seed: 1))
        let polling = try Hex.bytes("0600FFFF0000")
        #expect(card.answer(polling, integrity: .badCRC, context: &context) == nil)
        #expect(card.answer(polling, integrity: .badParity, context: &context) == nil)
        #expect(card.answer(polling, bitCount: 47, context: &context) == nil)
        #expect(card.answer([], context: &context) == nil)
        #expect(card.answer(polling, context: &context) != nil)
        #expect(card.hears(.felica212) && card.hears(.felica424) && !card.hears(.typeA106))
    }
}
