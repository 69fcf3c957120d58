/// Status flag 2 of an answer: the reason, known or not.
///
/// Sources: FeliCa Card User's Manual, excerpted edition, tables of status flags; B0 to B2 from FeliCa Lite-S User's
/// Manual as quoted by readers of it; E0 to E7 measured by felica-tool.
public struct StatusFlag2: Hashable, Sendable, CustomStringConvertible {
    /// The byte.
    public let rawValue: UInt8

    /// Creates a flag.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Nothing to report.
    public static let normal = StatusFlag2(0x00)
    /// The purse would leave the range of its four bytes.
    public static let purseOutOfRange = StatusFlag2(0x01)
    /// More cashback than the stored cashback data.
    public static let cashbackTooLarge = StatusFlag2(0x02)
    /// A value-limited purse would leave its bounds.
    public static let purseOutOfLimits = StatusFlag2(0x03)
    /// Memory failed.
    public static let memoryError = StatusFlag2(0x70)
    /// Memory was written too often; the write was done.
    public static let rewriteWarning = StatusFlag2(0x71)
    /// Number of services or nodes out of range.
    public static let serviceCount = StatusFlag2(0xA1)
    /// Number of blocks out of range.
    public static let blockCount = StatusFlag2(0xA2)
    /// Service order outside the service code list.
    public static let serviceOrder = StatusFlag2(0xA3)
    /// The node's attribute does not fit the command.
    public static let wrongAttribute = StatusFlag2(0xA4)
    /// Access is not allowed, or its conditions are not met.
    public static let accessDenied = StatusFlag2(0xA5)
    /// The node does not exist.
    public static let targetMissing = StatusFlag2(0xA6)
    /// The access mode does not fit the command.
    public static let accessMode = StatusFlag2(0xA7)
    /// The block number is out of range.
    public static let blockNumber = StatusFlag2(0xA8)
    /// More blocks to a cyclic service than it has.
    public static let cyclicOverflow = StatusFlag2(0xAF)
    /// FeliCa Lite-S: the block needs external authentication.
    public static let authenticationNeeded = StatusFlag2(0xB1)
    /// The node has no such property.
    public static let wrongNodeProperty = StatusFlag2(0xC3)
    /// Get Area Information: area 0.
    public static let areaZero = StatusFlag2(0xE0)
    /// Get Area Information: the node is no area.
    public static let notAnArea = StatusFlag2(0xE2)
    /// Get Area Information: the two upper bits of the first byte are set.
    public static let areaNumberBits = StatusFlag2(0xE7)

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }

    /// The entry of the table of known flags.
    public var entry: CodeEntry<StatusFlag2>? {
        Self.known.first { $0.code == self }
    }

    /// The name, or the digits of a flag without one.
    public var name: String { entry?.name ?? "unknown status \(self)" }
}

extension StatusFlag2 {
    /// The flags with a published meaning, in ascending order.
    public static let known: [CodeEntry<StatusFlag2>] = [
        .init(.normal, "normal", "The command was carried out."),
        .init(
            .purseOutOfRange, "purse out of range",
            "A decrement goes below zero, or a cashback beyond what four bytes hold."),
        .init(.cashbackTooLarge, "cashback too large", "The amount is larger than the stored cashback data."),
        .init(.purseOutOfLimits, "purse out of its limits", "The result is outside the bounds of a limited purse."),
        .init(.memoryError, "memory error", "The memory failed; the card can no longer be relied on."),
        .init(
            .rewriteWarning, "rewrite count exceeded",
            "The memory was rewritten more often than it is made for; this write was done all the same."),
        .init(
            .serviceCount, "illegal number of services", "The number of services or nodes is zero or beyond the limit."),
        .init(
            .blockCount, "illegal number of blocks", "The number of blocks is zero or beyond the limit of the product."),
        .init(.serviceOrder, "illegal service order", "A block list element refers to a service outside the list."),
        .init(
            .wrongAttribute, "illegal area or service attribute", "The code is an area, the system, or no defined kind."
        ),
        .init(
            .accessDenied, "access not allowed",
            "The service needs authentication, is read-only, or does not allow this operation."),
        .init(.targetMissing, "no such node", "The area or service does not exist in this system."),
        .init(.accessMode, "illegal access mode", "The access mode of a block list element does not fit the command."),
        .init(
            .blockNumber, "illegal block number", "The block number is not below the number of blocks of the service."),
        .init(StatusFlag2(0xA9), "write failed", "Writing failed during issuance."),
        .init(StatusFlag2(0xAA), "key change failed", "The package for a key change is not the one expected."),
        .init(StatusFlag2(0xAB), "wrong package check", "Parity or MAC of a package is wrong."),
        .init(StatusFlag2(0xAC), "wrong parameter", "A parameter of an issuance command is wrong."),
        .init(StatusFlag2(0xAD), "service exists", "The service to register exists already."),
        .init(StatusFlag2(0xAE), "wrong system code", "The system code of an issuance command is wrong."),
        .init(.cyclicOverflow, "too many cyclic blocks", "One command writes more blocks than a cyclic service has."),
        .init(StatusFlag2(0xB0), "MAC together with MAC_A", "FeliCa Lite-S: one read asks for both MAC and MAC_A."),
        .init(.authenticationNeeded, "external authentication needed", "FeliCa Lite-S: the block needs it first."),
        .init(
            StatusFlag2(0xB2), "wrong MAC_A",
            "FeliCa Lite-S: no random challenge was written, or MAC_A or its write counter is wrong."),
        .init(StatusFlag2(0xC0), "wrong package identifier", "The identifier of a package is wrong."),
        .init(StatusFlag2(0xC1), "wrong package parameters", "Parameters inside and outside a package differ."),
        .init(StatusFlag2(0xC2), "issuance disabled", "The issuance command is disabled."),
        .init(.wrongNodeProperty, "wrong node attribute", "The node's attribute has no such property."),
        .init(.areaZero, "area 0", "Get Area Information does not tell about area 0."),
        .init(.notAnArea, "not an area", "Get Area Information was asked about a code that is no area."),
        .init(.areaNumberBits, "wrong area code bits", "The two upper bits of the first byte of the code are set."),
    ]
}
