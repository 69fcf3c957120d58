/// Status flag 2 of an answer: the reason, known or not.
///
/// Sources: FeliCa Card User's Manual, excerpted edition, tables of status flags; B0 to B2 from FeliCa Lite-S User's
/// Manual as quoted by readers of it; E0 to E7 measured by felica-tool.
public struct StatusFlag2: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Nothing to report.
    @inlinable
    public static var normal: StatusFlag2 { StatusFlag2(0x00) }
    /// The purse would leave the range of its four bytes.
    @inlinable
    public static var purseOutOfRange: StatusFlag2 { StatusFlag2(0x01) }
    /// More cashback than the stored cashback data.
    @inlinable
    public static var cashbackTooLarge: StatusFlag2 { StatusFlag2(0x02) }
    /// A value-limited purse would leave its bounds.
    @inlinable
    public static var purseOutOfLimits: StatusFlag2 { StatusFlag2(0x03) }
    /// Memory failed.
    @inlinable
    public static var memoryError: StatusFlag2 { StatusFlag2(0x70) }
    /// Memory was written too often; the write was done.
    @inlinable
    public static var rewriteWarning: StatusFlag2 { StatusFlag2(0x71) }
    /// Number of services or nodes out of range.
    @inlinable
    public static var serviceCount: StatusFlag2 { StatusFlag2(0xA1) }
    /// Number of blocks out of range.
    @inlinable
    public static var blockCount: StatusFlag2 { StatusFlag2(0xA2) }
    /// Service order outside the service code list.
    @inlinable
    public static var serviceOrder: StatusFlag2 { StatusFlag2(0xA3) }
    /// The node's attribute does not fit the command.
    @inlinable
    public static var wrongAttribute: StatusFlag2 { StatusFlag2(0xA4) }
    /// Access is not allowed, or its conditions are not met.
    @inlinable
    public static var accessDenied: StatusFlag2 { StatusFlag2(0xA5) }
    /// The node does not exist.
    @inlinable
    public static var targetMissing: StatusFlag2 { StatusFlag2(0xA6) }
    /// The access mode does not fit the command.
    @inlinable
    public static var accessMode: StatusFlag2 { StatusFlag2(0xA7) }
    /// The block number is out of range.
    @inlinable
    public static var blockNumber: StatusFlag2 { StatusFlag2(0xA8) }
    /// More blocks to a cyclic service than it has.
    @inlinable
    public static var cyclicOverflow: StatusFlag2 { StatusFlag2(0xAF) }
    /// FeliCa Lite-S: the block needs external authentication.
    @inlinable
    public static var authenticationNeeded: StatusFlag2 { StatusFlag2(0xB1) }
    /// The node has no such property.
    @inlinable
    public static var wrongNodeProperty: StatusFlag2 { StatusFlag2(0xC3) }
    /// Get Area Information: area 0.
    @inlinable
    public static var areaZero: StatusFlag2 { StatusFlag2(0xE0) }
    /// Get Area Information: the node is no area.
    @inlinable
    public static var notAnArea: StatusFlag2 { StatusFlag2(0xE2) }
    /// Get Area Information: the two upper bits of the first byte are set.
    @inlinable
    public static var areaNumberBits: StatusFlag2 { StatusFlag2(0xE7) }

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
