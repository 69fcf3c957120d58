/// The first byte of a command to a Type 2 tag.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands"; for codes unknown to NTAG21x, the data sheets of the cards
/// that support them.
public struct Type2Opcode: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // Computed and inlinable so that a card in another module switches over plain numbers.

    @inlinable public static var getVersion: Type2Opcode { Type2Opcode(0x60) }
    @inlinable public static var read: Type2Opcode { Type2Opcode(0x30) }
    @inlinable public static var fastRead: Type2Opcode { Type2Opcode(0x3A) }
    @inlinable public static var write: Type2Opcode { Type2Opcode(0xA2) }
    @inlinable public static var compatibilityWrite: Type2Opcode { Type2Opcode(0xA0) }
    @inlinable public static var readCounter: Type2Opcode { Type2Opcode(0x39) }
    @inlinable public static var passwordAuthentication: Type2Opcode { Type2Opcode(0x1B) }
    @inlinable public static var readSignature: Type2Opcode { Type2Opcode(0x3C) }
    /// HLTA, a command of ISO/IEC 14443-3.
    @inlinable public static var halt: Type2Opcode { Type2Opcode(0x50) }
    /// CHECK_TEARING_EVENT of MIFARE Ultralight EV1.
    @inlinable public static var checkTearing: Type2Opcode { Type2Opcode(0x3E) }

    /// The explanation of this opcode for documentation, or `nil` for an unknown opcode.
    package var explanation: Explanation? {
        Self.explanations.first { $0.opcode == self }
    }

    public var description: String {
        explanation?.name ?? "command " + Hex.digits(rawValue, width: 2)
    }
}

// The table of commands. Sources: see ``Type2Opcode``.

extension Type2Opcode {
    /// The name and explanation of a command in documentation.
    package struct Explanation: Hashable, Sendable {
        /// The fields after the opcode.
        package struct Layout: Hashable, Sendable {
            package let command: [LayoutPart]
            /// The answer; `nil` if it is never more than an acknowledgement.
            package let answer: [LayoutPart]?
        }

        package let opcode: Type2Opcode
        /// The name in the data sheet.
        package let name: String
        /// The name in scenario files; `nil` for commands unknown to NTAG21x.
        package let word: String?
        /// The effect of the command, one sentence.
        package let sentence: String
        /// Reasons for refusing the command and other notes, as sentences.
        package let notes: [String]
        /// The layout; `nil` for commands unknown to NTAG21x.
        package let layout: Layout?

        package var isKnownToNTAG21x: Bool { word != nil }
    }

    /// The commands supported by NTAG213, NTAG215 and NTAG216.
    public static let ofNTAG21x = explanations.filter(\.isKnownToNTAG21x).map(\.opcode)

