/// A type A short frame: seven bits, no parity, no CRC.
///
/// Source: ISO/IEC 14443-3, type A, "short frame".
public struct ShortFrame: FrameValue, CustomStringConvertible {
    /// The seven bits.
    public let rawValue: UInt8

    /// Creates a short frame; only the low seven bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x7F
    }

    /// Asks all idle cards to answer.
    public static let reqa = ShortFrame(0x26)
    /// Asks all cards to answer, halted ones too.
    public static let wupa = ShortFrame(0x52)

    /// Reads the seven bits from one byte whose highest bit is zero.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "short frame")
        guard bytes[0] < 0x80 else { throw WireError(.wrongValue, at: 0, in: "short frame", "it has seven bits") }
        self.init(bytes[0])
    }

    /// Appends the seven bits to an empty buffer.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
        buffer.trim(toBits: TypeAFraming.shortFrameBits)
    }

    /// `REQA`, `WUPA`, or the bits in hexadecimal.
    public var description: String {
        switch self {
        case .reqa: "REQA"
        case .wupa: "WUPA"
        default: "short frame " + Hex.digits(rawValue, width: 2)
        }
    }
}
