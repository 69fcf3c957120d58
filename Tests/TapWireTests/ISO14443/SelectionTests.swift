import TapWire
import TestSupport
import Testing

@Suite struct `Selection of a type A card` {
    @Test(arguments: [
        ("04A23B5C6D7E80", ["8804A23B15", "5C6D7E80CF"]),
        ("04475ED29C3980", ["8804475E95", "D29C3980F7"]),
        ("04A81D12DE5F80", ["8804A81D39", "12DE5F8013"]),
        ("01020304", ["0102030404"]),
        ("0102030405060708090A", ["8801020388", "880405068F", "0708090A0C"]),
    ])
    func `splits a UID into cascade levels`(uid: String, parts: [String]) throws {
        let value = try #require(UID(Hex.bytes(uid)))
        let expected = try parts.map { try CascadePart(parsing: Hex.bytes($0)) }
        #expect(value.cascadeParts == expected)
        #expect(try UID(cascadeParts: expected) == value)
    }

    @Test func `rejects parts that do not form a UID`() throws {
        let uid = try #require(UID(Hex.bytes("04A23B5C6D7E80")))
        let parts = uid.cascadeParts
        let damaged = CascadePart(data: parts[1].data, bcc: parts[1].bcc ^ 1)
        let cases: [([CascadePart], WireError.Code, Int)] = [
            ([], .wrongLength, 0), ([parts[0]], .wrongValue, 0), ([parts[1], parts[1]], .wrongValue, 0),
            ([parts[0], damaged], .wrongValue, 9), ([parts[0], parts[0], parts[0], parts[1]], .wrongLength, 0),
        ]
        for (parts, code, offset) in cases {
            let error = #expect(throws: WireError.self) { try UID(cascadeParts: parts) }
            #expect(error?.code == code)
            #expect(error?.offset == offset)
        }
    }

    @Test func `asks for the bits that are not known yet`() throws {
        let part = try CascadePart(parsing: Hex.bytes("88 04 A2 3B 15"))
        for known in 0..<CascadePart.bitCount {
            let request = Anticollision.Request(.first, knownBits: part.rawValue, knownBitCount: known)
            #expect(request.matches(part))
            #expect(try Anticollision.Request(parsing: request.bytes) == request)
            #expect(Int(request.nvb >> 4) * 8 + Int(request.nvb & 0x0F) == request.bitCount)
            var buffer = FrameBuffer()
            request.writeAnswer(of: part, into: &buffer)
            let answer = RFFrame(.typeA106, buffer.bytes, bitCount: buffer.bitCount)
            #expect(answer.bitCount == CascadePart.bitCount - known)
            #expect(request.part(completedBy: answer) == part)
            #expect(request.part(completedBy: RFFrame(.typeA106, answer.bytes + [0])) == nil)
        }
    }

    @Test(arguments: [
        ("93", WireError.Code.truncated, 1), ("92 20", .wrongCode, 0), ("93 19", .wrongValue, 1),
        ("93 70 01 02 03 04 05", .wrongValue, 1), ("93 28 01", .wrongValue, 1), ("93 30", .truncated, 2),
        ("93 20 00", .trailingBytes, 2), ("93 21 02", .wrongValue, 2),
    ])
    func `rejects an invalid anticollision frame`(hex: String, code: WireError.Code, offset: Int) throws {
        let bytes = try Hex.bytes(hex)
        let error = #expect(throws: WireError.self) { try Anticollision.Request(parsing: bytes) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test func `finds each of several cards`() throws {
        var random = TestRandom()
        for _ in 0..<200 {
            let cards = (0..<1 + random.number(below: 6)).map { _ in
                CascadePart(data: UInt32(truncatingIfNeeded: random.next()) & random.pick([0xFFFF_FFFF, 0x0F0F_0000]))
            }
            for wanted in cards {
                let found = try Self.search(cards, towards: wanted)
                #expect(found == wanted, "seed \(TestSeed.value): \(cards)")
            }
        }
    }

    /// A reader that continues with the bit of `wanted` at every collision.
    private static func search(_ cards: [CascadePart], towards wanted: CascadePart) throws -> CascadePart {
        var request = Anticollision.Request(.first)
        for _ in 0...CascadePart.bitCount {
            let known = request.knownBitCount
            let answers = cards.filter(request.matches).map { $0.rawValue >> UInt64(known) }
            let sent = try #require(answers.first)
            let differing = answers.reduce(0) { $0 | ($1 ^ sent) }
            let bytes = (0..<CascadePart.byteCount).map { UInt8(truncatingIfNeeded: sent >> (8 * UInt64($0))) }
            let answer = RFFrame(.typeA106, bytes, bitCount: CascadePart.bitCount - known)
            if differing == 0 { return try #require(request.part(completedBy: answer)) }
            let collision = differing.trailingZeroBitCount
            let choice = wanted.rawValue >> UInt64(known + collision) & 1 == 1
            guard let next = request.afterCollision(at: collision, in: answer, choosing: choice) else { return wanted }
            request = next
        }
        return CascadePart(rawValue: 0)
    }

    @Test func `has nothing left to request after a collision in the last bit`() {
        let request = Anticollision.Request(.first, knownBitCount: 30)
        let answer = RFFrame(.typeA106, [0, 0], bitCount: 10)
        #expect(request.afterCollision(at: 8, in: answer, choosing: true)?.knownBitCount == 39)
        #expect(request.afterCollision(at: 9, in: answer, choosing: true) == nil)
        #expect(request.afterCollision(at: 10, in: answer, choosing: true) == nil)
        #expect(request.afterCollision(at: -1, in: answer, choosing: true) == nil)
    }

    @Test func `reads ATQA and SAK`() {
        #expect(ATQA.ntag21x.uidByteCount == 7)
        #expect(ATQA(0x0004).uidByteCount == 4)
        #expect(ATQA(0x0084).uidByteCount == 10)
        #expect(ATQA(0x00C4).uidByteCount == nil)
        #expect(ATQA.ntag21x.supportsAnticollision)
        #expect(!ATQA(0x0040).supportsAnticollision)
        #expect(!SAK.uidNotComplete.isUIDComplete)
        #expect(SAK.complete.isUIDComplete)
        #expect(SAK(0x20).speaksISO14443Part4)
        #expect(!SAK(0x24).speaksISO14443Part4)
    }
}