    /// The commands of NTAG21x, followed by commands of related cards that readers try.
    package static let explanations: [Explanation] = [
        known(
            .getVersion, "GET_VERSION", "ntag.get_version", [], answer: version,
            "Returns vendor, product, version and memory size in eight bytes.",
            "Password and lock bits do not affect it. Clones return other bytes, or nothing."),
        known(
            .read, "READ", "ntag.read", [.field(page("page"))], answer: [.pages],
            "Reads four pages; after the last readable page it continues at page 0.",
            "NAK 0: the page does not exist, or needs the password (PROT set, page at or above AUTH0).",
            "PWD and PACK always read as zero. Lock bits never prevent reading."),
        known(
            .fastRead, "FAST_READ", "ntag.fast_read",
            [.field(page("first page", "pages")), .field(page("last page", "to"))], answer: [.pages],
            "Reads all pages from the first to the last address in one answer.",
            "NAK 0: the first page is above the last, a page does not exist, or a page needs the password.",
            "The tag returns its whole memory in one answer, but many readers handle only about 60 pages at a time."),
        known(
            .write, "WRITE", "ntag.write", [.field(page("page")), .writtenPage], answer: nil,
            "Writes one page; in lock bytes and the capability container, bits can only be set.",
            "NAK 0: page 00 or 01, a page past the last, a locked page, a page at or above AUTH0 without the password, "
                + "or CFG0 and CFG1 once CFGLCK is set.",
            "NAK 5: the memory could not be written.", "The answer takes about 4 ms; wait at least 10 ms for it."),
        known(
            .compatibilityWrite, "COMP_WRITE", "ntag.compatibility_write", [.field(page("page"))], answer: nil,
            "Writes one page in two steps; the second step sends 16 bytes.",
            "The first step is refused in the same cases as WRITE. Only the first four bytes of the second step are written.",
            "NAK 0: the second step does not have 16 bytes; NAK 1: its CRC is wrong."),
        known(
            .readCounter, "READ_CNT", "ntag.read_cnt", [.field(.byte("counter", .counterAddress))],
            answer: [.field(FrameField("counter", 3, .littleEndian, .counter))],
            "Reads the 24-bit NFC counter, low byte first.",
            "NAK 0: the address is not 02, NFC_CNT_EN is clear, or NFC_CNT_PWD_PROT is set and no password was given."),
        known(
            .passwordAuthentication, "PWD_AUTH", "ntag.pwd_auth", [.field(FrameField("PWD", 4, .plain, .password))],
            answer: [.field(FrameField("PACK", 2, .plain, .pack))],
            "Unlocks protected pages with four password bytes; the answer is PACK.",
            "NAK 0: the password is wrong. NAK 4: it was wrong AUTHLIM times; no password is accepted any more.",
            "A NAK or a new selection ends the authenticated state: send the password again after either.",
            "At delivery the password is FF FF FF FF and PACK is 00 00."),
        known(
            .readSignature, "READ_SIG", "ntag.read_sig", [.field(.byte("address", .signatureAddress))],
            answer: [
                .field(FrameField("r", 16, .bigEndian, .signature)), .field(FrameField("s", 16, .bigEndian)),
            ], "Reads the 32-byte originality signature.",
            "NAK 0: the address is not 00. Zeros or a repeated UID, as returned by clones, are not a signature."),
        known(
            .halt, "HLTA", "a3.hlta", [.field(.reserved(1))], answer: nil,
            "Sends the card to HALT without an answer; only WUPA wakes it.",
            "Silence is the correct answer."),
        foreign(
            Type2Opcode(0x1A), "AUTHENTICATE",
            "Starts the authentication of MIFARE Ultralight C; readers use it to distinguish the types."),
        foreign(.checkTearing, "CHECK_TEARING_EVENT", "Asks MIFARE Ultralight EV1 whether a counter update was torn."),
        foreign(Type2Opcode(0x4B), "VCSL", "Selects a virtual card on MIFARE Ultralight EV1."),
        foreign(Type2Opcode(0xA5), "INCR_CNT", "Adds to a one-way counter of MIFARE Ultralight EV1."),
        foreign(
            Type2Opcode(0xC2), "SECTOR_SELECT", "Switches the sector on Type 2 tags with more than 1 KiB of memory."),
        foreign(Type2Opcode(0xE0), "RATS", "Requests ISO/IEC 14443-4, which Type 2 tags do not support."),
    ]

    private static func known(
        _ opcode: Type2Opcode, _ name: String, _ word: String, _ command: [LayoutPart], answer: [LayoutPart]?,
        _ sentence: String, _ notes: String...
    ) -> Explanation {
        Explanation(
            opcode: opcode, name: name, word: word, sentence: sentence, notes: notes,
            layout: Explanation.Layout(command: command, answer: answer))
    }

    private static func foreign(_ opcode: Type2Opcode, _ name: String, _ sentence: String) -> Explanation {
        Explanation(
            opcode: opcode, name: name, word: nil, sentence: sentence,
            notes: ["NTAG21x answers NAK 0 and must be selected again; some clones do not answer."], layout: nil)
    }

    private static func page(_ name: String, _ words: String = "page") -> FrameField { .byte(name, .page(words)) }

    private static let version: [LayoutPart] = [
        .field(.byte("header", .header)), .field(.byte("vendor", .vendor)),
        .field(.byte("product type", .productType)), .field(.byte("product subtype", .productSubtype)),
        .field(.byte("major version")), .field(.byte("minor version")),
        .field(.byte("storage size", .storageSize)), .field(.byte("protocol", .protocol)),
    ]
}

/// A command to a Type 2 tag: an opcode followed by fields at fixed positions; CRC_A is not included.
public protocol Type2Request: FrameValue {
    static var opcode: Type2Opcode { get }
    /// The length without CRC, in bytes.
    static var length: Int { get }

    /// Reads a frame whose opcode and length the caller has checked.
    init(unchecked frame: Span<UInt8>)

    func writeFields(into buffer: inout FrameBuffer)
}

