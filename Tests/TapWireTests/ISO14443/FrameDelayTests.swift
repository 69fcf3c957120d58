import TapWire
import Testing

@Suite struct `Times of type A frames` {
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
    func `let the answer wait by the last bit`(hex: String, bits: Int, expected: Duration, why: String) throws {
        let delay = Self.delay(after: try Hex.bytes(hex), bitCount: bits)
        #expect(delay == expected, "\(why)")
    }

    @Test func `have the delays of the standard`() {
        #expect(FrameDelay.afterOne == .nanoseconds(91_150))
        #expect(FrameDelay.afterZero == .nanoseconds(86_430))
    }

    @Test func `are told of frames shorter than announced`() {
        #expect(Self.delay(after: [0x93], bitCount: 30) == FrameDelay.afterZero)
    }

    @Test(arguments: [
        (16, AirTime.Sender.reader, true, 39, "READ"), (128, .card, true, 164, "its answer"),
        (7, .reader, true, 9, "REQA"), (16, .card, false, 20, "ATQA"), (40, .card, false, 47, "a UID part"),
        (4, .card, true, 6, "an acknowledgement"),
    ])
    func `last as long as bits, parity and CRC`(
        bits: Int, sender: AirTime.Sender, hasCRC: Bool, units: Int, what: String
    ) {
        let time = AirTime.of(bitCount: bits, technology: .typeA106, sender: sender, hasCRC: hasCRC)
        #expect(time == AirTime.carrierPeriods(units * 128), "\(what)")
    }

    private static func delay(after bytes: [UInt8], bitCount: Int) -> Duration {
        let slice = bytes[...]
        return FrameDelay.minimum(after: slice.span, bitCount: bitCount)
    }
}
