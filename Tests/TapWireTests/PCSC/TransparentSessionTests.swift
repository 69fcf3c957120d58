import TapWire
import TestSupport
import Testing

@Suite struct `Transparent sessions` {
    @Test(arguments: [
        (SessionRequest(.manage, [.start]), "FFC200000281 0000"),
        (SessionRequest(.manage, [.end]), "FFC200000282 0000"),
        (SessionRequest(.switchProtocol, [.switchProtocol(to: SessionProtocol(.felica))]), "FFC20002048F02030000"),
        (SessionRequest(.manage, [.start], dialect: .rcs300), "FF50000002810000"),
        (
            SessionRequest(
                .exchange, [.timer(microseconds: 100_000), .transceive([0x06, 0x00, 0xFF, 0xFF, 0x01, 0x00])]),
            "FFC200010F 5F4604A0860100 9506 0600FFFF0100 00"
        ),
        (
            SessionRequest(
                .exchange, [.timer(microseconds: 100_000), .transceive([0x06, 0x00, 0xFF, 0xFF, 0x01, 0x00])],
                dialect: .rcs300), "FF500001 000011 5F4604A0860100 95820006 0600FFFF0100 000000"
        ),
        (SessionRequest(.exchange, [.flags(.felica), .transmittedBits(7)]), "FFC20001079002001C 910107 00"),
    ])
    func `have the bytes that drivers send`(request: SessionRequest, text: String) throws {
        let bytes = try Hex.bytes(text)
        #expect(request.bytes == bytes)
        #expect(try SessionRequest(parsing: bytes) == request)
        #expect(request.objects.broken.isEmpty)
    }

    @Test func `begin their responses with a status`() throws {
        #expect(SessionResponse(.success).bytes == (try Hex.bytes("C003009000 9000")))
        let bytes = try Hex.bytes("C003009000 920104 96020100 97010A 9000")
        let response = SessionResponse(
            .success, [.receivedBits(4), .receptionStatus(.badCRC), .received([0x0A])])
        #expect(response.bytes == bytes)
        #expect(try SessionResponse(parsing: bytes) == response)
        #expect(response.status == .success)
        #expect(response[.receptionStatus]?.receptionStatus == .badCRC)
        let failure = SessionResponse(ObjectStatus(.noCardAnswer, index: 2))
        #expect(failure.bytes == (try Hex.bytes("C003026401 9000")))
    }

    @Test func `contain objects of any length`() throws {
        var random = TestRandom()
        for count in [0, 1, 0x7F, 0x80, 0xFF, 0x100, 65_535] {
            let object = SessionObject(.transceive, random.bytes(count))
            for bytes in [object.bytes, object.bytesWithWideLength] {
                let (objects, broken) = SessionObject.list(bytes)
                #expect(objects == [object])
                #expect(broken.isEmpty)
                #expect(SessionObject.list(Array(bytes.dropLast())).broken == Array(bytes.dropLast()))
            }
        }
    }

    @Test func `are parsed from random bytes without trapping`() {
        var random = TestRandom()
        for _ in 0..<TestScale.count(2_000) {
            let bytes = random.bytes(random.number(below: 30))
            let (objects, broken) = SessionObject.list(bytes)
            #expect(objects.count + broken.count <= bytes.count, "seed \(TestSeed.value)")
            _ = try? SessionRequest(parsing: [0xFF, random.pick([0xC2, 0x50]), 0, random.byte()] + bytes)
            _ = try? SessionResponse(parsing: bytes)
        }
    }
}
