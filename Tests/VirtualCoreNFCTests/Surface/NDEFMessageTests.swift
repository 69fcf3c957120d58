import CoreNFC
import Testing

@Suite("An NDEF message of Core NFC")
struct NDEFMessageSuite {
    /// URI and text records in the layouts of the NFC Forum, and their contents.
    static let uris: [(String, [UInt8])] = [
        ("https://www.example.com", [0x02] + Array("example.com".utf8)),
        ("tel:+81312345678", [0x05] + Array("+81312345678".utf8)),
        ("urn:nfc:sn", [0x23] + Array("sn".utf8)),
        ("geo:35.6,139.7", [0x00] + Array("geo:35.6,139.7".utf8)),
    ]

    @Test("reads URIs with all prefix codes", arguments: uris)
    func uri(text: String, bytes: [UInt8]) throws {
        let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: text))
        #expect(record.typeNameFormat == .nfcWellKnown && record.type == Data("U".utf8) && record.identifier.isEmpty)
        #expect(Array(record.payload) == bytes)
        #expect(record.wellKnownTypeURIPayload()?.absoluteString == text)
        let url = try #require(URL(string: text))
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(url: url)?.payload == record.payload)
        #expect(record.wellKnownTypeTextPayload().0 == nil && record.wellKnownTypeTextPayload().1 == nil)
    }

    @Test("creates texts with the language of the locale")
    func text() throws {
        let record = try #require(
            NFCNDEFPayload.wellKnownTypeTextPayload(string: "残高", locale: Locale(identifier: "ja_JP")))
        #expect(Array(record.payload) == [0x02] + Array("ja残高".utf8) && record.type == Data("T".utf8))
        let (text, locale) = record.wellKnownTypeTextPayload()
        #expect(text == "残高" && locale == Locale(identifier: "ja"))
        #expect(record.wellKnownTypeURIPayload() == nil)
    }

    @Test("reads texts in UTF-16, and returns no text for a broken payload")
    func otherTexts() {
        func text(_ bytes: [UInt8]) -> String? {
            NFCNDEFPayload(
                format: .nfcWellKnown, type: Data("T".utf8), identifier: Data(), payload: Data(bytes)
            ).wellKnownTypeTextPayload().0
        }
        #expect(text([0x82, 0x65, 0x6E, 0x00, 0x41, 0x00, 0x42]) == "AB")
        #expect(text([0x82, 0x65, 0x6E, 0xFF, 0xFE, 0x41, 0x00]) == "A")
        #expect(text([0x05, 0x65]) == nil)
        #expect(text([]) == nil)
    }

    @Test("reads the bytes of a tag, and reports their length")
    func parsing() throws {
        let bytes: [UInt8] = [0xD1, 0x01, 0x0C, 0x55, 0x02] + Array("example.com".utf8)
        let message = try #require(NFCNDEFMessage(data: Data(bytes)))
        #expect(message.records.count == 1 && message.length == bytes.count)
        #expect(message.records[0].wellKnownTypeURIPayload() == URL(string: "https://www.example.com"))
    }

    @Test(
        "is nil for bytes that are not exactly one message",
        arguments: [
            [], [0xD1], [0x51, 0x01, 0x01, 0x54, 0x00], [0x91, 0x01, 0x01, 0x54, 0x00],
            [0xD1, 0x01, 0x01, 0x54, 0x00, 0x00], [0x03, 0x05, 0xD1, 0x01, 0x01, 0x54, 0x00],
            [0xF1, 0x01, 0x01, 0x54, 0x00],
        ] as [[UInt8]])
    func broken(bytes: [UInt8]) {
        #expect(NFCNDEFMessage(data: Data(bytes)) == nil)
    }

    @Test("is limited to 128 KB")
    func limit() {
        func bytes(_ count: Int) -> Data {
            let payload = count - 6
            return Data([0xC5, 0x00]) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: payload >> $0) }
                + Data(count: payload)
        }
        #expect(NFCNDEFMessage(data: bytes(131_072))?.length == 131_072)
        #expect(NFCNDEFMessage(data: bytes(131_073)) == nil)
    }

    @Test("joins chunks, and stores them as they were split")
    func chunks() throws {
        let bytes: [UInt8] =
            [
                0xB2, 0x0A, 0x03,
            ] + Array("text/plain".utf8) + [
                0x61, 0x62, 0x63,
                0x36, 0x00, 0x03, 0x64, 0x65, 0x66, 0x56, 0x00, 0x01, 0x67,
            ]
        let message = try #require(NFCNDEFMessage(data: Data(bytes)))
        #expect(message.records.count == 1 && message.records[0].payload == Data("abcdefg".utf8))
        #expect(message.records[0].typeNameFormat == .media && message.length == bytes.count)
        let made = NFCNDEFPayload(
            format: .media, type: Data("text/plain".utf8), identifier: Data(), payload: Data("abcdefg".utf8),
            chunkSize: 3)
        #expect(NFCNDEFMessage(records: [made]).length == bytes.count)
    }

    @Test("has records with settable parts, and an up-to-date length")
    func mutation() {
        let record = NFCNDEFPayload(format: .empty, type: Data(), identifier: Data(), payload: Data())
        let message = NFCNDEFMessage(records: [record])
        #expect(message.length == 3)
        record.typeNameFormat = .nfcExternal
        record.type = Data("example.com:x".utf8)
        record.identifier = Data([1])
        record.payload = Data(count: 256)
        #expect(message.length == 1 + 1 + 4 + 1 + 13 + 1 + 256)
        record.type = Data(count: 256)
        #expect(message.length == 0)
        message.records = []
        #expect(message.length == 0)
    }

    @Test("can be archived and read back")
    func archive() throws {
        let record = NFCNDEFPayload(
            format: .media, type: Data("text/plain".utf8), identifier: Data([7]), payload: Data("abc".utf8),
            chunkSize: 2)
        let message = NFCNDEFMessage(records: [record])
        let data = try NSKeyedArchiver.archivedData(withRootObject: message, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFMessage.self, from: data))
        #expect(read.length == message.length && read.records.count == 1)
        #expect(read.records[0].typeNameFormat == .media && read.records[0].payload == Data("abc".utf8))
        #expect(read.records[0].identifier == Data([7]) && read.records[0].type == Data("text/plain".utf8))
    }

    @Test("has no URI without text, and no text without a language")
    func nothing() {
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(string: "") == nil)
        #expect(NFCNDEFPayload.wellKnownTypeTextPayload(string: "a", locale: Locale(identifier: "")) == nil)
    }
}
