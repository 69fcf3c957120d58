/// The first byte of a command to a Type 2 tag.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands"; the codes NTAG21x does not know from the data sheets
/// of the cards that do.
public struct Type2Opcode: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // Computed and inlinable, so that a card in another module switches over plain numbers.

    /// GET_VERSION.
    @inlinable
    public static var getVersion: Type2Opcode { Type2Opcode(0x60) }
    /// READ.
    @inlinable
    public static var read: Type2Opcode { Type2Opcode(0x30) }
    /// FAST_READ.
    @inlinable
    public static var fastRead: Type2Opcode { Type2Opcode(0x3A) }
    /// WRITE.
    @inlinable
    public static var write: Type2Opcode { Type2Opcode(0xA2) }
    /// COMPATIBILITY_WRITE.
    @inlinable
    public static var compatibilityWrite: Type2Opcode { Type2Opcode(0xA0) }
    /// READ_CNT.
    @inlinable
    public static var readCounter: Type2Opcode { Type2Opcode(0x39) }
    /// PWD_AUTH.
    @inlinable
    public static var passwordAuthentication: Type2Opcode { Type2Opcode(0x1B) }
    /// READ_SIG.
    @inlinable
    public static var readSignature: Type2Opcode { Type2Opcode(0x3C) }
    /// HLTA, a command of ISO/IEC 14443-3.
    @inlinable
    public static var halt: Type2Opcode { Type2Opcode(0x50) }
    /// CHECK_TEARING_EVENT, of MIFARE Ultralight EV1.
    @inlinable
    public static var checkTearing: Type2Opcode { Type2Opcode(0x3E) }

    /// How documentation explains this opcode, or nothing for an unknown one.
    public var explanation: Explanation? {
        Self.explanations.first { $0.opcode == self }
    }

    /// The name in the data sheet, or the byte in hexadecimal.
    public var description: String {
        explanation?.name ?? "command " + Hex.digits(rawValue, width: 2)
    }
}
