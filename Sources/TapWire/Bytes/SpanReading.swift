// These loads check their bounds. They are unsafe for types of which not every pattern of bits is a value; of integers
// every pattern is one.
extension Span where Element == UInt8 {
    /// Two bytes as a number, the low one first; the caller has checked the length.
    @inline(always)
    public func littleEndian16(at offset: Int) -> UInt16 {
        unsafe UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Two bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian16(at offset: Int) -> UInt16 {
        littleEndian16(at: offset).byteSwapped
    }

    /// Eight bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian64(at offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A copy of a range of bytes; the caller has checked the bounds.
    public func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
