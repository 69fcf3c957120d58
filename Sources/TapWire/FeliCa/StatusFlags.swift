/// Status flag 1 and status flag 2 of an answer.
///
/// Source: FeliCa Card User's Manual, excerpted edition, tables of status flags.
public struct StatusFlags: Hashable, Sendable, CustomStringConvertible {
    /// Status flag 1 of an error without a position in a list.
    public static let noPosition: UInt8 = 0xFF

    /// Status flag 1: 00 for success, FF for an error without a position, otherwise a position in the list in the card's own
    /// form.
    public var flag1: UInt8
    /// Status flag 2: the reason of an error.
    public var flag2: UInt8

    @inlinable
    public init(_ flag1: UInt8, _ flag2: UInt8) {
        self.flag1 = flag1
        self.flag2 = flag2
    }

    @inlinable
    public init(_ flag1: UInt8, _ reason: StatusFlag2) {
        self.init(flag1, reason.rawValue)
    }

    @inlinable
    public init(_ reason: StatusFlag2) {
        self.init(Self.noPosition, reason.rawValue)
    }

    @inlinable public static var success: StatusFlags { StatusFlags(0x00, 0x00) }

    /// A Boolean value that indicates success, in which case the answer carries data: status flag 1 is 00.
    public var isSuccess: Bool { flag1 == 0 }

    /// Status flag 2 as a named code.
    package var reason: StatusFlag2 { StatusFlag2(flag2) }

    public var description: String { Hex.text([flag1, flag2], separator: " ") }

    /// An explanation of both flags; for status flag 1 it covers both forms that cards use.
    package var explanation: String {
        let reason = reason.entry?.explanation ?? "Status flag 2 is \(self.reason), which has no published meaning."
        switch flag1 {
        case 0x00, Self.noPosition: return reason
        default:
            let bits = (1...8).filter { flag1 >> ($0 - 1) & 1 == 1 }.map(String.init).joined(separator: ", ")
            return "\(reason) Position in the list: entry \(flag1), or, on cards that return a bitmap, bit \(bits)."
        }
    }
}

/// Status flag 2 of an answer: the reason, known or unknown.
///
/// Sources: FeliCa Card User's Manual, excerpted edition, tables of status flags; B0 to B2 from FeliCa Lite-S User's Manual
/// as cited in open-source projects; E0 to E7 measured by felica-tool.
public struct StatusFlag2: OpenCode, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var normal: StatusFlag2 { StatusFlag2(0x00) }
    /// The purse would leave the range of its four bytes.
    @inlinable public static var purseOutOfRange: StatusFlag2 { StatusFlag2(0x01) }
    @inlinable public static var cashbackTooLarge: StatusFlag2 { StatusFlag2(0x02) }
    @inlinable public static var purseOutOfLimits: StatusFlag2 { StatusFlag2(0x03) }
    @inlinable public static var memoryError: StatusFlag2 { StatusFlag2(0x70) }
    /// The memory was rewritten too often; the write succeeded.
    @inlinable public static var rewriteWarning: StatusFlag2 { StatusFlag2(0x71) }
    @inlinable public static var serviceCount: StatusFlag2 { StatusFlag2(0xA1) }
    @inlinable public static var blockCount: StatusFlag2 { StatusFlag2(0xA2) }
    @inlinable public static var serviceOrder: StatusFlag2 { StatusFlag2(0xA3) }
    @inlinable public static var wrongAttribute: StatusFlag2 { StatusFlag2(0xA4) }
    /// Access is not allowed, or its conditions are not met.
    @inlinable public static var accessDenied: StatusFlag2 { StatusFlag2(0xA5) }
    @inlinable public static var targetMissing: StatusFlag2 { StatusFlag2(0xA6) }
    @inlinable public static var accessMode: StatusFlag2 { StatusFlag2(0xA7) }
    @inlinable public static var blockNumber: StatusFlag2 { StatusFlag2(0xA8) }
    @inlinable public static var keyChange: StatusFlag2 { StatusFlag2(0xAA) }
    /// A parameter of an issuance command or the length of a payload is wrong.
    @inlinable public static var parameter: StatusFlag2 { StatusFlag2(0xAC) }
    @inlinable public static var cyclicOverflow: StatusFlag2 { StatusFlag2(0xAF) }
    /// FeliCa Lite-S: the block needs external authentication.
    @inlinable public static var authenticationNeeded: StatusFlag2 { StatusFlag2(0xB1) }
    /// FeliCa Lite-S: one read contains both MAC and MAC_A.
    package static let bothMACs = StatusFlag2(0xB0)
    /// FeliCa Lite-S: RC was not written, or MAC_A or its write counter is wrong.
    package static let wrongMACA = StatusFlag2(0xB2)
    @inlinable public static var issuanceDisabled: StatusFlag2 { StatusFlag2(0xC2) }
    @inlinable public static var wrongNodeProperty: StatusFlag2 { StatusFlag2(0xC3) }
    @inlinable public static var areaZero: StatusFlag2 { StatusFlag2(0xE0) }
    @inlinable public static var notAnArea: StatusFlag2 { StatusFlag2(0xE2) }
    /// Get Area Information: the two upper bits of the first byte are set.
    @inlinable public static var areaNumberBits: StatusFlag2 { StatusFlag2(0xE7) }

    /// The entry in the table of known flags.
    package var entry: CodeEntry<StatusFlag2>? {
        Self.entries[self]
    }

    private static let entries = Dictionary(known.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The name, or a text with the digits of an unnamed flag.
    package var name: String { entry?.name ?? "unknown status \(self)" }
}

