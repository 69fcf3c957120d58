import TapWire
import TestSupport
import Testing

@Suite struct `NDEF properties` {
    /// A message in which some records are split into chunks.
    private func message(_ random: inout TestRandom) throws -> (whole: NDEFMessage, chunked: NDEFMessage) {
        var whole: [NDEFRecord] = []
        var chunked: [NDEFRecord] = []
        for _ in 0..<random.number(1...6) {
            let format = random.pick(TypeNameFormat.allCases.filter { $0 != .unchanged })
            let record = try NDEFRecord(
                format: format, type: random.bytes(random.number(0...20)),
                id: random.oneIn(3) ? random.bytes(random.number(0...8)) : nil,
                payload: random.bytes(random.number(0...(random.oneIn(8) ? 700 : 30))), isLong: random.oneIn(5))
            let isCut = random.oneIn(3)
            chunked += isCut ? try record.chunks(ofAtMost: random.number(1...40)) : [record]
            whole.append(record)
        }
        return (NDEFMessage(whole), NDEFMessage(chunked))
    }

    @Test func `random messages round-trip, and their chunks can be reassembled`() throws {
        var random = TestRandom("ndef messages")
        for _ in 0..<600 {
            let (whole, chunked) = try message(&random)
            try WireLaws.expectRoundTrip(whole)
            try WireLaws.expectRoundTrip(chunked)
            let joined = try chunked.reassembled()
            #expect(joined.records.map(\.payload) == whole.records.map(\.payload), "seed \(TestSeed.value)")
            #expect(joined.records.map(\.type) == whole.records.map(\.type), "seed \(TestSeed.value)")
            #expect(joined.records.map(\.id) == whole.records.map(\.id), "seed \(TestSeed.value)")
        }
    }

    @Test func `a missing or additional byte is detected`() throws {
        var random = TestRandom("ndef lengths")
        for _ in 0..<200 {
            let bytes = try message(&random).chunked.bytes
            let shorter = #expect(throws: WireError.self) { try NDEFMessage(parsing: bytes.dropLast()) }
            #expect(shorter?.code == .truncated, "seed \(TestSeed.value)")
            let longer = #expect(throws: WireError.self) { try NDEFMessage(parsing: bytes + [0]) }
            #expect(longer?.code == .trailingBytes, "seed \(TestSeed.value)")
        }
    }

    @Test func `random texts and URIs round-trip`() throws {
        var random = TestRandom("ndef texts")
        let encodings: [NDEFText.Encoding] = [
            .utf8, .utf16, .markedUTF16(.bigEndian), .markedUTF16(.littleEndian),
        ]
        for _ in 0..<2_000 {
            let text = random.text(random.number(0...12))
            let language = String(repeating: "x", count: random.number(0...63))
            try WireLaws.expectRoundTrip(
                NDEFText(text, language: language, encoding: random.pick(encodings), hasReservedBit: random.oneIn(2)))
            try WireLaws.expectRoundTrip(NDEFURI(prefix: URIPrefix(random.bytes(1)[0]), rest: text))
        }
    }

    @Test func `no bytes trap a parser, and parsed values print the same bytes`() throws {
        var random = TestRandom("ndef bytes")
        for _ in 0..<30_000 {
            let bytes = random.bytes(random.number(0...24))
            WireLaws.expectFaithful(NDEFMessage.self, bytes)
            WireLaws.expectFaithful(NDEFText.self, bytes)
            WireLaws.expectFaithful(NDEFURI.self, bytes)
        }
    }

    @Test func `no corruption of a message traps a parser`() throws {
        var random = TestRandom("ndef damage")
        for _ in 0..<2_000 {
            let intact = try message(&random).chunked.bytes
            for _ in 0..<10 {
                var bytes = intact
                bytes[random.number(0...min(bytes.count - 1, 40))] = random.bytes(1)[0]
                WireLaws.expectFaithful(NDEFMessage.self, bytes)
                guard let records = try? NDEFMessage(parsing: bytes).records else { continue }
                for record in records {
                    guard let content = try? record.content else { continue }
                    #expect(try NDEFRecord(content, id: record.id).payload == record.payload, "seed \(TestSeed.value)")
                }
            }
        }
    }
}
