/// The status byte of an answer; bits 7 and 6 belong to other protocols and are zero here.
///
/// Source: NXP, PN532 user manual UM0701-02, "error handling".
public struct PN532Status: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let ok = PN532Status(0x00)
    /// The target has not answered.
    public static let timeout = PN532Status(0x01)
    /// The CRC of the answer is wrong.
    public static let badCRC = PN532Status(0x02)
    /// The parity of the answer is wrong.
    public static let badParity = PN532Status(0x03)
    /// The framing of the answer is wrong.
    public static let badFraming = PN532Status(0x05)
    /// The answer is longer than the buffer.
    public static let overflow = PN532Status(0x09)
    /// A parameter is out of range.
    public static let wrongParameter = PN532Status(0x10)
    /// The data do not fit the protocol.
    public static let wrongFormat = PN532Status(0x13)
    /// Authentication failed.
    public static let authentication = PN532Status(0x14)
    /// The command does not fit what went before, or there is no such target.
    public static let wrongContext = PN532Status(0x27)
    /// The target has been released.
    public static let released = PN532Status(0x29)

    /// Whether the command was carried out.
    public var isOK: Bool { rawValue & 0x3F == 0 }

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }
}
