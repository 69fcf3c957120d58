import TapClient
import TapField
import TapPCSC
import TapReaders
import Testing

@Suite struct `A link through libpcsclite` {
    @Test(arguments: Procedure.allCases, ReaderModel.allCases)
    func `gives what a virtual link gives`(procedure: Procedure, model: ReaderModel) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)

        let field = try ServedField(try procedure.world(), readers: [model.makeReader()])
        var reader = CardReader(try PCSCLink.open(model.makeReader().name, field.library))
        #expect(await procedure.outcome(&reader) == expected)
        reader.link.close()
    }
}
