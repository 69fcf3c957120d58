import TapClient
import TapField
import TapPCSC
import TapReaders
import TapWire
import Testing

/// An ACS reader other than the ACR122U: raw FeliCa packets by direct transmit, type A cards by PC/SC part 3.
private struct ACSReader: PCSCReader {
    let name = "ACS ACR1252 Dual Reader PICC"
    private var standard = StorageCardReader()

    mutating func look(in world: inout World) -> SlotContent { standard.look(in: &world) }
    mutating func reset(in world: inout World) -> SlotContent { standard.reset(in: &world) }
    mutating func powerDown(in world: inout World) { standard.powerDown(in: &world) }
    func attribute(_ id: UInt32) -> [UInt8]? { nil }

    mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer { .unsupported }

    mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard let apdu = try? CommandAPDU(parsing: command), apdu.ins == .acs else {
            return standard.transmit(command, in: &world)
        }
        guard let answer = world.exchangeWithOneCard(RFFrame(.felica212, apdu.data), waiting: .milliseconds(100))
        else {
            return .answer(StatusWord.noInformation.bytes)
        }
        return .answer(ResponseAPDU(answer.bytes).bytes)
    }
}

@Suite struct `An ACS reader with raw FeliCa packets` {
    @Test(arguments: Procedure.allCases)
    func `gives the same results as a virtual link`(procedure: Procedure) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)
        let channel = ModelChannel(ACSReader(), in: try procedure.world())
        var reader = CardReader(PCSCLink(channel))
        #expect(await procedure.outcome(&reader) == expected)
    }
}
