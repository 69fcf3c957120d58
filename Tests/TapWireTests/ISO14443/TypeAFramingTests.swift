import TapWire
import TestSupport
import Testing

@Suite struct `Framing of type A` {
    @Test(arguments: [
        ("26", 7, "26", 7, FrameIntegrity.good, "a short frame has no CRC"),
        ("93 20", 16, "93 20", 16, .good, "an anticollision frame has no CRC"),
        ("93 24 08", 20, "93 24 08", 20, .good, "an anticollision frame may end anywhere"),
        (
            "95 67 01 02 03 04 05", 55, "95 67 01 02 03 04 05", 55, .good,
            "an anticollision frame has up to 39 known bits"
        ),
        ("93 20 63 63", 32, "93 20", 16, .badCRC, "an anticollision frame ends as its NVB says"),
        ("93 20 97 0C", 32, "93 20 97 0C", 32, .good, "a command that looks like one keeps its CRC"),
        ("93 30 01 02 66 21", 48, "93 30 01 02", 32, .good, "others do not"),
        ("93 70 88 04 A2 3B 15 4C D4", 72, "93 70 88 04 A2 3B 15", 56, .good, "a SELECT has a CRC"),
        ("60 F8 32", 24, "60", 8, .good, "every other command has a CRC"),
        ("60 F8 33", 24, "60", 8, .badCRC, "the CRC of a command may be wrong"),
        ("63 63", 16, "", 0, .badCRC, "two bytes cannot hold data and a CRC"),
        ("60 F8 02", 18, "", 0, .badCRC, "eighteen bits cannot hold a CRC"),
        ("60", 4, "", 0, .badCRC, "four bits cannot hold a CRC"),
        ("60 F8 32 01", 25, "60 F8 32 01", 25, .badParity, "a standard frame ends with a byte"),
        ("", 0, "", 0, .good, "an empty frame stays empty"),
    ])
    func `removes the CRC from commands that have one`(
        rfBytes: String, bits: Int, frame: String, frameBits: Int, integrity: FrameIntegrity, why: String
    ) throws {
        let received = TypeAFraming.command(rfBytes: try Hex.bytes(rfBytes), bitCount: bits)
        let expected = RFFrame(.typeA106, try Hex.bytes(frame), bitCount: frameBits, integrity: integrity)
        #expect(received == expected, "\(why)")
    }

    @Test(arguments: [
        ("26:7", "44 00", 16, "44 00", FrameIntegrity.good, "ATQA has no CRC"),
        ("93 20", "88 04 A2 3B 15", 40, "88 04 A2 3B 15", .good, "a UID part has no CRC"),
        ("93 70 88 04 A2 3B 15", "04 DA 17", 24, "04", .good, "SAK has a CRC"),
        ("30 04", "0A", 4, "0A", .good, "an acknowledgement has no CRC"),
        ("1B 12 34 56 78", "AB CD 1E 49", 32, "AB CD", .badCRC, "a CRC may be wrong"),
        ("30 04", "AB CD", 16, "", .badCRC, "two bytes cannot hold data and a CRC"),
        ("30 04", "AB CD EF 01", 27, "AB CD EF 01", .badParity, "an answer ends with a byte"),
        ("30 04", "", 0, "", .good, "an empty frame stays empty"),
    ])
    func `removes the CRC from answers depending on the command`(
        command: String, rfBytes: String, bits: Int, frame: String, integrity: FrameIntegrity, why: String
    ) throws {
        let parts = command.split(separator: ":")
        let commandBits = parts.count > 1 ? Int(parts[1]) : nil
        let request = RFFrame(.typeA106, try Hex.bytes(parts[0]), bitCount: commandBits ?? .max)
        let received = TypeAFraming.answer(rfBytes: try Hex.bytes(rfBytes), bitCount: bits, to: request)
        let whole = bits % 8 == 0 ? .max : bits
        #expect(received == RFFrame(.typeA106, try Hex.bytes(frame), bitCount: whole, integrity: integrity), "\(why)")
        #expect(
            TypeAFraming.answer(
                rfBytes: TypeAFraming.rfBytes(answer: received, to: request), bitCount: bits, to: request
            )
            .bytes == received.bytes)
    }

    @Test func `restores every frame except its parity`() {
        var random = TestRandom()
        for _ in 0..<2_000 {
            let count = random.number(below: 20)
            var bytes = random.bytes(count)
            if count > 1, random.oneIn(2) { bytes[0] = random.pick([0x93, 0x95, 0x97]) }
            let bits = random.oneIn(4) ? random.number(below: count * 8 + 1) : count * 8
            let frame = TypeAFraming.command(rfBytes: bytes, bitCount: bits)
            let rfBytes = TypeAFraming.rfBytes(command: frame)
            let again = TypeAFraming.command(rfBytes: rfBytes, bitCount: frame.bitCount % 8 == 0 ? nil : frame.bitCount)
            #expect(again == frame, "seed \(TestSeed.value): \(Hex.text(bytes)), \(bits) bits")
        }
    }
}

