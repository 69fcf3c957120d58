/// Where the money came from, byte 2 of a history record.
///
/// Source: observation of cards, as felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid decode them.
public struct PaymentType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Cash, or nothing was paid in.
    public static let cash = PaymentType(0x00)
    /// A VIEW credit card.
    public static let view = PaymentType(0x02)

    public static let names: [CodeName] = [
        CodeName(0x00, "cash or none", "現金/なし"),
        CodeName(0x02, "VIEW", "VIEW"),
        CodeName(0x0B, "PiTaPa", "PiTaPa"),
        CodeName(0x0C, "credit card", "クレジットカード"),
        CodeName(0x0D, "PASMO auto-charge", "PASMOオートチャージ"),
        CodeName(0x13, "nimoca", "nimoca"),
        CodeName(0x1E, "nimoca", "nimoca"),
        CodeName(0x3F, "Mobile Suica app", "モバイルSuicaアプリ"),
    ]
}
