/// The ATR that a reader makes up for a contactless card, which has none.
///
/// ```
/// 3B | 8n | 80 | 01 | historical bytes (n) | TCK
/// ```
/// TCK is the exclusive or of all bytes between the first and itself. Source: PC/SC part 3, "ATR".
public struct ContactlessATR: WireValue {
    /// TS, direct convention.
    private static let initial: UInt8 = 0x3B
    /// TD1 and TD2: T=0 and T=1.
    private static let interface: [UInt8] = [0x80, 0x01]
    /// Most historical bytes.
    public static let maximumHistoricalBytes = 15
    /// Most bytes of any ATR.
    public static let maximumLength = 33

    /// The historical bytes; for a storage card its ``StorageCard``.
    public let historicalBytes: [UInt8]

    /// Creates an ATR; of the historical bytes the first ``maximumHistoricalBytes`` count.
    public init(historicalBytes: [UInt8]) {
        self.historicalBytes = Array(historicalBytes.prefix(Self.maximumHistoricalBytes))
    }

    public init(_ card: StorageCard) {
        self.init(historicalBytes: card.bytes)
    }

    /// The storage card the historical bytes name, or nothing if they name none.
    public var storageCard: StorageCard? { try? StorageCard(parsing: historicalBytes) }

    /// Whether the card is a FeliCa card, in any of the forms readers use.
    public var isFeliCa: Bool { storageCard?.isFeliCa ?? isChipdriveFeliCa }

    /// Whether SCM and Identiv readers say FeliCa: bit rate, `43`, frame size, IDm, write time.
    ///
    /// Source: SCM Microsystems SCL3711 reference manual, "ATR for FeliCa".
    private var isChipdriveFeliCa: Bool {
        historicalBytes.count == 12 && historicalBytes[1] == 0x43 && historicalBytes[2] == 0xFD
    }

    /// Reads an ATR; one of another shape, as contact cards have, is refused.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        let header = [Self.initial, 0x80] + Self.interface
        guard bytes.count > header.count else { throw WireError(.truncated, at: bytes.count, in: "ATR") }
        for index in header.indices {
            let mask: UInt8 = index == 1 ? 0xF0 : 0xFF
            guard bytes[index] & mask == header[index] else {
                throw WireError(.wrongValue, at: index, in: "ATR", "a contactless one begins 3B 8n 80 01")
            }
        }
        let count = Int(bytes[1] & 0x0F)
        try WireError.requireCount(bytes.count, is: header.count + count + 1, of: "ATR")
        self.init(historicalBytes: bytes.array(header.count..<header.count + count))
        let check = self.bytes[header.count + count]
        guard bytes[bytes.count - 1] == check else {
            throw WireError(
                .wrongValue, at: bytes.count - 1, in: "TCK", "\(Hex.digits(check, width: 2)) would be right")
        }
    }

    /// The ATR.
    public var bytes: [UInt8] {
        let checked = [0x80 | UInt8(historicalBytes.count)] + Self.interface + historicalBytes
        return [Self.initial] + checked + [checked.reduce(0, ^)]
    }
}
