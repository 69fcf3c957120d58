import TapClient
import TapField
import TapPCSC
import TapReaders
import Testing

@Suite struct `A link through libpcsclite` {
    @Test(arguments: Procedure.allCases, ReaderKind.allCases)
    func `gives what a virtual link gives`(procedure: Procedure, kind: ReaderKind) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)

        let field = try ServedField(try procedure.world(), readers: [kind.make()])
        var reader = CardReader(try PCSCLink.open(kind.make().name, field.library))
        #expect(await procedure.outcome(&reader) == expected)
        reader.link.close()
    }
}
