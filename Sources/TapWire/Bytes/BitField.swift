extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bits of a range as a number; bit 0 is the least significant one.
    subscript(bits range: ClosedRange<Int>) -> Self {
        get { self >> range.lowerBound & Self.ones(range.count) }
        set {
            let mask = Self.ones(range.count) << range.lowerBound
            self = self & ~mask | newValue << range.lowerBound & mask
        }
    }

    private static func ones(_ count: Int) -> Self { ~0 >> (bitWidth - count) }

    /// The bytes of the number, the high one first.
    package var bigEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}

/// The place of a number in the bytes of a record: up to 64 bits in a row, inside at most eight bytes.
///
/// Bits are counted in reading order, from the most significant bit of byte 0, as layouts of packed records are
/// written down.
struct BitField {
    let bits: Range<Int>
    /// Whether the field is whole bytes with the low one first.
    let isLittleEndian: Bool

    /// A field of `width` bits from the most significant bit of a byte on.
    init(byte: Int, width: Int) {
        self.init(bits: 8 * byte..<8 * byte + width)
    }

    private init(bits: Range<Int>, isLittleEndian: Bool = false) {
        self.bits = bits
        self.isLittleEndian = isLittleEndian
    }

    /// One byte.
    static func byte(_ index: Int) -> BitField {
        BitField(byte: index, width: 8)
    }

    /// Whole bytes, the high one first.
    static func bigEndian(_ bytes: ClosedRange<Int>) -> BitField {
        BitField(byte: bytes.lowerBound, width: 8 * bytes.count)
    }

    /// Whole bytes, the low one first.
    static func littleEndian(_ bytes: ClosedRange<Int>) -> BitField {
        BitField(bits: 8 * bytes.lowerBound..<8 * (bytes.upperBound + 1), isLittleEndian: true)
    }

    /// Bits of one byte, numbered as manuals do: bit 0 is the least significant one.
    static func bits(_ range: ClosedRange<Int>, ofByte index: Int) -> BitField {
        let first = 8 * index + 7 - range.upperBound
        return BitField(bits: first..<first + range.count)
    }

    /// The field of `width` bits that begins where this one ends.
    func followed(by width: Int) -> BitField {
        BitField(bits: bits.upperBound..<bits.upperBound + width)
    }

    /// The largest number the field holds.
    var maximum: UInt64 { ~0 >> (64 - UInt64(bits.count)) }

    /// The bytes the field touches.
    private var window: ClosedRange<Int> { bits.lowerBound / 8...(bits.upperBound - 1) / 8 }

    /// The bits of the field in the big-endian number that the bytes of the window make.
    private var bitsInWindow: ClosedRange<Int> {
        let lowest = 8 * (window.upperBound + 1) - bits.upperBound
        return lowest...lowest + bits.count - 1
    }

    private func windowNumber(in storage: some BlockStorage) -> UInt64 {
        window.reduce(0) { $0 << 8 | UInt64(storage[$1]) }
    }

    /// A number with the bytes of the field reversed where the low one is stored first.
    private func reordered(_ value: UInt64) -> UInt64 {
        isLittleEndian ? value.byteSwapped >> (64 - UInt64(bits.count)) : value
    }

    /// The number in the field.
    func value(in storage: some BlockStorage) -> UInt64 {
        reordered(windowNumber(in: storage)[bits: bitsInWindow])
    }

    /// Puts the low bits of a number into the field; all other bits stay.
    func store(_ value: UInt64, in storage: inout some BlockStorage) {
        var number = windowNumber(in: storage)
        number[bits: bitsInWindow] = reordered(value)
        for index in window.reversed() {
            storage[index] = UInt8(truncatingIfNeeded: number)
            number >>= 8
        }
    }
}

extension BlockStorage {
    /// The number in a field; what exceeds the field is cut off.
    subscript<Value: FixedWidthInteger & UnsignedInteger>(field: BitField) -> Value {
        get { Value(truncatingIfNeeded: field.value(in: self)) }
        set { field.store(UInt64(truncatingIfNeeded: newValue), in: &self) }
    }

    /// A field of one bit.
    subscript(flag field: BitField) -> Bool {
        get { field.value(in: self) != 0 }
        set { field.store(newValue ? 1 : 0, in: &self) }
    }

    /// Stores a number that may be too large for its field.
    ///
    /// - Throws: ``WireError`` naming the field `name` and what it holds at most.
    mutating func store(
        _ value: some FixedWidthInteger & UnsignedInteger, in field: BitField, _ name: String
    ) throws(WireError) {
        guard value <= field.maximum else {
            throw WireError(
                .wrongValue, at: field.bits.lowerBound / 8, in: name, "\(value) is more than \(field.maximum)")
        }
        self[field] = value
    }
}
