/// The checksum at the end of a FeliCa frame: CRC-16 with x¹⁶+x¹²+x⁵+1, from zero, most significant bit first.
///
/// It is taken over LEN and payload and sent with its high byte first, so running it over a whole right frame gives
/// zero. Links that carry packets need none of it; doors that carry air frames do.
/// Source: JIS X 6319-4, "frame format".
public enum CRC16FeliCa {
    /// Number of bytes of a checksum.
    public static let byteCount = 2

    /// x¹²+x⁵+1; x¹⁶ is what the register shifts out.
    private static let polynomial: UInt16 = 0x1021
    /// How many bytes one step takes: eight look-ups that do not wait for each other.
    private static let slices = 8

    /// Entry `256·k + b` is the checksum of byte b followed by k zero bytes.
    private static let table: [UInt16] = {
        var table: [UInt16] = []
        table.reserveCapacity(256 * slices)
        for byte in 0..<UInt16(256) {
            table.append((0..<8).reduce(byte << 8) { crc, _ in crc << 1 ^ (crc & 0x8000 == 0 ? 0 : polynomial) })
        }
        for index in 256..<256 * slices {
            let shorter = table[index - 256]
            table.append(shorter << 8 ^ table[Int(shorter >> 8)])
        }
        return table
    }()

    /// The checksum of `bytes`.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        let slice = table[...]
        let table = slice.span
        var crc: UInt16 = 0
        var offset = 0
        while offset + slices <= bytes.count {
            var next = table[256 * 7 + Int(bytes[offset] ^ UInt8(truncatingIfNeeded: crc >> 8))]
            next ^= table[256 * 6 + Int(bytes[offset + 1] ^ UInt8(truncatingIfNeeded: crc))]
            next ^= table[256 * 5 + Int(bytes[offset + 2])] ^ table[256 * 4 + Int(bytes[offset + 3])]
            next ^= table[256 * 3 + Int(bytes[offset + 4])] ^ table[256 * 2 + Int(bytes[offset + 5])]
            crc = next ^ table[256 + Int(bytes[offset + 6])] ^ table[Int(bytes[offset + 7])]
            offset += slices
        }
        while offset < bytes.count {
            crc = crc << 8 ^ table[Int(bytes[offset] ^ UInt8(truncatingIfNeeded: crc >> 8))]
            offset += 1
        }
        return crc
    }

    /// The checksum of `bytes`.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        let slice = bytes[...]
        return checksum(of: slice.span)
    }

    /// A packet with its checksum behind it.
    public static func appending(to packet: [UInt8]) -> [UInt8] {
        let crc = checksum(of: packet)
        return packet + [UInt8(truncatingIfNeeded: crc >> 8), UInt8(truncatingIfNeeded: crc)]
    }

    /// Takes the checksum off the end of `bytes` and checks it.
    ///
    /// - Returns: The packet, and what the check gave; too few bytes for a checksum are a packet with a bad one.
    public static func checking(_ bytes: [UInt8]) -> (packet: [UInt8], integrity: FrameIntegrity) {
        guard bytes.count >= byteCount else { return (bytes, .badCRC) }
        return (Array(bytes.dropLast(byteCount)), checksum(of: bytes) == 0 ? .good : .badCRC)
    }
}