extension Type2Request {
    /// Throws ``WireError`` with the command's name.
    public init(parsing frame: Span<UInt8>) throws(WireError) {
        let name = Self.opcode.description
        guard frame.count > 0 else { throw WireError(.truncated, at: 0, in: name) }
        guard frame[0] == Self.opcode.rawValue else {
            throw WireError(.wrongCode, at: 0, in: name, "\(Hex.digits(frame[0], width: 2)) is another command")
        }
        try WireError.requireCount(frame.count, is: Self.length, of: name)
        self.init(unchecked: frame)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(Self.opcode.rawValue)
        writeFields(into: &buffer)
    }
}

/// A command whose request has a form shared with other commands.
public protocol Type2Command: Sendable {
    static var opcode: Type2Opcode { get }
}

/// A command that consists of an opcode and a page address.
public struct PageRequest<Command: Type2Command>: Type2Request {
    @inlinable public static var opcode: Type2Opcode { Command.opcode }
    @inlinable public static var length: Int { 2 }

    public var page: UInt8

    public init(page: UInt8) {
        self.page = page
    }

    @inlinable
    public init(unchecked frame: Span<UInt8>) {
        page = frame[1]
    }

    public func writeFields(into buffer: inout FrameBuffer) {
        buffer.append(page)
    }
}

/// A command for an object with its own address, of which NTAG21x has only one.
public protocol AddressedCommand: Type2Command {
    static var address: UInt8 { get }
}

/// A command that consists of an opcode and an object address.
public struct AddressRequest<Command: AddressedCommand>: Type2Request {
    @inlinable public static var opcode: Type2Opcode { Command.opcode }
    @inlinable public static var length: Int { 2 }

    public var address: UInt8

    public init(address: UInt8 = Command.address) {
        self.address = address
    }

    @inlinable
    public init(unchecked frame: Span<UInt8>) {
        address = frame[1]
    }

    public func writeFields(into buffer: inout FrameBuffer) {
        buffer.append(address)
    }
}

/// A four-bit answer without parity and CRC: ACK, or a NAK with its reason.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "ACK and NAK".
public struct Acknowledgement: FrameValue, CustomStringConvertible {
    public static let bitCount = 4

    /// The nibble, 0 to 15.
    public let rawValue: UInt8

    /// Creates an acknowledgement; only the low four bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x0F
    }

    // Computed and inlinable so that a card in another module appends plain numbers.

    @inlinable public static var ack: Acknowledgement { Acknowledgement(0xA) }
    /// Argument out of range, page protected or locked, wrong password, or unknown command.
    @inlinable public static var invalidArgument: Acknowledgement { Acknowledgement(0x0) }
    @inlinable public static var checkFailed: Acknowledgement { Acknowledgement(0x1) }
    @inlinable public static var authenticationLimit: Acknowledgement { Acknowledgement(0x4) }
    @inlinable public static var writeFailed: Acknowledgement { Acknowledgement(0x5) }

    /// A Boolean value that indicates success; every other nibble is a NAK.
    @inlinable public var isAck: Bool { rawValue == Acknowledgement.ack.rawValue }

    /// The meaning of the nibble, a clause without a full stop.
    package var meaning: String {
        switch self {
        case .ack: "done"
        case .invalidArgument: "invalid argument, protected or locked page, or wrong password"
        case .checkFailed: "parity or CRC error"
        case .authenticationLimit: "too many wrong passwords"
        case .writeFailed: "the memory could not be written"
        default: "a NAK that NTAG21x does not use"
        }
    }

    /// The advice for the nibble, a sentence.
    package var advice: String {
        switch self {
        case .ack: "No action is needed."
        case .invalidArgument:
            "Check the page address and length of the command, send the password if the page is at or above AUTH0, and "
                + "read the lock bytes. Select the tag again before the next command."
        case .checkFailed: "Send the command again after a new selection; CRC_A is sent low byte first."
        case .authenticationLimit:
            "AUTHLIM is reached. If AUTH0 leaves the configuration pages open, writing AUTHLIM 0 and sending the correct "
                + "password clears the count; otherwise the protected pages stay locked."
        case .writeFailed: "Select the tag again, read the page and write again; a page that fails again is worn out."
        default: "Other Type 2 tags use it; NTAG213, NTAG215 and NTAG216 do not."
        }
    }

    /// Reads the nibble from a byte whose high half is zero.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "acknowledgement")
        guard bytes[0] < 0x10 else { throw WireError(.wrongValue, at: 0, in: "acknowledgement", "it has four bits") }
        self.init(bytes[0])
    }

    /// Appends the nibble to an empty buffer.
    @inline(always)
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
        buffer.trim(toBits: Self.bitCount)
    }

    public var description: String { (isAck ? "ACK " : "NAK ") + Hex.digits(rawValue, width: 1) }
}
