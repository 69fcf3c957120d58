import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A FeliCa Lite reader` {
    private static let credentials = LiteCredentials(
        cardKey: CardL.cardKey, challenge: BlockData((0..<16).map { UInt8(0xA0 + $0) }))

    private static func reader(
        _ model: FeliCaLiteDefinition.Model = .liteS, _ plan: FaultPlan = FaultPlan(),
        _ change: (inout FeliCaLiteDefinition) -> Void = { _ in }
    ) -> CardReader<VirtualLink> {
        var definition = CardL.definition(model)
        definition.pmm = PMm(model == .lite ? 0x00F0_0000_0206_0300 : 0x00F1_0000_0001_4300)
        change(&definition)
        var world = World(seed: 1, plan: plan)
        world.add(FeliCaLiteCard(definition), named: "card")
        world.tap("card")
        return CardReader(VirtualLink(world))
    }

    private static func card(_ reader: CardReader<VirtualLink>) -> FeliCaLiteCard? {
        reader.link.world.card(named: "card")?.engine as? FeliCaLiteCard
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

    @Test func `detects a card with another key before it writes anything but RC`() async throws {
        var reader = Self.reader()
        try await reader.activate(system: .lite)
        let other = LiteCredentials(cardKey: .zero, challenge: Self.credentials.challenge)
        let failed = await failure(&reader) { reader throws(ClientError) in try await reader.authenticateLite(other) }
        #expect(failed == .wrongCardKey)
        #expect(Self.card(reader)?.stateName == "session")
        #expect(Self.card(reader)?.writeCounter == 0xFF_FE00)
    }

    @Test func `reads a protected NDEF message only with the key`() async throws {
        var reader = Self.reader { definition in
            definition.configurationBlock = BlockData([0xFF, 0xFF, 0xFF, 0x01, 0x07, 0, 0xFE, 0x3F])
        }
        do {
            _ = try await reader.readNDEF()
            Issue.record("expected an error for the protected blocks")
        } catch {
            #expect(error.code == .refused(StatusFlags(0x01, 0xB1)))
        }
        let tag = try await reader.readNDEF(with: Self.credentials)
        #expect(tag.message.bytes.count == 39)
    }

    @Test func `fails if the card accepts MAC_A only where MC requires it`() async throws {
        var reader = Self.reader { $0.profile.liteMacWhereNotAsked = false }
        try await reader.activate(system: .lite)
        let failed = await failure(&reader) { reader throws(ClientError) in
            try await reader.authenticateLite(Self.credentials)
        }
        #expect(failed == .refused(StatusFlags(0x02, 0xB2)))
    }

    /// Authentication requires one read of a Lite and three of a Lite-S.
    @Test(arguments: ["felica.torn_block", "felica.zero_blocks"], [FeliCaLiteDefinition.Model.lite, .liteS])
    func `rejects changed data because of its MAC, and accepts it with a corrected MAC`(
        _ fault: String, _ model: FeliCaLiteDefinition.Model
    ) async throws {
        let kind = try #require(FaultCatalogue.named(fault))
        let read = try #require(CommandName("felica.read"))
        let trigger = EventTrigger.command(read, nth: model == .lite ? 2 : 4)
        for fix in [[], [TapField.Fault.Fix.mac]] as [Set<TapField.Fault.Fix>] {
            let plan = FaultPlan([FaultPlan.Entry(TapField.Fault(kind, fix: fix), when: trigger)])
            var reader = Self.reader(model, plan)
            try await reader.activate(system: .lite)
            try await reader.authenticateLite(Self.credentials)
            let blocks: [UInt16] = [1, 2]
            let pads = Array(CardL.definition.pads[1...2])
            if fix.isEmpty {
                let failed = await failure(&reader) { reader throws(ClientError) in
                    try await reader.readLiteBlocks(blocks, Self.credentials)
                }
                #expect(failed == .wrongCardKey)
            } else {
                let read = try await reader.readLiteBlocks(blocks, Self.credentials)
                #expect(read.count == 2 && read != pads)
            }
            #expect(reader.link.world.plan.tallies[0].injected.count == 1)
            #expect(try await reader.readLiteBlocks(blocks, Self.credentials) == pads)
        }
    }
}
