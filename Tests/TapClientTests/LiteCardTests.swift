import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader of FeliCa Lite` {
    private static let credentials = LiteCredentials(
        cardKey: CardL.cardKey, challenge: BlockData((0..<16).map { UInt8(0xA0 + $0) }))

    private static func reader(
        _ model: FeliCaLiteDefinition.Model = .liteS, _ change: (inout FeliCaLiteDefinition) -> Void = { _ in }
    ) -> CardReader<VirtualLink> {
        var definition = CardL.definition(model)
        definition.pmm = PMm(model == .lite ? 0x00F0_0000_0206_0300 : 0x00F1_0000_0001_4300)
        change(&definition)
        var world = World(seed: 1)
        world.add(FeliCaLiteCard(definition), named: "card")
        world.tap("card")
        return CardReader(VirtualLink(world))
    }

    private static func card(_ reader: CardReader<VirtualLink>) -> FeliCaLiteCard? {
        reader.link.world.card(named: "card")?.engine as? FeliCaLiteCard
    }

    private static func failure(
        _ reader: inout CardReader<VirtualLink>, _ credentials: LiteCredentials
    ) async -> ClientError.Code? {
        do {
            try await reader.authenticateLite(credentials)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `authenticates, and reads and writes with MAC_A`() async throws {
        var reader = Self.reader()
        try await reader.activate(system: .lite)
        try await reader.authenticateLite(Self.credentials)
        #expect(Self.card(reader)?.stateName == "authenticated")
        let content = BlockData(SIMD16(repeating: 0x3C))
        try await reader.writeLiteBlock(6, content, Self.credentials)
        let read = try await reader.readLiteBlocks([6, 0, 1, 2, 3], Self.credentials)
        #expect(read.first == content && read.count == 5)
        #expect(Self.card(reader)?.writeCounter == 0xFF_FE02)
    }

    @Test func `reads a FeliCa Lite with MAC`() async throws {
        var reader = Self.reader(.lite)
        try await reader.activate(system: .lite)
        try await reader.authenticateLite(Self.credentials)
        #expect(try await reader.readLiteBlocks([0], Self.credentials) == [CardL.definition.pads[0]])
    }

    @Test func `knows a card with another key before it writes anything but RC`() async throws {
        var reader = Self.reader()
        try await reader.activate(system: .lite)
        let other = LiteCredentials(cardKey: .zero, challenge: Self.credentials.challenge)
        #expect(await Self.failure(&reader, other) == .wrongCardKey)
        #expect(Self.card(reader)?.stateName == "session")
        #expect(Self.card(reader)?.writeCounter == 0xFF_FE00)
    }

    @Test func `reads a protected NDEF message with the key alone`() async throws {
        var reader = Self.reader { definition in
            definition.configurationBlock = BlockData([0xFF, 0xFF, 0xFF, 0x01, 0x07, 0, 0xFE, 0x3F])
        }
        do {
            _ = try await reader.readNDEF()
            Issue.record("the blocks of the message are protected")
        } catch {
            #expect(error.code == .refused(StatusFlags(0x01, 0xB1)))
        }
        let tag = try await reader.readNDEF(with: Self.credentials)
        #expect(tag.message.bytes.count == 39)
    }

    @Test func `is refused where the card takes no MAC_A that MC does not ask for`() async throws {
        var reader = Self.reader { $0.profile.liteMacWhereNotAsked = false }
        try await reader.activate(system: .lite)
        #expect(await Self.failure(&reader, Self.credentials) == .refused(StatusFlags(0x02, 0xB2)))
    }
}
