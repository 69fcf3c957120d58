/// Look-ups for a CRC-16, sixteen bytes at a step.
///
/// The register is kept in the order of the air, the byte that is sent first lowest. So both checksums of cards are one
/// computation: they differ in the table and in what the register begins with.
struct CRC16Table: Sendable {
    private static let slices = 16

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
        let table = slice.span
        var register = initial
        var start = 0
        while bytes.count &- start >= 16 {
            let (first, second) = (Self.word(bytes, start), Self.word(bytes, start &+ 8))
            register = Self.sum(first, after: register, followedBy: 8, table) ^ Self.sum(second, followedBy: 0, table)
            start &+= 16
        }
        if bytes.count &- start >= 8 {
            register = Self.sum(Self.word(bytes, start), after: register, followedBy: 0, table)
            start &+= 8
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

    /// What eight bytes add to the register, the first one lowest, when so many bytes follow.
    ///
    /// Only the first two wait for the register, so they come last.
    @inline(always)
    private static func sum(
        _ word: UInt64, after register: UInt16 = 0, followedBy count: Int, _ table: Span<UInt16>
    ) -> UInt16 {
        var sum: UInt16 = 0
        for byte in (2..<8).reversed() {
            sum ^= entry(count + 7 - byte, UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)), table)
        }
        let first = UInt16(truncatingIfNeeded: word) ^ register
        return sum ^ entry(count + 6, UInt8(truncatingIfNeeded: first >> 8), table)
            ^ entry(count + 7, UInt8(truncatingIfNeeded: first), table)
    }

    /// The register after a byte that so many zero bytes follow, fewer than there are slices.
    @inline(always)
    private static func entry(_ count: Int, _ byte: UInt8, _ table: Span<UInt16>) -> UInt16 {
        unsafe table[unchecked: count << 8 | Int(byte)]
    }

    /// Eight bytes as a number, the first one lowest.
    @inline(always)
    private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        bytes.bigEndian64(at: offset).byteSwapped
    }
}
