import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

/// Type 3 Tags that lose power while a message is written in the order of NFC Forum Type 3 Tag Operation: the write flag 0F,
/// the message, and the write flag 00 with the new length.
@Suite struct `A torn message write` {
    private static let old = ClientCards.uri

    enum Tag: String, CaseIterable {
        case standard = "FeliCa Standard"
        case liteS = "FeliCa Lite-S"

        /// A card with the old message, whose bytes and length differ from the new message.
        func engine() throws -> any CardEngine {
            let standard = try ClientCards.type3(old)
            guard self == .liteS else { return standard }
            var definition = CardL.definition
            let bytes = old.bytes
            let attributes = try AttributeInformationBlock(
                blocksPerRead: 4, blocksPerWrite: 1, blockCount: 13, messageLength: UInt32(bytes.count))
            definition.pads = [attributes.stored]
            for start in stride(from: 0, to: 13 * 16, by: 16) {
                definition.pads.append(BlockData(bytes.dropFirst(start)))
            }
            return FeliCaLiteCard(definition)
        }
    }

    /// One block per command, as a Lite requires.
    private static func writes(of message: NDEFMessage, to engine: any CardEngine) throws -> [BlockWrite] {
        let card = try #require(engine as? any FeliCaEngine)
        let block = try #require(card.block(0, of: Type3Services.write, in: .ndef))
        var attributes = AttributeInformationBlock(block)
        func write(_ block: BlockData, at number: UInt16) -> BlockWrite {
            BlockWrite(BlockAddress(Type3Services.write, number), block)
        }
        attributes.writeFlag = .inProgress
        attributes.updateChecksum()
        var writes = [write(attributes.stored, at: 0)]
        for (number, start) in stride(from: 0, to: message.bytes.count, by: 16).enumerated() {
            let number = Type3Services.firstMessageBlock + UInt16(number)
            writes.append(write(BlockData(message.bytes.dropFirst(start)), at: number))
        }
        attributes.writeFlag = .finished
        attributes.messageLength = UInt32(message.bytes.count)
        attributes.updateChecksum()
        return writes + [write(attributes.stored, at: 0)]
    }

    @Test(arguments: Tag.allCases, [50, 100])
    func `is detected by the next reader, which never treats a part as the whole message`(_ tag: Tag, _ percent: Int)
        async throws
    {
        let new = try ClientCards.message(ofByteCount: 40)
        let writes = try Self.writes(of: new, to: try tag.engine())
        #expect(writes.count == 5)
        for step in 1...writes.count {
            let tear = TapField.Fault(
                try #require(FaultCatalogue.named("mem.tear")), ["inside": .time(.percent(percent))])
            let trigger = EventTrigger.command(try #require(CommandName("felica.write")), nth: step)
            var world = World(seed: 1, plan: FaultPlan([FaultPlan.Entry(tear, when: trigger)]))
            world.add(try tag.engine(), named: "card")
            world.tap("card")
            var writer = CardReader(VirtualLink(world))
            try await writer.activate(system: .ndef)
            let failed = await failure(&writer) { writer throws(ClientError) in
                for write in writes { try await writer.writeBlocks([write]) }
            }
            #expect(failed == .silence, "write \(step)")

            var after = writer.link.world
            after.tap("card")
            var reader = CardReader(VirtualLink(after))
            let done = percent == 100 ? step : step - 1
            do {
                let message = try await reader.readNDEF().message
                #expect(done == 0 && message == Self.old || done == writes.count && message == new, "write \(step)")
            } catch {
                #expect(error.code == .malformedData && "\(error)".contains("not finished"), "write \(step): \(error)")
                #expect((1..<writes.count).contains(done), "write \(step): \(error)")
            }
        }
    }
}
