import TapDescribe
import TapWire
import TestSupport
import Testing

@Suite struct `Descriptions of arbitrary frames` {
    @Test func `cover every bit of random frames, and never trap`() {
        var random = TestRandom()
        for _ in 0..<100_000 {
            let frame = Self.frame(&random)
            DescriptionLaws.expectWhole(FrameDescription(command: frame), of: frame)
            let answer = Self.frame(&random)
            guard answer.technology.isFeliCa == frame.technology.isFeliCa else { continue }
            DescriptionLaws.expectWhole(FrameDescription(answer: answer, to: frame), of: answer)
        }
    }

    @Test func `cover every bit of frames of unknown direction`() {
        var random = TestRandom()
        for _ in 0..<10_000 {
            let frame = Self.frame(&random)
            let descriptions = FrameDescription.ofUnknownDirection(frame)
            #expect(!descriptions.isEmpty)
            for description in descriptions { DescriptionLaws.expectWhole(description, of: frame) }
        }
    }

    @Test func `cover packets truncated anywhere`() throws {
        let read = try Hex.bytes("1A06010102030405060702 0F098B00 04 8000 8001 8100 00FF00")
        let answer = try Hex.bytes("2D07010102030405060700000216010002352B000000000000000000000000000000000000000000")
        for bytes in [read, answer] {
            for end in 0...bytes.count {
                let frame = RFFrame(.felica212, Array(bytes[..<end]))
                DescriptionLaws.expectWhole(FrameDescription(command: frame), of: frame)
                let command = RFFrame(.felica212, read)
                DescriptionLaws.expectWhole(FrameDescription(answer: frame, to: command), of: frame)
            }
        }
    }

    /// A random frame, plausible often enough to reach the layouts.
    private static func frame(_ random: inout TestRandom) -> RFFrame {
        random.oneIn(2) ? feliCa(&random) : typeA(&random)
    }

    private static let codes = CommandDescription.all.map(\.code)

    private static func feliCa(_ random: inout TestRandom) -> RFFrame {
        var bytes = random.bytes(random.number(0...40))
        if bytes.count > 1, !random.oneIn(4) {
            let code = random.pick(codes).first
            bytes[1] = random.oneIn(2) ? code : code | 1
            if !random.oneIn(4) { bytes[0] = UInt8(bytes.count) }
            if bytes.count > 10 { bytes[10] = UInt8(random.number(0...3)) }
        }
        return RFFrame(.felica212, bytes, integrity: random.oneIn(8) ? .badCRC : .good)
    }

    private static func typeA(_ random: inout TestRandom) -> RFFrame {
        var bytes = random.bytes(random.number(0...24))
        let openings: [UInt8] = [0x26, 0x30, 0x3A, 0xA2, 0xA0, 0x39, 0x1B, 0x3C, 0x60, 0x50, 0x93, 0x95, 0x97, 0x1A]
        if !bytes.isEmpty, !random.oneIn(4) { bytes[0] = random.pick(openings) }
        let spare = random.oneIn(3) ? random.number(0...7) : 0
        return RFFrame(.typeA106, bytes, bitCount: max(0, bytes.count * 8 - spare))
    }
}
