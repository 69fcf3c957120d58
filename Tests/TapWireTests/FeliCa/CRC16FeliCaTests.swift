import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa checksums` {
    @Test(arguments: VectorFile.lines("crc16-felica.txt"))
    func `a packet has the checksum of its vector`(_ line: String) throws {
        let parts = line.split(separator: " ")
        let packet = try Hex.bytes(parts[0])
        #expect(Hex.digits(CRC16FeliCa.checksum(of: packet), width: 4) == parts[1])
        #expect(Hex.text(CRC16FeliCa.appending(to: packet)) == parts[0] + parts[1])
    }

    /// The definition, one bit at a time.
    private func bitwise(_ bytes: [UInt8]) -> UInt16 {
        var crc: UInt16 = 0
        for byte in bytes {
            for bit in (0..<8).reversed() {
                let isSet = (crc >> 15 ^ UInt16(byte >> bit)) & 1 == 1
                crc = crc << 1 ^ (isSet ? 0x1021 : 0)
            }
        }
        return crc
    }

    @Test func `frames of any length have the checksum that one bit at a time gives`() {
        var random = TestRandom("checksum")
        for count in 0...600 {
            let bytes = random.bytes(count)
            #expect(CRC16FeliCa.checksum(of: bytes) == bitwise(bytes), "\(count) bytes, seed \(TestSeed.value)")
        }
    }

    @Test func `checking takes off what appending put on`() {
        let packet: [UInt8] = [0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00]
        let (taken, integrity) = CRC16FeliCa.checking(CRC16FeliCa.appending(to: packet))
        #expect(taken == packet)
        #expect(integrity == .good)
    }

    @Test(arguments: 0..<64)
    func `any flipped bit is found`(_ bit: Int) {
        var bytes = CRC16FeliCa.appending(to: [0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(CRC16FeliCa.checking(bytes).integrity == .badCRC)
    }

    @Test(arguments: [[], [0x00]] as [[UInt8]])
    func `too few bytes for a checksum are a bad one`(_ bytes: [UInt8]) {
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        #expect(packet == bytes)
        #expect(integrity == .badCRC)
    }
}
