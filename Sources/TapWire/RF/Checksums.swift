/// CRC_A, the checksum at the end of a type A standard frame.
///
/// Reflected CRC-16 with polynomial 1021h and initial value 6363h, without a final XOR; the low byte is sent first. Source:
/// ISO/IEC 14443-3, annex on CRC_A.
public enum CRCA {
    public static let byteCount = 2
    /// The register before the first byte, and therefore the checksum of no bytes.
    package static let initialValue: UInt16 = 0x6363

    private static let table = CRC16Table { byte in
        let mixed = UInt16(byte ^ byte << 4)
        return mixed << 8 ^ mixed << 3 ^ mixed >> 4
    }

    /// The checksum of `bytes`; its low byte is sent first.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        table.register(after: bytes, from: initialValue)
    }

    /// The checksum of `bytes`; its low byte is sent first.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        let slice = bytes[...]
        return checksum(of: slice.span)
    }

    /// The two bytes of a checksum in transmission order.
    package static func wireBytes(of checksum: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
    }
}

/// The checksum at the end of a FeliCa frame: CRC-16 with x¹⁶+x¹²+x⁵+1, initial value zero, most significant bit first.
///
/// It covers LEN and payload and is sent high byte first, so the checksum of a whole intact frame is zero. Links that carry
/// packets do not use it; transports that carry RF frames do. Source: JIS X 6319-4, "frame format".
public enum CRC16FeliCa {
    public static let byteCount = 2

    /// x¹²+x⁵+1; the register shifts out x¹⁶.
    private static let polynomial: UInt16 = 0x1021

    private static let table = CRC16Table { byte in
        (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc << 1 ^ (crc & 0x8000 == 0 ? 0 : polynomial) }.byteSwapped
    }

    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        table.register(after: bytes, from: 0).byteSwapped
    }

    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        let slice = bytes[...]
        return checksum(of: slice.span)
    }

    package static func appending(to packet: [UInt8]) -> [UInt8] {
        let crc = checksum(of: packet)
        return packet + [UInt8(truncatingIfNeeded: crc >> 8), UInt8(truncatingIfNeeded: crc)]
    }

    /// The extent of a packet in received bytes that end with its checksum; too few bytes for a checksum count as a bad CRC.
    @inline(always)
    public static func extent(rfBytes bytes: Span<UInt8>) -> FrameExtent {
        guard bytes.count >= byteCount else { return FrameExtent(byteCount: bytes.count, integrity: .badCRC) }
        return FrameExtent(
            byteCount: bytes.count - byteCount, integrity: checksum(of: bytes) == 0 ? .good : .badCRC)
    }

    /// Removes the checksum from the end of `bytes` and checks it, like ``extent(rfBytes:)``.
    package static func checking(_ bytes: [UInt8]) -> (packet: [UInt8], integrity: FrameIntegrity) {
        let slice = bytes[...]
        let extent = extent(rfBytes: slice.span)
        return (Array(bytes.prefix(extent.byteCount)), extent.integrity)
    }
}

/// A table-driven CRC-16 with x¹⁶+x¹²+x⁵+1.
///
/// The register is kept in transmission order, the byte that is sent first in the low half. Both checksums are therefore the
/// same computation; they differ in the table and the initial value.
struct CRC16Table: Sendable {
    /// The register after each byte, starting from zero.
    private let entries: [UInt16]

    init(registerAfter register: (UInt8) -> UInt16) {
        entries = (0...UInt8.max).map(register)
    }

    func register(after bytes: Span<UInt8>, from initial: UInt16) -> UInt16 {
        var register = initial
        for index in bytes.indices {
            register = register >> 8 ^ entries[Int(UInt8(truncatingIfNeeded: register) ^ bytes[index])]
        }
        return register
    }
}
