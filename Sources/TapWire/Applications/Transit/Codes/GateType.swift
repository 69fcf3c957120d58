/// How a gate was passed, byte 3 of a history record.
///
/// Source: observation of cards, as felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid decode them.
public struct GateType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No gate.
    public static let none = GateType(0x00)
    /// Entered.
    public static let entry = GateType(0x01)
    /// Entered and left.
    public static let entryExit = GateType(0x02)
    /// Left at a window.
    public static let windowExit = GateType(0x0E)
    /// On a bus.
    public static let bus = GateType(0x0F)

    public static let names: [CodeName] = [
        CodeName(0x00, "none", "なし"),
        CodeName(0x01, "entry", "入場"),
        CodeName(0x02, "entry to exit", "入場→出場"),
        CodeName(0x03, "pass entry to exit", "定期入場→出場"),
        CodeName(0x04, "entry to pass exit", "入場→定期出場"),
        CodeName(0x05, "transfer discount", "乗継割引"),
        CodeName(0x17, "transfer discount", "乗継割引"),
        CodeName(0x1D, "transfer discount", "乗継割引"),
        CodeName(0x0E, "window exit", "窓口出場"),
        CodeName(0x0F, "bus", "バス"),
        CodeName(0x12, "fare pass", "料金定期"),
        CodeName(0x21, "bus transfer discount", "バス乗継割引"),
        CodeName(0x22, "outside pass area", "券面外乗降"),
    ]
}
