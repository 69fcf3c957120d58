/// The capability container, page 3 of a Type 2 Tag: whether it holds NDEF, how much, and who may read and write.
///
/// ```
/// 0  E1   1  version   2  size of the data area / 8   3  access to read (high nibble), to write (low nibble)
/// ```
/// Source: NFC Forum Type 2 Tag Operation 1.1, "capability container".
public struct CapabilityContainer: WireValue {
    /// Bytes of the container.
    public static let byteCount = 4
    /// Byte address of the container: page 3.
    public static let address = 12
    /// The first byte of a tag that holds NDEF.
    public static let ndefMagic: UInt8 = 0xE1
    /// Largest data area the size byte can announce.
    public static let maximumDataAreaSize = 0xFF * 8

    /// Who may read or write, a nibble.
    public struct Access: Hashable, Sendable {
        /// Anybody.
        public static let free = Access(0x0)
        /// Proprietary; nfcpy writes it to say that a password is needed.
        public static let password = Access(0x8)
        /// Nobody, as a write access.
        public static let none = Access(0xF)

        public let rawValue: UInt8

        /// Takes the low four bits of a byte; 8 to E are proprietary, 1 to 7 reserved.
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }
    }

    /// `E1` on a tag that holds NDEF.
    public var magic: UInt8
    /// The version of the mapping.
    public var version: MappingVersion
    /// The size of the data area in units of eight bytes.
    public var size: UInt8
    /// Who may read.
    public var readAccess: Access
    /// Who may write.
    public var writeAccess: Access

    /// Creates a container.
    ///
    /// - Parameters:
    ///   - dataAreaSize: Bytes from page 4 on, rounded down to a multiple of eight and cut to
    ///     ``maximumDataAreaSize``.
    ///   - version: The version of the mapping.
    ///   - readAccess: Who may read.
    ///   - writeAccess: Who may write.
    public init(
        dataAreaSize: Int, version: MappingVersion = .v1_0, readAccess: Access = .free, writeAccess: Access = .free
    ) {
        magic = Self.ndefMagic
        self.version = version
        size = UInt8(clamping: dataAreaSize / 8)
        self.readAccess = readAccess
        self.writeAccess = writeAccess
    }

    /// Reads the four bytes of page 3, whatever they say.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "capability container")
        magic = bytes[0]
        version = MappingVersion(bytes[1])
        size = bytes[2]
        readAccess = Access(bytes[3][bits: 4...7])
        writeAccess = Access(bytes[3][bits: 0...3])
    }

    /// The four bytes.
    public var bytes: [UInt8] {
        [magic, version.rawValue, size, readAccess.rawValue << 4 | writeAccess.rawValue]
    }

    /// Whether a reader finds NDEF here: the magic byte, and a major version 1.
    public var announcesNDEF: Bool { magic == Self.ndefMagic && version.major == 1 }

    /// Bytes of the data area, from page 4 on.
    public var dataAreaSize: Int { Int(size) * 8 }
}
