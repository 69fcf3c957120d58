extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bits of a range as a number; bit 0 is the least significant bit.
    subscript(bits range: ClosedRange<Int>) -> Self {
        get { self >> range.lowerBound & Self.ones(range.count) }
        set {
            let mask = Self.ones(range.count) << range.lowerBound
            self = self & ~mask | newValue << range.lowerBound & mask
        }
    }

    private static func ones(_ count: Int) -> Self { ~0 >> (bitWidth - count) }

    /// The bytes of the number, high byte first.
    package var bigEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }

    /// The bytes of the number, low byte first.
    package var littleEndianBytes: [UInt8] { bigEndianBytes.reversed() }
}

/// The position of a value in the bytes of a record: up to 64 consecutive bits within at most eight bytes as a number.
///
/// A larger field can be read and stored only as bytes.
///
/// Bits are counted in reading order from the most significant bit of byte 0, the usual notation for packed records.
struct BitField {
    let bits: Range<Int>
    /// A Boolean value that indicates whether the field consists of whole bytes, low byte first.
    let isLittleEndian: Bool

    private init(bits: Range<Int>, isLittleEndian: Bool = false) {
        self.bits = bits
        self.isLittleEndian = isLittleEndian
    }

    static func byte(_ index: Int) -> BitField {
        .bits(0..<8, fromByte: index)
    }

    /// Whole bytes, high byte first.
    static func bigEndian(_ bytes: ClosedRange<Int>) -> BitField {
        .bits(0..<8 * bytes.count, fromByte: bytes.lowerBound)
    }

    /// Whole bytes, low byte first.
    static func littleEndian(_ bytes: ClosedRange<Int>) -> BitField {
        BitField(bits: 8 * bytes.lowerBound..<8 * (bytes.upperBound + 1), isLittleEndian: true)
    }

    /// Bits of one byte, numbered as in manuals: bit 0 is the least significant bit.
    static func bits(_ range: ClosedRange<Int>, ofByte index: Int) -> BitField {
        let first = 8 * index + 7 - range.upperBound
        return BitField(bits: first..<first + range.count)
    }

    /// Bits in reading order, counted from the most significant bit of a byte.
    static func bits(_ range: Range<Int>, fromByte index: Int) -> BitField {
        BitField(bits: 8 * index + range.lowerBound..<8 * index + range.upperBound)
    }

    /// The largest number that fits the field.
    var maximum: UInt64 { ~0 >> (64 - UInt64(bits.count)) }

    private var window: ClosedRange<Int> { bits.lowerBound / 8...(bits.upperBound - 1) / 8 }

    /// The bits of the field in the big-endian number formed by the bytes of `window`.
    private var bitsInWindow: ClosedRange<Int> {
        let lowest = 8 * (window.upperBound + 1) - bits.upperBound
        return lowest...lowest + bits.count - 1
    }

    private func windowNumber(in storage: some BlockStorage) -> UInt64 {
        window.reduce(0) { $0 << 8 | UInt64(storage[$1]) }
    }

    /// The number, with its bytes reversed if the field is little-endian.
    private func reordered(_ value: UInt64) -> UInt64 {
        isLittleEndian ? value.byteSwapped >> (64 - UInt64(bits.count)) : value
    }

    func value(in storage: some BlockStorage) -> UInt64 {
        reordered(windowNumber(in: storage)[bits: bitsInWindow])
    }

    /// The field as bytes, the number's high byte first.
    func bytes(in storage: some BlockStorage) -> [UInt8] {
        let count = (bits.count + 7) / 8
        guard count <= 8 else { return window.map { storage[$0] } }
        return value(in: storage).octets.suffix(count)
    }

    /// Stores exactly as many bytes as the field has.
    func store(_ bytes: [UInt8], in storage: inout some BlockStorage) {
        guard bytes.count > 8 else { return store(UInt64(octets: bytes), in: &storage) }
        for (index, byte) in zip(window, bytes) { storage[index] = byte }
    }

    /// Stores the low bits of a number in the field and leaves all other bits unchanged.
    func store(_ value: UInt64, in storage: inout some BlockStorage) {
        var number = windowNumber(in: storage)
        number[bits: bitsInWindow] = reordered(value)
        for index in window.reversed() {
            storage[index] = UInt8(truncatingIfNeeded: number)
            number >>= 8
        }
    }
}
