import TestSupport
import Testing

@testable import TapWire

@Suite struct `Bit fields` {
    @Test func `a range of bits of a number can be read and written`() {
        var number: UInt16 = 0x3234
        #expect(number[bits: 9...15] == 25)
        #expect(number[bits: 5...8] == 1)
        #expect(number[bits: 0...4] == 20)
        number[bits: 5...8] = 0xFF
        #expect(number == 0x33F4)
        #expect(number[bits: 0...15] == number)
    }

    @Test func `a field selects the right bytes and bits of a block`() {
        let block = BlockData([0x01, 0x23, 0x45, 0x67, 0x89])
        #expect(block[BitField.byte(1)] == UInt8(0x23))
        #expect(block[BitField.bigEndian(1...2)] == UInt16(0x2345))
        #expect(block[BitField.littleEndian(1...3)] == UInt32(0x674523))
        #expect(block[BitField.bits(4...7, ofByte: 4)] == UInt8(8))
        #expect(block[BitField.bits(0..<5, fromByte: 1)] == UInt8(0b00100))
        #expect(block[BitField.bits(5..<12, fromByte: 1)] == UInt8(0b0110100))
    }

    @Test func `writing a field changes only its own bits`() {
        var random = TestRandom("bit fields")
        for _ in 0..<2_000 {
            let before = BlockData(random.bytes(16))
            let width = random.number(1...56)
            let first = random.number(1...128 - width)
            let field = BitField.bits(first..<first + width, fromByte: 0)
            var after = before
            let value = random.next() & field.maximum
            after[field] = value
            #expect(after[field] == value, "seed \(TestSeed.value)")
            after[field] = before[field] as UInt64
            #expect(after == before, "seed \(TestSeed.value)")
        }
    }

    @Test func `a little-endian field is the reversed big-endian field`() {
        var random = TestRandom("little endian")
        for _ in 0..<500 {
            let first = random.number(0...12)
            let last = random.number(first...min(first + 7, 15))
            var block = BlockData.zero
            let value = random.next() & BitField.bigEndian(first...last).maximum
            block[BitField.littleEndian(first...last)] = value
            let reversed = BlockData((0..<16).map { $0 < first || $0 > last ? 0 : block[first + last - $0] })
            #expect(reversed[BitField.bigEndian(first...last)] == value, "seed \(TestSeed.value)")
        }
    }

    @Test func `an error for a number that is too large names the field`() {
        var block = BlockData.zero
        let error = #expect(throws: WireError.self) {
            try block.store(0x4_0000, in: Field<UInt32>("balance", .bits(0..<18, fromByte: 2)))
        }
        #expect(error == WireError(.wrongValue, at: 2, in: "balance", "262144 is more than 262143"))
        #expect(block == .zero)
    }
}
