import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `Facts that a FeliCa Lite answer relies on` {
    struct Case: Sendable, CustomTestStringConvertible {
        let chip: String
        /// Packets sent first, whose facts are ignored.
        ///
        /// Like the last packet, they have no LEN and IDm.
        let before: [String]
        let packet: String
        let facts: CardFacts
        let isLocked: Bool

        init(
            on chip: String = "Lite-S", after before: [String] = [], _ packet: String, _ facts: CardFacts,
            isLocked: Bool = false
        ) {
            self.chip = chip
            self.before = before
            self.packet = packet
            self.facts = facts
            self.isLocked = isLocked
        }

        var testDescription: String { "\(chip): \(packet)" }
    }

    private static let zeros = String(repeating: "00", count: 16)
    private static func write(_ blocks: String, _ data: String...) -> String {
        "08 01 0900 \(Hex.digits(UInt8(data.count), width: 2)) \(blocks) " + data.joined()
    }
    /// RC, and STATE without MAC_A, which authenticates.
    private static let challenge = write("8080", "0102030405060708090A0B0C0D0E0F10")
    private static let state = write("8092", "01" + zeros.dropLast(2))

    private static let cases: [Case] = [
        Case("06 01 0B00 01 8000", []), Case("06 01 0B00 01 8000 00", [.liteTrailingBytes]),
        Case("06 01 0B00 04 8000 8001 8002 8003", []),
        Case("06 01 0B00 05 8000 8001 8002 8003 8004", [.liteMaxReadBlocks]),
        Case("06 01 0B00 03 8000 8001 80FF", [.liteStatusLocation]), Case("06 00 01 8000", []),
        Case("06 01 0B00 01 8081", [.liteMacWithoutRC]), Case(after: [challenge], "06 01 0B00 01 8081", []),
        Case("06 01 0900 01 8082", []), Case("06 01 0900 01 8083", [.liteReadRoThroughRW, .liteStatusLocation]),
        Case("10 00 00", [.liteAuth1Dummy]), Case("12", []), Case("F000 01", [.liteCommands, .liteEchoMax]),
        Case("00 88B4 00 00", []), Case("00 88B4 01 00", [.litePollingRequestCodes]),
        Case("00 88B4 02 00", [.litePollingRequestCodes, .litePerformanceBytes]), Case("00 0003 02 00", []),
        Case(write("8000", zeros), []), Case(write("808E", zeros), [.liteStatusLocation]),
        Case(write("800E", String(repeating: "FF", count: 16)), []),
        Case(
            after: [write("800E", zeros)], write("800E", "01" + zeros.dropLast(2)),
            [.liteRegViolation, .liteStatusLocation]),
        Case(state, [.liteStatePlainWrite]), Case(challenge, []),
        Case(after: [state], challenge, [.liteRcClearsExtAuth]),
        Case(
            write("8000 8091", zeros, zeros), [.liteMaxWriteBlocks, .liteMacWhereNotAsked, .liteStatusLocation]),
        Case(write("8088", "FFFFFF0007" + zeros.dropLast(10)), []),
        Case(write("8088", "FFFFFF0107" + zeros.dropLast(10)), [.liteMcImmediate]),
        Case(write("8000", zeros), [.liteWcntWarning], isLocked: true),
        Case(on: "FeliCa Plug", "06 01 0B00 01 8000", [.liteCommands]),
    ]

    @Test(arguments: cases) func `are recorded if chips could differ`(_ test: Case) throws {
        let ic = try #require(FeliCaLiteIC.named(test.chip))
        var definition = FeliCaLiteDefinition(
            ic.model, idm: IDm(0x012E_0102_0304_0506), pmm: PMm(0x00F1_0000_0001_4300), profile: ic.profile)
        if test.isLocked {
            definition.configurationBlock = BlockData([0xFF, 0xFF, 0x00, 0x00, 0x07])
            definition.writeCounter = 0xFF_FD00
        }
        var card = FeliCaLiteCard(definition)
        for packet in test.before { _ = try Self.facts(of: packet, to: &card) }
        #expect(try Self.facts(of: test.packet, to: &card).list == test.facts.list)
    }

    private static func facts(of packet: String, to card: inout FeliCaLiteCard) throws -> CardFacts {
        let bytes = try Hex.bytes(compact(packet))
        let hasIDm = bytes[0] != 0 && bytes[0] != 0xF0
        let payload = hasIDm ? [bytes[0]] + card.idm.rawValue.octets + bytes.dropFirst() : bytes
        var context = CardContext(random: SeededGenerator(seed: 1))
        _ = card.answer([UInt8(payload.count + 1)] + payload, context: &context)
        return context.reliance.facts
    }

    @Test func `are unconfirmed if the chip's sources do not set them`() throws {
        let ic = try #require(FeliCaLiteIC.named("RC-S965"))
        var definition = FeliCaLiteDefinition(ic.model, idm: IDm(1), pmm: PMm(1), profile: ic.profile)
        definition.assumptions = ic.assumptions
        let card = FeliCaLiteCard(definition)
        #expect(card.assumption(about: .litePollingRequestCodes)?.confidence == .unknown)
        #expect(card.assumption(about: .liteStatusLocation)?.confidence == .inferred)
        #expect(card.assumption(about: .liteMaxReadBlocks) == nil)
        #expect(card.assumption(about: .maxReadBlocks) == nil)
    }
}
