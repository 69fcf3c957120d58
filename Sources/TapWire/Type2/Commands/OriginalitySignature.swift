/// An originality signature: ECDSA over secp128r1 of the seven UID bytes taken as a number, without a hash.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "originality check"; NXP AN11350.
public struct OriginalitySignature: FrameValue, CustomStringConvertible {
    /// Bytes of a signature.
    public static let byteCount = 32
    /// Thirty-two zero bytes, no signature of any key; some clones answer it.
    public static let zero = OriginalitySignature(r: SIMD16(repeating: 0), s: SIMD16(repeating: 0))

    /// The number r, big-endian.
    public var r: SIMD16<UInt8>
    /// The number s, big-endian.
    public var s: SIMD16<UInt8>

    /// Creates a signature from its two numbers, big-endian.
    @inlinable
    public init(r: SIMD16<UInt8>, s: SIMD16<UInt8>) {
        self.r = r
        self.s = s
    }

    /// Reads thirty-two bytes.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "signature")
        self = .zero
        for index in 0..<16 {
            r[index] = bytes[index]
            s[index] = bytes[16 + index]
        }
    }

    /// Appends thirty-two bytes.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(r)
        buffer.append(s)
    }

    /// Sixty-four hexadecimal digits.
    public var description: String { Hex.text(bytes) }
}
