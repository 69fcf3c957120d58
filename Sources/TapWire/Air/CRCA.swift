/// CRC_A, the checksum at the end of a type A standard frame.
///
/// Reflected CRC-16 with polynomial 1021h and initial value 6363h, nothing added at the end; the low byte goes on air
/// first.
/// Source: ISO/IEC 14443-3, annex on CRC_A.
public enum CRCA {
    /// Bytes of a checksum on air.
    public static let byteCount = 2
    /// The value before the first byte, and so the checksum of nothing.
    public static let initialValue: UInt16 = 0x6363

    private static let table = CRC16Table { byte in
        let mixed = UInt16(byte ^ byte << 4)
        return mixed << 8 ^ mixed << 3 ^ mixed >> 4
    }

    /// The checksum of `bytes`, its low byte to be sent first.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        table.register(after: bytes, from: initialValue)
    }

    /// The checksum of `bytes`, its low byte to be sent first.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        let slice = bytes[...]
        return checksum(of: slice.span)
    }

    /// Appends the checksum of what a buffer holds, its low byte first.
    @inline(always)
    public static func append(to buffer: inout FrameBuffer) {
        buffer.append(littleEndian: buffer.withSpan { checksum(of: $0) })
    }

    /// The two bytes of a checksum as they go on air.
    public static func wireBytes(of checksum: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
    }
}
