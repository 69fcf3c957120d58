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

    private static let table = CRC16Table { byte in
        (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc << 1 ^ (crc & 0x8000 == 0 ? 0 : polynomial) }.byteSwapped
    }

    /// The checksum of `bytes`.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        table.register(after: bytes, from: 0).byteSwapped
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

    /// What bytes on air hold: a packet and its checksum; too few bytes for one are a packet with a bad one.
    @inline(always)
    public static func extent(onAir bytes: Span<UInt8>) -> FrameExtent {
        guard bytes.count >= byteCount else { return FrameExtent(byteCount: bytes.count, integrity: .badCRC) }
        return FrameExtent(
            byteCount: bytes.count - byteCount, integrity: checksum(of: bytes) == 0 ? .good : .badCRC)
    }

    /// Takes the checksum off the end of `bytes` and checks it, as ``extent(onAir:)`` has it.
    ///
    /// - Returns: The packet, and what the check gave.
    public static func checking(_ bytes: [UInt8]) -> (packet: [UInt8], integrity: FrameIntegrity) {
        let slice = bytes[...]
        let extent = extent(onAir: slice.span)
        return (Array(bytes.prefix(extent.byteCount)), extent.integrity)
    }

    /// Appends the checksum of what a buffer holds, its high byte first.
    @inline(always)
    public static func append(to buffer: inout FrameBuffer) {
        buffer.append(bigEndian: buffer.withSpan { checksum(of: $0) })
    }
}

/// A CRC-16 with x¹⁶+x¹²+x⁵+1: long frames are folded to 32 bytes, these are looked up sixteen at a step.
///
/// The register is kept in the order of the air, the byte that is sent first lowest. So both checksums of cards are one
/// computation: they differ in the table and in what the register begins with.
struct CRC16Table: Sendable {
    private static let slices = 16
    /// Bytes from which on folding is worth its beginning and its end.
    private static let fewestFolded = 64

    /// Entry `256·k + b` is the register after byte b followed by k zero bytes, from zero.
    private let entries: [UInt16]

    /// Creates a table.
    ///
    /// - Parameter register: The register after one byte, from zero.
    init(registerAfter register: (UInt8) -> UInt16) {
        var entries = (0...UInt8.max).map(register)
        for index in 256..<256 * Self.slices {
            let shorter = entries[index - 256]
            entries.append(shorter >> 8 ^ entries[Int(shorter & 0xFF)])
        }
        self.entries = entries
    }

    /// The register after bytes.
    func register(after bytes: Span<UInt8>, from initial: UInt16) -> UInt16 {
        let slice = entries[...]
        // Folding is a function of its own, so that short frames do not pay for its registers.
        return bytes.count < Self.fewestFolded
            ? Self.lookUp(bytes, initial, slice.span) : Self.fold(bytes, initial, slice.span)
    }

    /// The register after the bytes of a long frame.
    ///
    /// Squaring x¹⁶ = x¹²+x⁵+1 four times gives x²⁵⁶ = x¹⁹²+x⁸⁰+1: a word counts as much as the same word 8, 22 and 32
    /// bytes further on. So it is taken from the front of the 32 bytes at hand and added there, until too few follow.
    /// These are whole bytes, so the order of bits in them does not matter.
    @inline(never)
    private static func fold(_ bytes: Span<UInt8>, _ initial: UInt16, _ table: Span<UInt16>) -> UInt16 {
        var (first, second) = (word(bytes, 0) ^ UInt64(initial), word(bytes, 8))
        var (third, fourth) = (word(bytes, 16), word(bytes, 24))
        var rest = bytes.extracting(droppingFirst: 32)
        while rest.count >= 32 {
            for offset in stride(from: 0, to: 32, by: 8) {
                let next = word(rest, offset) ^ first
                (first, second, third, fourth) = (second ^ first, third ^ first << 48, fourth ^ first >> 16, next)
            }
            rest = rest.extracting(droppingFirst: 32)
        }
        let register = sum(first, second, after: 0, table)
        return lookUp(rest, sum(third, fourth, after: register, table), table)
    }

    /// The register after bytes, each of which is looked up.
    @inline(__always)
    private static func lookUp(_ bytes: Span<UInt8>, _ initial: UInt16, _ table: Span<UInt16>) -> UInt16 {
        var register = initial
        var start = 0
        while bytes.count &- start >= 16 {
            register = Self.sum(Self.word(bytes, start), Self.word(bytes, start &+ 8), after: register, table)
            start &+= 16
        }
        if bytes.count &- start >= 8 {
            register = Self.sum(Self.word(bytes, start), 8, after: register, followedBy: 0, table)
            start &+= 8
        }
        if bytes.count &- start >= 4 {
            register = Self.sum(Self.word(bytes, start, 4), 4, after: register, followedBy: 0, table)
            start &+= 4
        }
        var rest: UInt16 = 0
        while start < bytes.count {
            let byte = bytes[start] ^ UInt8(truncatingIfNeeded: register)
            start &+= 1
            rest ^= Self.entry(bytes.count &- start, byte, table)
            register >>= 8
        }
        return rest ^ register
    }

    /// What sixteen bytes make of the register.
    @inline(__always)
    private static func sum(
        _ first: UInt64, _ second: UInt64, after register: UInt16, _ table: Span<UInt16>
    ) -> UInt16 {
        sum(first, 8, after: register, followedBy: 8, table) ^ sum(second, 8, after: 0, followedBy: 0, table)
    }

    /// What four or eight bytes make of the register, the first one lowest, when so many bytes follow.
    ///
    /// Only the first two wait for the register, so they come last.
    @inline(__always)
    private static func sum(
        _ word: UInt64, _ byteCount: Int, after register: UInt16, followedBy count: Int, _ table: Span<UInt16>
    ) -> UInt16 {
        var sum: UInt16 = 0
        for byte in (2..<byteCount).reversed() {
            sum ^= entry(count + byteCount - 1 - byte, UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)), table)
        }
        let first = UInt16(truncatingIfNeeded: word) ^ register
        return sum ^ entry(count + byteCount - 2, UInt8(truncatingIfNeeded: first >> 8), table)
            ^ entry(count + byteCount - 1, UInt8(truncatingIfNeeded: first), table)
    }

    /// The register after a byte that so many zero bytes follow, fewer than there are slices.
    @inline(always)
    private static func entry(_ count: Int, _ byte: UInt8, _ table: Span<UInt16>) -> UInt16 {
        unsafe table[unchecked: count << 8 | Int(byte)]
    }

    /// Up to eight bytes as a number, the first one lowest.
    @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ offset: Int, _ byteCount: Int = 8) -> UInt64 {
        // In a part of known length one check of bounds and one load are left.
        let bytes = bytes.extracting(offset..<offset + byteCount)
        var word: UInt64 = 0
        for index in 0..<byteCount { word |= UInt64(bytes[index]) << UInt64(8 * index) }
        return word
    }
}
