import CoreNFC
import Testing

@Suite("An app's own MIFARE tag")
struct MiFareTagSuite {
    let double = MiFareDouble()

    @Test("answers commands in all forms")
    func commands() async throws {
        let tag: NFCMiFareTag = double
        #expect(try await tag.sendMiFareCommand(commandPacket: Data([0xA2, 4, 1, 2, 3, 4])) == Data([0x0A]))
        var answer: Data?
        tag.sendMiFareCommand(commandPacket: Data([0x30, 4])) { (data, error) in answer = error == nil ? data : nil }
        #expect(answer == Data([0x30, 4]))
        tag.sendMiFareCommand(commandPacket: Data([0x60])) { (result: Result<Data, Error>) in
            answer = try? result.get()
        }
        #expect(answer == Data([0x60]))
    }

    @Test("answers APDUs as a tuple and as a response")
    func apdus() async throws {
        let tag: NFCMiFareTag = double
        let apdu = NFCISO7816APDU(
            instructionClass: 0x90, instructionCode: 0x60, p1Parameter: 0, p2Parameter: 0, data: Data([1]),
            expectedResponseLength: 256)
        let (data, first, second) = try await tag.sendMiFareISO7816Command(apdu)
        #expect(data == Data([1]) && (first, second) == (0x91, 0x00))
        let response: NFCISO7816ResponseAPDU = try await tag.sendMiFareISO7816Command(apdu)
        #expect(response.payload == Data([1]) && response.statusWord1 == 0x91)
    }

    @Test("answers an APDU as a result")
    func result() throws {
        let tag: NFCMiFareTag = double
        let apdu = try #require(NFCISO7816APDU(data: Data([0x90, 0x60, 0, 0, 0])))
        var response: NFCISO7816ResponseAPDU?
        tag.sendMiFareISO7816Command(apdu, resultHandler: { response = try? $0.get() })
        #expect(response?.statusWord1 == 0x91 && response?.payload == nil)
    }

    @Test("can be cast from the NDEF tag that a session returns")
    func casts() async throws {
        let tag: NFCNDEFTag = double
        let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com"))
        try await tag.writeNDEF(NFCNDEFMessage(records: [record]))
        #expect(try await tag.readNDEF().records == [record])
        #expect((tag as? NFCMiFareTag)?.identifier.count == 7)
        let status = try await tag.queryNDEFStatus()
        #expect(status.0 == .readWrite && status.1 == 492)
    }
}
