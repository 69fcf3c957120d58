extension Span where Element == UInt8 {
    /// Two bytes as a number, the low one first; the caller has checked the length.
    @inline(always)
    public func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8
    }

    /// Two bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian16(at offset: Int) -> UInt16 {
        littleEndian16(at: offset).byteSwapped
    }

    /// Eight bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian64(at offset: Int) -> UInt64 {
        // In a part of known length one check of bounds and one load are left.
        let bytes = extracting(offset..<offset + 8)
        var value: UInt64 = 0
        for index in 0..<8 { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// A copy of a range of bytes; the caller has checked the bounds.
    public func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
