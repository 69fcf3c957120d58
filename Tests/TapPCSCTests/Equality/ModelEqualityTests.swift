import TapCards
import TapClient
import TapField
import TapPCSC
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `A link over a reader` {
    @Test(arguments: Procedure.allCases, ReaderModel.allCases)
    func `gives what a virtual link gives`(procedure: Procedure, model: ReaderModel) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)

        let channel = ModelChannel(model.makeReader(), in: try procedure.world())
        var reader = CardReader(PCSCLink(channel))
        let outcome = await procedure.outcome(&reader)
        #expect(outcome == expected)
        #expect(memory(channel.world) == memory(virtual.link.world), "the card holds something else afterwards")
        reader.link.close()
        #expect(channel.isClosed)
    }

    /// What the card holds.
    private func memory(_ world: World) -> NTAGDefinition? {
        (world.card(named: "card")?.engine as? NTAGCard)?.definition
    }
}
