/// The sixteen bytes of a FeliCa block.
public struct BlockData: Hashable, Sendable, CustomStringConvertible {
    /// The bytes in wire order.
    public var simd: SIMD16<UInt8>

    /// Sixteen zero bytes.
    public static let zero = BlockData(SIMD16(repeating: 0))
    /// Bytes of a block.
    public static let byteCount = 16

    @inlinable
    public init(_ simd: SIMD16<UInt8>) {
        self.simd = simd
    }

    /// Creates a block from up to sixteen bytes, the rest zero.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        var block = SIMD16<UInt8>(repeating: 0)
        var (index, iterator) = (0, bytes.makeIterator())
        while index < Self.byteCount, let byte = iterator.next() {
            block[index] = byte
            index += 1
        }
        self.init(block)
    }

    /// Reads sixteen bytes of a span whose length the caller has checked.
    @inline(always)
    public init(_ bytes: Span<UInt8>, at offset: Int) {
        let source = bytes.extracting(offset..<offset + Self.byteCount)
        var block = SIMD16<UInt8>(repeating: 0)
        for index in 0..<Self.byteCount { block[index] = source[index] }
        simd = block
    }

    /// The byte at an index from 0 to 15.
    public subscript(index: Int) -> UInt8 {
        get { simd[index] }
        set { simd[index] = newValue }
    }

    /// The sixteen bytes.
    public var bytes: [UInt8] { (0..<Self.byteCount).map { simd[$0] } }

    /// Thirty-two hexadecimal digits.
    public var description: String { Hex.text(bytes) }
}