// The table of known reasons.

extension StatusFlag2 {
    /// The flags with a published meaning, in ascending order.
    package static let known = (blockAccess + issuance + liteS + others).sorted { $0.code.rawValue < $1.code.rawValue }

    private static let blockAccess: [CodeEntry<StatusFlag2>] = [
        entry(.normal, "normal", "The command succeeded.", "No action is needed."),
        entry(
            .purseOutOfRange, "purse out of range",
            "A decrement would go below zero, or a cashback would exceed four bytes.",
            "Read the purse block and compare its value with the amount before paying."),
        entry(
            .cashbackTooLarge, "cashback too large", "The amount is larger than the stored cashback data.",
            "Only the last decrement can be paid back, and only once; read the cashback data, bytes 4 to 7."),
        entry(
            .purseOutOfLimits, "purse out of its limits", "The result is outside the limits of the purse.",
            "Get Node Property, type 00, returns the limits."),
        entry(
            .memoryError, "memory error", "The memory failed; the card is no longer reliable.",
            "Do not retry; replace the card."),
        entry(
            .rewriteWarning, "rewrite count exceeded",
            "The memory has exceeded its rated number of writes; this write still succeeded.",
            "Treat it as a success, even if status flag 1 is FF."),
        entry(
            .serviceCount, "illegal number of services", "The number of services or nodes is zero or above the limit.",
            "List 1 to 16 services; FeliCa Lite accepts exactly one."),
        entry(
            .blockCount, "illegal number of blocks",
            "The number of blocks is zero or above the limit of the product.",
            "Request fewer: a read may have 12 blocks on DES cards, 15 on AES cards, 4 on FeliCa Lite, over all services "
                + "together. A client that tries 12, 10, 8, 4, 1 and keeps the first that works can read every card."),
        entry(
            .serviceOrder, "illegal service order", "A block list element refers to a service outside the list.",
            "The low four bits of an element count from 0 into the service code list."),
        entry(
            .wrongAttribute, "illegal area or service attribute",
            "The code is an area, the system, or an undefined kind.",
            "Check the byte order of the service code: 090F is sent as 0F 09."),
        entry(
            .accessDenied, "access not allowed",
            "The service needs authentication, is read-only, or does not allow this operation.",
            "A service with an odd code needs no key; for writing use a service with the same number that is not read-only. "
                + "Write to a cyclic service at block 0."),
        entry(
            .targetMissing, "no such node", "The area or service does not exist in this system.",
            "Check the byte order of the service code, and that the IDm belongs to the right system: the upper digit "
                + "of its first byte is the system number."),
        entry(
            .accessMode, "illegal access mode",
            "The access mode of a block list element is not allowed for the command.",
            "Bits 4 to 6 of the first byte of an element are 000; 001 is a cashback, which only a write allows."),
        entry(
            .blockNumber, "illegal block number",
            "The block number is not below the number of blocks of the service.",
            "Block numbers start at 0. An element has two bytes if its bit 7 is set, otherwise three, number low byte first."
        ),
        entry(
            .cyclicOverflow, "too many cyclic blocks", "One command writes more blocks than a cyclic service has.",
            "Write in several commands."),
    ]