@Suite struct `CRC of type A frames` {
    @Test(arguments: VectorFile.lines("crc-a.txt"))
    func `matches the CRC of recorded frames`(line: String) throws {
        let fields = line.split(separator: "|")
        let data = try fields[0].contains("-") ? [] : Hex.bytes(fields[0])
        let crc = try Hex.bytes(fields[1])
        #expect(CRCA.wireBytes(of: CRCA.checksum(of: data)) == crc)
        #expect(CRCA.checksum(of: data + crc) == 0)
    }

    @Test func `matches the bitwise definition for every length`() {
        var random = TestRandom()
        for length in 0...600 {
            let bytes = random.bytes(length)
            var bitByBit = CRCA.initialValue
            for byte in bytes {
                bitByBit ^= UInt16(byte)
                for _ in 0..<8 { bitByBit = bitByBit >> 1 ^ (bitByBit & 1 == 0 ? 0 : 0x8408) }
            }
            #expect(CRCA.checksum(of: bytes) == bitByBit, "seed \(TestSeed.value), \(length) bytes")
        }
    }
}

@Suite struct `Timing of type A frames` {
    @Test(arguments: [
        ("26", 7, FrameDelay.afterZero, "REQA ends with bit 0"),
        ("52", 7, FrameDelay.afterOne, "WUPA ends with bit 1"),
        ("93 20", 16, FrameDelay.afterZero, "the parity of 20 is 0"),
        ("93 40 88 05", 32, FrameDelay.afterOne, "the parity of 05 is 1"),
        ("93 24 08", 20, FrameDelay.afterOne, "the last known bit is 1"),
        ("93 24 07", 20, FrameDelay.afterZero, "the last known bit is 0"),
        ("93 70 88 04 A2 3B 15", 56, FrameDelay.afterOne, "the CRC ends with D4, parity 1"),
        ("95 70 5C 6D 7E 80 CF", 56, FrameDelay.afterZero, "the CRC ends with B3, parity 0"),
    ])
    func `has a frame delay that depends on the last bit`(hex: String, bits: Int, expected: Duration, why: String)
        throws
    {
        let delay = Self.delay(after: try Hex.bytes(hex), bitCount: bits)
        #expect(delay == expected, "\(why)")
    }

    @Test func `has the frame delays of the standard`() {
        #expect(FrameDelay.afterOne == .nanoseconds(91_150))
        #expect(FrameDelay.afterZero == .nanoseconds(86_430))
    }

    @Test func `accepts frames that are shorter than announced`() {
        #expect(Self.delay(after: [0x93], bitCount: 30) == FrameDelay.afterZero)
    }

    @Test(arguments: [
        (16, TransmissionTime.Sender.reader, true, 39, "READ"), (128, .card, true, 164, "its answer"),
        (7, .reader, true, 9, "REQA"), (16, .card, false, 20, "ATQA"), (40, .card, false, 47, "a UID part"),
        (4, .card, true, 6, "an acknowledgement"),
    ])
    func `covers bits, parity and CRC`(
        bits: Int, sender: TransmissionTime.Sender, hasCRC: Bool, units: Int, what: String
    ) {
        let time = TransmissionTime.of(bitCount: bits, technology: .typeA106, sender: sender, hasCRC: hasCRC)
        #expect(time == TransmissionTime.carrierPeriods(units * 128), "\(what)")
    }

    private static func delay(after bytes: [UInt8], bitCount: Int) -> Duration {
        let slice = bytes[...]
        return FrameDelay.minimum(after: slice.span, bitCount: bitCount)
    }
}
