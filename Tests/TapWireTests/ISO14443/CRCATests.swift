import TapWire
import TestSupport
import Testing

@Suite struct `CRC of type A frames` {
    @Test(arguments: VectorFile.lines("crc-a.txt"))
    func `is the one on air`(line: String) throws {
        let fields = line.split(separator: "|")
        let data = try fields[0].contains("-") ? [] : Hex.bytes(fields[0])
        let crc = try Hex.bytes(fields[1])
        #expect(CRCA.wireBytes(of: CRCA.checksum(of: data)) == crc)
        #expect(CRCA.checksum(of: data + crc) == 0)
    }

    @Test func `is the same bit by bit, at every length`() {
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
