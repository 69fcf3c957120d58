/// The first byte of a command to a Type 2 tag.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands"; the codes NTAG21x does not know from the data sheets
/// of the cards that do.
public struct Type2Opcode: Hashable, Sendable, CustomStringConvertible {
    /// The byte.
    public let rawValue: UInt8

    /// Creates an opcode.
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

    /// A command as documentation names and explains it.
    public struct Explanation: Hashable, Sendable {
        /// The opcode.
        public let opcode: Type2Opcode
        /// The name in the data sheet.
        public let name: String
        /// Whether NTAG213, NTAG215 and NTAG216 know the command.
        public let isKnownToNTAG21x: Bool
        /// What the command does, one sentence.
        public let sentence: String
    }

    /// The commands of NTAG21x, then those of its relatives that readers try.
    public static let explanations: [Explanation] = [
        known(.getVersion, "GET_VERSION", "Tells vendor, product, version and memory size in eight bytes."),
        known(.read, "READ", "Reads four pages, going on at page 0 behind the last page it may read."),
        known(.fastRead, "FAST_READ", "Reads all pages from the first to the last address in one answer."),
        known(.write, "WRITE", "Writes one page; lock bytes and the capability container only ever gain bits."),
        known(.compatibilityWrite, "COMP_WRITE", "Writes one page in two steps, the second of which carries 16 bytes."),
        known(.readCounter, "READ_CNT", "Reads the 24-bit NFC counter, low byte first."),
        known(
            .passwordAuthentication, "PWD_AUTH", "Opens protected pages with four password bytes; the answer is PACK."),
        known(.readSignature, "READ_SIG", "Reads the 32-byte originality signature."),
        known(.halt, "HLTA", "Sends the card to HALT without an answer; only WUPA wakes it."),
        foreign(
            Type2Opcode(0x1A), "AUTHENTICATE",
            "Begins the authentication of MIFARE Ultralight C; readers use it to tell the types apart."),
        foreign(.checkTearing, "CHECK_TEARING_EVENT", "Asks MIFARE Ultralight EV1 whether a counter update was torn."),
        foreign(Type2Opcode(0x4B), "VCSL", "Selects a virtual card on MIFARE Ultralight EV1."),
        foreign(Type2Opcode(0xA5), "INCR_CNT", "Adds to a one-way counter of MIFARE Ultralight EV1."),
        foreign(
            Type2Opcode(0xC2), "SECTOR_SELECT", "Switches the sector on Type 2 tags with more than 1 KiB of memory."),
        foreign(Type2Opcode(0xE0), "RATS", "Asks a card for ISO/IEC 14443-4, which Type 2 tags do not have."),
    ]

    /// How documentation explains this opcode, or nothing for an unknown one.
    public var explanation: Explanation? {
        Self.explanations.first { $0.opcode == self }
    }

    /// The name in the data sheet, or the byte in hexadecimal.
    public var description: String {
        explanation?.name ?? "command " + Hex.digits(rawValue, width: 2)
    }

    private static func known(_ opcode: Type2Opcode, _ name: String, _ sentence: String) -> Explanation {
        Explanation(opcode: opcode, name: name, isKnownToNTAG21x: true, sentence: sentence)
    }

    private static func foreign(_ opcode: Type2Opcode, _ name: String, _ sentence: String) -> Explanation {
        Explanation(opcode: opcode, name: name, isKnownToNTAG21x: false, sentence: sentence)
    }
}
