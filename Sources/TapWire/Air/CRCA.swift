/// CRC_A, the checksum at the end of a type A standard frame.
///
/// Reflected CRC-16 with polynomial 1021h and initial value 6363h, nothing added at the end; the low byte goes on air
/// first. Computed eight bytes at a step, where table k holds the effect of a byte that k more bytes follow; what is
/// left over, and so every short command, byte by byte without a table.
/// Source: ISO/IEC 14443-3, annex on CRC_A.
public enum CRCA {
    /// Bytes of a checksum on air.
    public static let byteCount = 2
    /// The value before the first byte, and so the checksum of nothing.
    public static let initialValue: UInt16 = 0x6363

    /// The checksum of `bytes`, its low byte to be sent first.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        var crc = bytes.count < 8 ? initialValue : checksum(ofEights: bytes)
        for index in (bytes.count & ~7)..<bytes.count { crc = next(crc, bytes[index]) }
        return crc
    }

    /// The checksum of as many groups of eight bytes as there are.
    private static func checksum(ofEights bytes: Span<UInt8>) -> UInt16 {
        let storage = tables[...]
        let table = storage.span
        var crc = initialValue
        for start in stride(from: 0, to: bytes.count & ~7, by: 8) {
            var sum = table[7 << 8 | Int(bytes[start] ^ UInt8(truncatingIfNeeded: crc))]
            sum ^= table[6 << 8 | Int(bytes[start + 1] ^ UInt8(truncatingIfNeeded: crc >> 8))]
            for step in 2..<8 { sum ^= table[(7 - step) << 8 | Int(bytes[start + step])] }
            crc = sum
        }
        return crc
    }

    /// The checksum after one more byte.
    @inline(always)
    private static func next(_ crc: UInt16, _ byte: UInt8) -> UInt16 {
        let low = byte ^ UInt8(truncatingIfNeeded: crc)
        let mixed = UInt16(low ^ low << 4)
        return crc >> 8 ^ mixed << 8 ^ mixed << 3 ^ mixed >> 4
    }

    /// The checksum of `bytes`, its low byte to be sent first.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        let slice = bytes[...]
        return checksum(of: slice.span)
    }

    /// The two bytes of a checksum as they go on air.
    public static func wireBytes(of checksum: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
    }

    /// Eight tables of 256 entries, one after the other.
    private static let tables: [UInt16] = {
        var tables = (0...UInt8.max).map { next(0, $0) }
        for index in 256..<8 * 256 {
            let shorter = tables[index - 256]
            tables.append(shorter >> 8 ^ tables[Int(shorter & 0xFF)])
        }
        return tables
    }()
}
