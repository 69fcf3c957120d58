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
        Self.entries[self]
    }

    private static let entries = Dictionary(known.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The name, or the digits of a flag without one.
    public var name: String { entry?.name ?? "unknown status \(self)" }
}