    private static let issuance: [CodeEntry<StatusFlag2>] = [
        entry(StatusFlag2(0xA9), "write failed", "Writing failed during issuance."),
        entry(StatusFlag2(0xAA), "key change failed", "The package for a key change is not the expected one."),
        entry(StatusFlag2(0xAB), "wrong package check", "Parity or MAC of a package is wrong."),
        entry(StatusFlag2(0xAC), "wrong parameter", "A parameter of an issuance command is wrong."),
        entry(StatusFlag2(0xAD), "service exists", "The service to register already exists."),
        entry(StatusFlag2(0xAE), "wrong system code", "The system code of an issuance command is wrong."),
        entry(StatusFlag2(0xC0), "wrong package identifier", "The identifier of a package is wrong."),
        entry(StatusFlag2(0xC1), "wrong package parameters", "Parameters inside and outside a package differ."),
        entry(StatusFlag2(0xC2), "issuance disabled", "The issuance command is disabled."),
    ]

    private static let liteS: [CodeEntry<StatusFlag2>] = [
        lite(
            .bothMACs, "MAC together with MAC_A", "FeliCa Lite-S: one read requests both MAC and MAC_A.",
            "Read block 81 and block 91 with two commands."),
        lite(
            .authenticationNeeded, "external authentication needed", "FeliCa Lite-S: the block requires it first.",
            "Write RC, then STATE with MAC_A, then try again in the same session."),
        lite(
            .wrongMACA, "wrong MAC_A",
            "FeliCa Lite-S: no random challenge was written, or MAC_A or its write counter is wrong.",
            "Write RC at block 80 first, and read WCNT at block 90 before each write with MAC_A."),
    ]

    private static let others: [CodeEntry<StatusFlag2>] = [
        entry(
            .wrongNodeProperty, "wrong node attribute", "The node's attribute has no such property.",
            "Purse limits belong to purse services only."),
        area(.areaZero, "area 0", "Get Area Information does not report area 0."),
        area(.notAnArea, "not an area", "The code in Get Area Information is not an area."),
        area(.areaNumberBits, "wrong area code bits", "The two upper bits of the first byte of the code are set."),
    ]

    private static func entry(
        _ code: StatusFlag2, _ name: String, _ sentence: String, _ notes: String...
    ) -> CodeEntry<StatusFlag2> {
        CodeEntry(
            code, name, sentence, notes: notes,
            source: "FeliCa Card User's Manual, excerpted edition, \"status flag 2\"")
    }

    private static func lite(
        _ code: StatusFlag2, _ name: String, _ sentence: String, _ note: String
    ) -> CodeEntry<StatusFlag2> {
        CodeEntry(
            code, name, sentence, notes: [note], source: "FeliCa Lite-S User's Manual, as cited in open-source projects"
        )
    }

    private static func area(_ code: StatusFlag2, _ name: String, _ sentence: String) -> CodeEntry<StatusFlag2> {
        CodeEntry(code, name, sentence, source: "measured by felica-tool")
    }
}
