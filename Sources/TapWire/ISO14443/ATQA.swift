/// The answer to REQA and WUPA, two bytes, the low one first on air, without CRC.
///
/// Source: ISO/IEC 14443-3, type A, "ATQA".
public struct ATQA: FrameValue, CustomStringConvertible {
    /// Both bytes as a number; `0x0044` travels as `44 00`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// What NTAG213, NTAG215 and NTAG216 answer: a UID of seven bytes, bit frame anticollision.
    public static let ntag21x = ATQA(0x0044)

    /// Bytes of the UID as bits 7–6 announce them: 4, 7 or 10, or nothing for the reserved value.
    public var uidByteCount: Int? {
        switch rawValue >> 6 & 3 {
        case 0: 4
        case 1: 7
        case 2: 10
        default: nil
        }
    }

    /// Whether the card takes part in bit frame anticollision: exactly one of bits 4–0 is set.
    public var supportsAnticollision: Bool { (rawValue & 0x1F).nonzeroBitCount == 1 }

    /// Reads two bytes, the low one first.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 2, of: "ATQA")
        self.init(bytes.littleEndian16(at: 0))
    }

    /// Appends two bytes, the low one first.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(littleEndian: rawValue)
    }

    /// Four hexadecimal digits, the high byte first.
    public var description: String { Hex.digits(rawValue, width: 4) }
}
