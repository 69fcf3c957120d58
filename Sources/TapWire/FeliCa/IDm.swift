/// The manufacture ID of a FeliCa system, eight bytes.
///
/// The upper nibble of byte 0 is the system number; the other 60 bits are the same on all systems of one card.
/// Source: FeliCa Card User's Manual, excerpted edition, Polling.
public struct IDm: Hashable, Sendable, CustomStringConvertible {
    /// The eight bytes as one number, byte 0 highest.
    public let rawValue: UInt64

    /// Creates an IDm from its eight bytes as one number, byte 0 highest.
    @inlinable
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Number of the system on its card, 0 to 15.
    public var systemNumber: Int { Int(rawValue >> 60) }

    /// The IDm of another system of the same card; only the low four bits of `number` count.
    public func ofSystem(_ number: Int) -> IDm {
        IDm(rawValue & 0x0FFF_FFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: number & 0xF) << 60)
    }

    /// Sixteen hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 16) }
}
