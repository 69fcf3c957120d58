import TapWire
import Testing

@Suite struct `NDEF contents` {
    @Test(arguments: WireVector.file("ndef.txt"))
    func `produce the record that they were parsed from`(vector: WireVector) throws {
        for record in try NDEFMessage(parsing: vector.bytes).records {
            let made = try NDEFRecord(record.content, id: record.id)
            #expect(made.format == record.format)
            #expect(made.type == record.type)
            #expect(made.id == record.id)
            #expect(made.payload == record.payload)
        }
    }

    @Test(arguments: WireVector.file("ndef-payloads-broken.txt"))
    func `that cannot be parsed report the location of the error`(vector: WireVector) throws {
        let record = try NDEFMessage(parsing: vector.bytes).records[0]
        let error = #expect(throws: WireError.self) { try record.content }
        #expect(error.map { "\($0.code) \($0.offset) \($0.field)" } == vector.says)
    }

    @Test func `that break the rules of a format are kept as raw records`() throws {
        let records = [
            try NDEFRecord(format: .empty, type: [0x41]), try NDEFRecord(format: .empty, payload: [1]),
            try NDEFRecord(format: .absoluteURI, type: [0x61], payload: [1]),
            try NDEFRecord(format: .unknown, type: [0x61]),
            try NDEFRecord(format: .reserved), try NDEFRecord(format: .unchanged),
            try NDEFRecord(format: .wellKnown, type: [0x55], isChunked: true),
        ]
        for record in records {
            #expect(try record.content == .other(record))
            #expect(try NDEFRecord(record.content) == record)
        }
    }

    @Test(arguments: [
        ("https://www.example.com", 0x02, "example.com"), ("https://example.com", 0x04, "example.com"),
        ("urn:epc:id:1", 0x1E, "1"), ("urn:epc:1", 0x22, "1"), ("urn:nfc:1", 0x23, "1"), ("urn:isbn:1", 0x13, "isbn:1"),
        ("ftp://ftp.a", 0x08, "a"), ("ftp://anonymous:anonymous@a", 0x07, "a"), ("HTTP://a", 0x00, "HTTP://a"),
        ("", 0x00, ""), ("tel:\u{301}1", 0x05, "\u{301}1"),
    ])
    func `of a URI use the longest prefix`(text: String, code: Int, rest: String) throws {
        let uri = NDEFURI(text)
        #expect(uri.prefix == URIPrefix(UInt8(code)))
        #expect(Array(uri.rest.utf8) == Array(rest.utf8))
        #expect(uri.description == text)
    }

    @Test(arguments: WireVector.file("uri-prefixes.txt"))
    func `of a URI begin with the prefix of their code`(vector: WireVector) {
        let prefix = URIPrefix(vector.bytes[0])
        #expect(prefix.text == vector.says)
        #expect(URIPrefix(longestOf: vector.says) == prefix)
    }

    @Test func `of a URI have 36 prefix codes and reserve the others`() {
        let codes = (0...255).map { URIPrefix(UInt8($0)) }
        #expect(codes.filter { !$0.isReserved } == WireVector.file("uri-prefixes.txt").map { URIPrefix($0.bytes[0]) })
        #expect(codes.allSatisfy { !$0.isReserved || $0.text.isEmpty })
    }

    @Test func `of a text keep the reserved bit and reject a language that is too long`() throws {
        let text = try NDEFText(parsing: Hex.bytes("42 656E 48"))
        #expect(text.hasReservedBit)
        #expect(text.bytes == [0x42, 0x65, 0x6E, 0x48])
        #expect(throws: WireError.self) { try NDEFText("a", language: String(repeating: "x", count: 64)) }
        #expect(throws: WireError.self) { try NDEFText("a", language: "é") }
    }

    @Test func `of a Smart Poster round-trip`() throws {
        let titles = [try NDEFText("Hi", language: "en"), try NDEFText("こんにちは", language: "ja", encoding: .utf16)]
        let poster = try NDEFSmartPoster(
            uri: NDEFURI("https://a.io/x.png"), titles: titles, action: .save, size: 70_000, mediaType: "image/png",
            icons: [.init(type: "image/gif", data: [1, 2])])
        let read = try NDEFSmartPoster(parsing: poster.bytes)
        #expect(read == poster)
        #expect(try read.uri.description == "https://a.io/x.png")
        #expect(try read.titles == titles)
        #expect(try read.action == .save)
        let others = read.message.records.dropFirst(4).map(\.payload)
        #expect(others == [[0x00, 0x01, 0x11, 0x70], Array("image/png".utf8), [1, 2]])
    }

    @Test func `of a Smart Poster need exactly one URI and an action that fits`() throws {
        let uri = try NDEFRecord(.uri(NDEFURI("tel:1")))
        let poster = NDEFSmartPoster(
            NDEFMessage([
                uri, uri, try NDEFRecord(format: .wellKnown, type: Array("act".utf8)),
            ]))
        #expect(throws: WireError.self) { try poster.uri }
        #expect(throws: WireError(.truncated, at: 0, in: "Smart Poster action")) {
            try poster.action
        }
        #expect(throws: WireError.self) { try NDEFSmartPoster(NDEFMessage([])).uri }
        #expect(try poster.titles.isEmpty)
    }
}
