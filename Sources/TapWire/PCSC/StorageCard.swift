/// The historical bytes by which a reader names a storage card.
///
/// ```
/// 80 | 4F | 0C | A0 00 00 03 06 | standard | name (2, BE) | 00 00 00 00
/// ```
/// Source: PC/SC part 3, "historical bytes", and its supplement with the tables of standards and names.
public struct StorageCard: WireValue {
    /// Category 80, the tag of an application identifier, its length, and PC/SC as the provider of the application.
    private static let header: [UInt8] = [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06]
    private static let length = 15

    /// The standard of the card.
    public struct Standard: Hashable, Sendable {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ISO/IEC 14443-3 type A.
        public static let typeA = Standard(0x03)
        public static let felica = Standard(0x11)
    }

    public struct Name: Hashable, Sendable {
        public let rawValue: UInt16

        public init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// No name is known.
        public static let unknown = Name(0x0000)
        /// MIFARE Ultralight; NTAG go by it, too.
        public static let ultralight = Name(0x0003)
        /// MIFARE Ultralight C.
        public static let ultralightC = Name(0x003A)
        public static let felica = Name(0x003B)
        /// FeliCa at 212 kbit/s, as ACS readers say it.
        public static let felica212 = Name(0xF011)
        /// FeliCa at 424 kbit/s, as ACS readers say it.
        public static let felica424 = Name(0xF012)
    }

    public var standard: Standard
    public var name: Name

    public init(_ standard: Standard, _ name: Name) {
        self.standard = standard
        self.name = name
    }

    public static let felica = StorageCard(.felica, .felica)
    /// An Ultralight or NTAG.
    public static let ultralight = StorageCard(.typeA, .ultralight)

    /// Whether it is a FeliCa card, by its standard or by the names of ACS readers.
    public var isFeliCa: Bool {
        standard == .felica || [Name.felica, .felica212, .felica424].contains(name)
    }

    /// Reads fifteen historical bytes; the last four, reserved, are not looked at.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.length, of: "historical bytes")
        for (index, byte) in Self.header.enumerated() where bytes[index] != byte {
            throw WireError(.wrongCode, at: index, in: "historical bytes", "they name no storage card")
        }
        self.init(Standard(bytes[8]), Name(bytes.bigEndian16(at: 9)))
    }

    /// The historical bytes.
    public var bytes: [UInt8] {
        Self.header + [standard.rawValue] + name.rawValue.bigEndianBytes + [0, 0, 0, 0]
    }
}
