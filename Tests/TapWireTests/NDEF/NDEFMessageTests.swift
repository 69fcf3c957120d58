import TapWire
import Testing

@Suite struct `NDEF messages` {
    @Test(arguments: WireVector.file("ndef.txt"))
    func `are read and written as the vectors specify`(vector: WireVector) throws {
        let message = try NDEFMessage(parsing: vector.bytes)
        #expect(try message.records.map(said).joined(separator: " + ") == vector.says)
        #expect(message.bytes == vector.bytes)
    }

    @Test(arguments: WireVector.file("ndef.txt"))
    func `are reported as truncated wherever they are cut`(vector: WireVector) throws {
        for count in 1..<vector.bytes.count {
            let error = #expect(throws: WireError.self) {
                try NDEFMessage(parsing: Array(vector.bytes.prefix(count)))
            }
            #expect(error?.code == .truncated)
            #expect(error?.offset == count)
        }
    }

    @Test(arguments: WireVector.file("ndef-broken.txt"))
    func `that break a rule are rejected at the location of the error`(vector: WireVector) throws {
        let error = #expect(throws: WireError.self) { try NDEFMessage(parsing: vector.bytes) }
        #expect(error.map { "\($0.code) \($0.offset) \($0.field)" } == vector.says)
    }

    @Test func `without bytes have no records`() throws {
        #expect(try NDEFMessage(parsing: [UInt8]()) == NDEFMessage([]))
        #expect(NDEFMessage([]).bytes.isEmpty)
    }

    @Test func `reassemble chunks into the original record`() throws {
        let bytes = try Hex.bytes("B20A03746578742F706C61696E48656C 3600036C6F20 560003796F75")
        let whole = try NDEFMessage(parsing: bytes).reassembled()
        #expect(whole.records == [try NDEFRecord(.media(type: "text/plain", Array("Hello you".utf8)))])
        #expect(try whole.records[0].chunks(ofAtMost: 3) == NDEFMessage(parsing: bytes).records)
    }

    @Test func `with chunks in the wrong order cannot be reassembled`() throws {
        let opening = try NDEFRecord(format: .unknown, payload: [1], isChunked: true)
        let closing = try NDEFRecord(format: .unchanged, payload: [2])
        for records in [[closing], [opening], [opening, opening], [opening, closing, closing]] {
            #expect(throws: WireError.self) { try NDEFMessage(records).reassembled() }
            #expect(throws: WireError.self) { try NDEFMessage(parsing: NDEFMessage(records).bytes) }
        }
        #expect(throws: WireError.self) { try opening.chunks(ofAtMost: 1) }
    }

    @Test func `use the long record form if the payload requires it`() throws {
        let short = try NDEFRecord(format: .unknown, payload: [UInt8](repeating: 0, count: 255))
        let long = try NDEFRecord(format: .unknown, payload: [UInt8](repeating: 0, count: 256))
        #expect(!short.isLong && long.isLong)
        #expect(NDEFMessage([short]).bytes.prefix(3) == [0xD5, 0x00, 0xFF])
        #expect(NDEFMessage([long]).bytes.prefix(6) == [0xC5, 0x00, 0x00, 0x00, 0x01, 0x00])
    }

    @Test func `cannot contain a type or an ID of 256 bytes`() {
        let tooLong = [UInt8](repeating: 0x61, count: 256)
        let typeError = #expect(throws: WireError.self) { try NDEFRecord(format: .media, type: tooLong) }
        #expect(typeError == WireError(.wrongLength, at: 255, in: "record type", "256 bytes; at most 255 are allowed"))
        let idError = #expect(throws: WireError.self) { try NDEFRecord(format: .unknown, id: tooLong) }
        #expect(idError?.field == "record ID")
    }
}

/// A record in the notation of the vector files.
private func said(_ record: NDEFRecord) throws -> String {
    var words: [String] = []
    if record.isLong { words.append("long") }
    if let id = record.id { words += ["id", Hex.text(id)] }
    if record.isChunked { words.append("chunk") }
    switch try record.content {
    case .empty: words.append("empty")
    case .uri(let uri) where uri.prefix.isReserved: words.append("uri \(uri.prefix) \(uri.rest)")
    case .uri(let uri): words.append("uri \(uri)")
    case .text(let text):
        let count = text.text.utf8.count
        let isLong = count > 100 && text.text.utf8.allSatisfy { $0 == UInt8(ascii: "A") }
        words.append("text \(text.language) \(said(text.encoding)) \(isLong ? "\(count) bytes of A" : text.text)")
    case .smartPoster(let poster):
        let titles = try poster.titles.map { "\"\($0.text)\"" }.joined(separator: " ")
        words.append("poster \(try poster.uri) \(titles) \(try poster.action?.description ?? "-")")
    case .media(let type, let data): words.append("media \(type) \(Hex.text(data))")
    case .absoluteURI(let uri): words.append("absolute-uri \(uri)")
    case .external(let type, let data): words.append("external \(type) \(Hex.text(data))")
    case .unknown(let data): words.append("unknown \(Hex.text(data))")
    case .other(let record): words.append("\(record.format) \(Hex.text(record.payload))")
    }
    return words.joined(separator: " ")
}

private func said(_ encoding: NDEFText.Encoding) -> String {
    switch encoding {
    case .utf8: "UTF-8"
    case .utf16: "UTF-16"
    case .markedUTF16(.bigEndian): "UTF-16 FEFF"
    case .markedUTF16(.littleEndian): "UTF-16 FFFE"
    }
}
