/// The ATR that a reader generates for a contactless card.
///
/// ```
/// 3B | 8n | 80 | 01 | historical bytes (n) | TCK
/// ```
/// TCK is the XOR of all bytes between the first byte and TCK. Source: PC/SC part 3, "ATR".
package struct ContactlessATR: WireValue {
    /// TS, direct convention.
    private static let initial: UInt8 = 0x3B
    /// TD1 and TD2: T=0 and T=1.
    private static let interface: [UInt8] = [0x80, 0x01]
    static let maximumHistoricalBytes = 15
    /// The length of the longest ATR of any card.
    package static let maximumLength = 33

    /// The historical bytes; for a storage card, those of its ``StorageCard``.
    package let historicalBytes: [UInt8]

    /// Creates an ATR; historical bytes after the first ``maximumHistoricalBytes`` are ignored.
    package init(historicalBytes: [UInt8]) {
        self.historicalBytes = Array(historicalBytes.prefix(Self.maximumHistoricalBytes))
    }

    package init(_ card: StorageCard) {
        self.init(historicalBytes: card.bytes)
    }

    /// The storage card identified by the historical bytes, or `nil` if there is none.
    package var storageCard: StorageCard? { try? StorageCard(parsing: historicalBytes) }

    /// A Boolean value that indicates a FeliCa card, in any form that readers use.
    package var isFeliCa: Bool { storageCard?.isFeliCa ?? isChipdriveFeliCa }

    /// A Boolean value that indicates the FeliCa form of SCM and Identiv readers: bit rate, `43`, frame size, IDm, write
    /// time.
    ///
    /// Source: SCM Microsystems SCL3711 reference manual, "ATR for FeliCa".
    private var isChipdriveFeliCa: Bool {
        historicalBytes.count == 12 && historicalBytes[1] == 0x43 && historicalBytes[2] == 0xFD
    }

    /// Reads an ATR; throws ``WireError`` for other forms, such as those of contact cards.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        let header = [Self.initial, 0x80] + Self.interface
        guard bytes.count > header.count else { throw WireError(.truncated, at: bytes.count, in: "ATR") }
        for index in header.indices {
            let mask: UInt8 = index == 1 ? 0xF0 : 0xFF
            guard bytes[index] & mask == header[index] else {
                throw WireError(.wrongValue, at: index, in: "ATR", "a contactless ATR begins with 3B 8n 80 01")
            }
        }
        let count = Int(bytes[1] & 0x0F)
        try WireError.requireCount(bytes.count, is: header.count + count + 1, of: "ATR")
        self.init(historicalBytes: bytes.array(header.count..<header.count + count))
        let check = self.bytes[header.count + count]
        guard bytes[bytes.count - 1] == check else {
            throw WireError(
                .wrongValue, at: bytes.count - 1, in: "TCK", "expected \(Hex.digits(check, width: 2))")
        }
    }

    package var bytes: [UInt8] {
        let checked = [0x80 | UInt8(historicalBytes.count)] + Self.interface + historicalBytes
        return [Self.initial] + checked + [checked.reduce(0, ^)]
    }
}

/// The historical bytes with which a reader identifies a storage card.
///
/// ```
/// 80 | 4F | 0C | A0 00 00 03 06 | standard | name (2, BE) | 00 00 00 00
/// ```
/// Source: PC/SC part 3, "historical bytes", and its supplement with the tables of standards and names.
package struct StorageCard: WireValue {
    /// Category 80, the tag and length of an application identifier, and PC/SC as the application provider.
    private static let header: [UInt8] = [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06]
    private static let length = 15

    package struct Standard: Hashable, Sendable {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ISO/IEC 14443-3 type A.
        package static let typeA = Standard(0x03)
        package static let felica = Standard(0x11)
    }

    package struct Name: Hashable, Sendable {
        package let rawValue: UInt16

        package init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let unknown = Name(0x0000)
        /// MIFARE Ultralight; also used for NTAG.
        package static let ultralight = Name(0x0003)
        package static let ultralightC = Name(0x003A)
        package static let felica = Name(0x003B)
        /// FeliCa at 212 kbit/s, on ACS readers.
        package static let felica212 = Name(0xF011)
        /// FeliCa at 424 kbit/s, on ACS readers.
        package static let felica424 = Name(0xF012)
    }

    package var standard: Standard
    package var name: Name

    package init(_ standard: Standard, _ name: Name) {
        self.standard = standard
        self.name = name
    }

    package static let felica = StorageCard(.felica, .felica)
    /// An Ultralight or NTAG.
    package static let ultralight = StorageCard(.typeA, .ultralight)

    /// A Boolean value that indicates a FeliCa card, by its standard or by the names that ACS readers use.
    package var isFeliCa: Bool {
        standard == .felica || [Name.felica, .felica212, .felica424].contains(name)
    }

    /// Reads fifteen historical bytes; the last four are reserved and ignored.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.length, of: "historical bytes")
        for (index, byte) in Self.header.enumerated() where bytes[index] != byte {
            throw WireError(.wrongCode, at: index, in: "historical bytes", "they do not identify a storage card")
        }
        self.init(Standard(bytes[8]), Name(bytes.bigEndian16(at: 9)))
    }

    package var bytes: [UInt8] {
        Self.header + [standard.rawValue] + name.rawValue.bigEndianBytes + [0, 0, 0, 0]
    }
}
