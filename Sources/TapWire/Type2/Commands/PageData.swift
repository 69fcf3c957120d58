/// The four bytes of a Type 2 page.
public struct PageData: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// Bytes of a page.
    public static let byteCount = 4
    /// Four zero bytes.
    public static let zero = PageData(0, 0, 0, 0)

    /// The bytes in wire order.
    public var simd: SIMD4<UInt8>

    @inlinable
    public init(_ simd: SIMD4<UInt8>) {
        self.simd = simd
    }

    /// Creates a page from its bytes, byte 0 first.
    @inlinable
    public init(_ byte0: UInt8, _ byte1: UInt8, _ byte2: UInt8, _ byte3: UInt8) {
        simd = SIMD4(byte0, byte1, byte2, byte3)
    }

    /// Creates a page from up to four bytes, the rest zero.
    public init(_ bytes: some Sequence<UInt8>) {
        var page = SIMD4<UInt8>(repeating: 0)
        for (index, byte) in bytes.prefix(Self.byteCount).enumerated() { page[index] = byte }
        simd = page
    }

    /// Reads four bytes of a span whose length the caller has checked.
    @inline(always)
    public init(_ bytes: Span<UInt8>, at offset: Int) {
        let page = bytes.extracting(offset..<offset + Self.byteCount)
        self.init(page[0], page[1], page[2], page[3])
    }

    /// The byte at an index from 0 to 3.
    public subscript(index: Int) -> UInt8 {
        get { simd[index] }
        set { simd[index] = newValue }
    }

    /// The four bytes.
    public var bytes: [UInt8] { (0..<Self.byteCount).map { simd[$0] } }

    /// Appends the four bytes.
    @inline(always)
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(simd)
    }

    /// Eight hexadecimal digits.
    public var description: String { Hex.text(bytes) }
}
