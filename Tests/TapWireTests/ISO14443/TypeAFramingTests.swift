import TapWire
import TestSupport
import Testing

@Suite struct `Framing of type A` {
    @Test(arguments: [
        ("26", 7, "26", 7, FrameIntegrity.good, "a short frame has no CRC"),
        ("93 20", 16, "93 20", 16, .good, "nor has an anticollision frame"),
        ("93 24 08", 20, "93 24 08", 20, .good, "wherever it ends"),
        ("95 67 01 02 03 04 05", 55, "95 67 01 02 03 04 05", 55, .good, "up to 39 known bits"),
        ("93 20 63 63", 32, "93 20", 16, .badCRC, "but only while its NVB counts it"),
        ("93 20 97 0C", 32, "93 20 97 0C", 32, .good, "a command that looks like one keeps its CRC"),
        ("93 30 01 02 66 21", 48, "93 30 01 02", 32, .good, "others do not"),
        ("93 70 88 04 A2 3B 15 4C D4", 72, "93 70 88 04 A2 3B 15", 56, .good, "a SELECT has one"),
        ("60 F8 32", 24, "60", 8, .good, "as has every other command"),
        ("60 F8 33", 24, "60", 8, .badCRC, "which may be wrong"),
        ("63 63", 16, "", 0, .badCRC, "two bytes cannot hold one"),
        ("60 F8 02", 18, "", 0, .badCRC, "nor can eighteen bits"),
        ("60", 4, "", 0, .badCRC, "nor four"),
        ("60 F8 32 01", 25, "60 F8 32 01", 25, .badParity, "a standard frame ends with a byte"),
        ("", 0, "", 0, .good, "nothing is nothing"),
    ])
    func `takes the CRC off commands that have one`(
        onAir: String, bits: Int, frame: String, frameBits: Int, integrity: FrameIntegrity, why: String
    ) throws {
        let received = TypeAFraming.command(onAir: try Hex.bytes(onAir), bitCount: bits)
        let expected = AirFrame(.typeA106, try Hex.bytes(frame), bitCount: frameBits, integrity: integrity)
        #expect(received == expected, "\(why)")
    }

    @Test(arguments: [
        ("26:7", "44 00", 16, "44 00", FrameIntegrity.good, "ATQA has no CRC"),
        ("93 20", "88 04 A2 3B 15", 40, "88 04 A2 3B 15", .good, "nor has a UID"),
        ("93 70 88 04 A2 3B 15", "04 DA 17", 24, "04", .good, "SAK has one"),
        ("30 04", "0A", 4, "0A", .good, "an acknowledgement has none"),
        ("1B 12 34 56 78", "AB CD 1E 49", 32, "AB CD", .badCRC, "a CRC may be wrong"),
        ("30 04", "AB CD", 16, "", .badCRC, "two bytes cannot hold one"),
        ("30 04", "AB CD EF 01", 27, "AB CD EF 01", .badParity, "an answer ends with a byte"),
        ("30 04", "", 0, "", .good, "nothing is nothing"),
    ])
    func `takes the CRC off answers by what they answer`(
        command: String, onAir: String, bits: Int, frame: String, integrity: FrameIntegrity, why: String
    ) throws {
        let parts = command.split(separator: ":")
        let commandBits = parts.count > 1 ? Int(parts[1]) : nil
        let request = AirFrame(.typeA106, try Hex.bytes(parts[0]), bitCount: commandBits ?? .max)
        let received = TypeAFraming.answer(onAir: try Hex.bytes(onAir), bitCount: bits, to: request)
        let whole = bits % 8 == 0 ? .max : bits
        #expect(received == AirFrame(.typeA106, try Hex.bytes(frame), bitCount: whole, integrity: integrity), "\(why)")
        #expect(
            TypeAFraming.answer(onAir: TypeAFraming.onAir(answer: received, to: request), bitCount: bits, to: request)
                .bytes == received.bytes)
    }

    @Test func `gives back every frame but its parity`() {
        var random = TestRandom()
        for _ in 0..<2_000 {
            let count = random.number(below: 20)
            var bytes = random.bytes(count)
            if count > 1, random.oneIn(2) { bytes[0] = random.pick([0x93, 0x95, 0x97]) }
            let bits = random.oneIn(4) ? random.number(below: count * 8 + 1) : count * 8
            let frame = TypeAFraming.command(onAir: bytes, bitCount: bits)
            let onAir = TypeAFraming.onAir(command: frame)
            let again = TypeAFraming.command(onAir: onAir, bitCount: frame.bitCount % 8 == 0 ? nil : frame.bitCount)
            #expect(again == frame, "seed \(TestSeed.value): \(Hex.text(bytes)), \(bits) bits")
        }
    }
}
