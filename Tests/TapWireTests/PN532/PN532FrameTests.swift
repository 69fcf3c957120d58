import TapWire
import TestSupport
import Testing

@Suite struct `PN532 serial frames` {
    /// The content of a frame in the notation of the vectors.
    private static func text(_ frame: PN532Frame) -> String {
        switch frame {
        case .acknowledgement: "ack"
        case .rejection: "nack"
        case .information(let packet): Hex.text(packet)
        }
    }

    private static func says(_ vector: WireVector) -> String {
        WireVector.bytes(vector.says).map { Hex.text($0) } ?? vector.says
    }

    @Test(arguments: WireVector.file("pn532-frames.txt"))
    func `have the content that the manual shows`(vector: WireVector) throws {
        let frame = try PN532Frame(parsing: vector.bytes)
        #expect(Self.text(frame) == Self.says(vector))
        #expect(frame.bytes == vector.bytes)
    }

    @Test(arguments: WireVector.file("pn532-frames.txt"))
    func `are found when bytes arrive one at a time, with anything between frames`(vector: WireVector) throws {
        var reader = PN532FrameReader()
        let wakeUp = try Hex.bytes("5555000000000000000000000000000000")
        let rests: [[UInt8]] = [
            [], wakeUp, [0xFF], [0x00, 0xFF, 0x05, 0x05], [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x00],
        ]
        for rest in rests {
            var found: [PN532Frame] = []
            for byte in rest + vector.bytes {
                reader.append([byte])
                while let frame = reader.next() { found.append(frame) }
            }
            #expect(found.map(Self.text) == [Self.says(vector)], "after \(Hex.text(rest))")
        }
    }

    @Test func `are read one after another from a single buffer`() throws {
        let bytes = WireVector.file("pn532-frames.txt").flatMap(\.bytes)
        var reader = PN532FrameReader()
        reader.append(bytes[...])
        for vector in WireVector.file("pn532-frames.txt") { #expect(reader.next().map(Self.text) == Self.says(vector)) }
        #expect(reader.next() == nil)
    }

    @Test func `can be normal frames of 255 bytes`() throws {
        let packet: [UInt8] = [0xD4, 0x42] + [UInt8](repeating: 0, count: 253)
        #expect(
            try PN532Frame(parsing: [0x00, 0x00, 0xFF, 0xFF, 0x01] + packet + [0xEA, 0x00]) == .information(packet))
    }

    @Test(arguments: [
        "00 00FF 00FF", "00 00FF 00FF 01", "00 00FF 00FF 00 00", "00FF 00FF 00", "00 00FF 0000 00",
        "00 00FF 02FD D402 2A 00",
        "00 00FF 02FE D402 2B 00", "00 00FF 02FE D402 2A", "00 00FF FFFF 010AF5 00", "00 00FF FFFF 0000 00", "",
    ])
    func `reject a wrong length, checksum or end`(text: String) throws {
        let bytes = try Hex.bytes(text.filter { $0 != " " })
        #expect(throws: WireError.self) { try PN532Frame(parsing: bytes) }
    }

    @Test func `round-trip for any packet, with anything else between frames`() throws {
        var random = TestRandom()
        var reader = PN532FrameReader()
        for _ in 0..<TestScale.count(2_000) {
            let packet = random.bytes(1 + random.number(below: PN532Frame.maximumPacket))
            let frame = PN532Frame.information(packet)
            #expect(try PN532Frame(parsing: frame.bytes) == frame, "seed \(TestSeed.value)")
            var broken = frame.bytes
            broken[3 + random.number(below: broken.count - 4)] ^= 1
            reader.append(broken[...])
            while reader.next() != nil {}
            // This many bytes complete anything the reader still waits for.
            reader.append(ArraySlice(repeating: 0, count: 2 * PN532Frame.maximumPacket))
            while reader.next() != nil {}
            reader.append(frame.bytes[...])
            #expect(reader.next() == frame, "seed \(TestSeed.value)")
        }
    }
}
