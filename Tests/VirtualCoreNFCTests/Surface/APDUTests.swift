import CoreNFC
import Testing

@Suite("An APDU of Core NFC")
struct APDUSuite {
    @Test(
        "read from its bytes has its parts",
        arguments: [
            ([0x00, 0xA4, 0x04, 0x00], nil, -1),
            ([0x00, 0xB0, 0x00, 0x00, 0x10], nil, 16),
            ([0x00, 0xB0, 0x00, 0x00, 0x00], nil, 256),
            ([0x00, 0xA4, 0x04, 0x00, 0x02, 0x3F, 0x00], [0x3F, 0x00], -1),
            ([0x00, 0xA4, 0x04, 0x00, 0x02, 0x3F, 0x00, 0x00], [0x3F, 0x00], 256),
            ([0x00, 0xB0, 0x00, 0x00, 0x00, 0x00, 0x00], nil, 65_536),
            ([0x00, 0xB0, 0x00, 0x00, 0x00, 0x01, 0x2C], nil, 300),
        ] as [([UInt8], [UInt8]?, Int)])
    func parsing(bytes: [UInt8], data: [UInt8]?, expected: Int) throws {
        let apdu = try #require(NFCISO7816APDU(data: Data(bytes)))
        #expect(apdu.instructionClass == 0x00 && apdu.instructionCode == bytes[1])
        #expect(apdu.p1Parameter == bytes[2] && apdu.p2Parameter == 0)
        #expect(apdu.data.map(Array.init) == data)
        #expect(apdu.expectedResponseLength == expected)
    }

    @Test(
        "is nil for invalid bytes",
        arguments: [[], [0x00], [0x00, 0xA4, 0x04], [0, 0xA4, 4, 0, 5, 1]] as [[UInt8]])
    func broken(bytes: [UInt8]) {
        #expect(NFCISO7816APDU(data: Data(bytes)) == nil)
    }

    @Test(
        "created from its parts keeps them",
        arguments: [(0, -1), (5, 256), (5, 1), (300, 256), (0, 65_536), (300, 70_000)])
    func parts(count: Int, expected: Int) {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x90, instructionCode: 0x5A, p1Parameter: 1, p2Parameter: 2,
            data: Data(repeating: 7, count: count), expectedResponseLength: expected)
        #expect(apdu.data?.count ?? 0 == count && (apdu.data == nil) == (count == 0))
        #expect(apdu.expectedResponseLength == min(expected, 65_536))
        #expect((apdu.p1Parameter, apdu.p2Parameter) == (1, 2))
        #expect((apdu.copy() as? NFCISO7816APDU)?.instructionCode == 0x5A)
    }
}
