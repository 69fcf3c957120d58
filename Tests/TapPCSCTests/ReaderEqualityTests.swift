import TapCards
import TapClient
import TapField
import TapPCSC
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `A link through a reader` {
    @Test(arguments: Procedure.allCases, ReaderModel.allCases)
    func `gives the same results as a virtual link`(procedure: Procedure, model: ReaderModel) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)

        let channel = ModelChannel(model.makeReader(), in: try procedure.world())
        var reader = CardReader(PCSCLink(channel))
        let outcome = await procedure.outcome(&reader)
        #expect(outcome == expected)
        #expect(memory(channel.world) == memory(virtual.link.world), "the card must have the same content afterwards")
        reader.link.close()
        #expect(channel.isClosed)
    }

    /// The content of the card.
    private func memory(_ world: World) -> NTAGDefinition? {
        (world.card(named: "card")?.engine as? NTAGCard)?.definition
    }
}

@Suite struct `A link through libpcsclite` {
    @Test(arguments: Procedure.allCases, ReaderModel.allCases)
    func `gives the same results as a virtual link`(procedure: Procedure, model: ReaderModel) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)

        let field = try ServedField(try procedure.world(), readers: [model.makeReader()])
        var reader = CardReader(try PCSCLink.open(model.makeReader().name, field.library))
        #expect(await procedure.outcome(&reader) == expected)
        reader.link.close()
    }
}

@Suite struct `A reader with only storage commands` {
    /// A client with such a reader.
    private func reader(_ procedure: Procedure) throws -> CardReader<PCSCLink> {
        let channel = ModelChannel(StorageCardReader(), in: try procedure.world())
        channel.unknown = [.transparent]
        return CardReader(PCSCLink(channel))
    }

    @Test func `reads and writes the message of a tag without knowing its type`() async throws {
        var reader = try reader(.writtenNDEF)
        let tag = try await reader.readNDEF()
        #expect(tag.message.records.count == 1)
        guard case .type2(let type2, let protection) = tag.card else {
            Issue.record("expected a Type 2 tag")
            return
        }
        #expect(
            type2.selection
                == TypeATag(atqa: .ntag21x, sak: .complete, uid: try #require(UID(NTAGDefinition.sampleUID))))
        #expect(type2.version == nil)
        #expect(protection == nil)
        let message = NDEFMessage([try NDEFRecord(format: .unknown, payload: Array(1...40))])
        try await reader.writeNDEF(message)
        #expect(try await reader.readNDEF().message == message)
    }

    @Test func `treats a refused page as a NAK and continues`() async throws {
        var reader = try reader(.protectedNDEF)
        await #expect(throws: ClientError.self) { try await reader.readNDEF() }
        #expect(try await reader.readPages(0..<4).pages.count == 4)
        #expect(try await reader.readPages(0..<8).refusal == .invalidArgument)
        #expect(try await reader.readPages(0..<4).pages.count == 4)
    }

    @Test func `suggests readers that support the operation`() async throws {
        for procedure in [Procedure.protectedNDEF, .transitCard, .tagDump, .feliCaDump] {
            var reader = try reader(procedure)
            let outcome = await procedure.outcome(&reader)
            #expect(outcome.hasPrefix("link(TapWire.LinkError.Code.unsupported)"), "\(procedure): \(outcome)")
            #expect(outcome.contains("use an ACR122U"))
        }
    }

    @Test func `does not find a card of the other technology`() async throws {
        var reader = try reader(.transitCard)
        #expect(await Procedure.noCard.outcome(&reader).contains("Polling for system 12FC"))
        reader = try self.reader(.ndef)
        #expect(await Procedure.transitCard.outcome(&reader).hasPrefix("noCard"))
    }
}
