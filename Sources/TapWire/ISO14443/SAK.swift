/// The select acknowledge, one byte, answer to SELECT.
///
/// Source: ISO/IEC 14443-3, type A, "SAK".
public struct SAK: FrameValue, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The UID goes on in the next cascade level.
    public static let uidNotComplete = SAK(0x04)
    /// The UID is complete and the card has no ISO/IEC 14443-4 layer.
    public static let complete = SAK(0x00)

    /// Whether the card is selected: bit 2 is clear.
    public var isUIDComplete: Bool { rawValue & 0x04 == 0 }
    /// Whether a selected card speaks ISO/IEC 14443-4: bit 5 is set and bit 2 clear.
    public var speaksISO14443Part4: Bool { rawValue & 0x24 == 0x20 }

    /// Reads one byte.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "SAK")
        self.init(bytes[0])
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
    }

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }
}
