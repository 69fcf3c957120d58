/// What kind of machine wrote a history record, byte 0.
///
/// Source: observation of cards, as felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid decode them.
public struct TerminalType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A fare adjustment machine.
    public static let fareAdjustment = TerminalType(0x03)
    /// A bus or tram.
    public static let vehicle = TerminalType(0x05)
    /// A ticket machine.
    public static let ticketMachine = TerminalType(0x08)
    /// An automatic gate.
    public static let automaticGate = TerminalType(0x16)
    /// A machine of the station staff.
    public static let stationMachine = TerminalType(0x18)
    /// A staffed gate.
    public static let staffedGate = TerminalType(0x1A)
    /// A gate of the Shinkansen.
    public static let shinkansenGate = TerminalType(0x23)
    /// A machine that exchanges points.
    public static let pointExchange = TerminalType(0x48)
    /// The till of a shop.
    public static let shop = TerminalType(0xC7)
    /// A vending machine.
    public static let vendingMachine = TerminalType(0xC8)

    public static let names: [CodeName] = [
        CodeName(0x03, "fare adjustment machine", "のりこし精算機"),
        CodeName(0x04, "handheld terminal", "携帯型端末"),
        CodeName(0x05, "vehicle terminal", "車載端末"),
        CodeName(0x08, "ticket machine", "券売機"),
        CodeName(0x07, "ticket machine", "券売機"),
        CodeName(0x09, "quick charge machine", "入金機"),
        CodeName(0x12, "monorail ticket machine", "券売機(モノレール)"),
        CodeName(0x18, "station machine", "駅務機器"),
        CodeName(0x14, "station machine", "駅務機器"),
        CodeName(0x15, "pass vending machine", "定期券発売機"),
        CodeName(0x16, "automatic gate", "自動改札機"),
        CodeName(0x17, "simple gate", "簡易改札機"),
        CodeName(0x19, "ticket office", "みどりの窓口"),
        CodeName(0x1A, "staffed gate", "有人改札"),
        CodeName(0x1B, "mobile phone", "モバイル"),
        CodeName(0x1C, "transfer adjustment machine", "乗継精算機"),
        CodeName(0x1D, "transfer gate", "連絡改札機"),
        CodeName(0x1F, "simple charge machine", "簡易入金機"),
        CodeName(0x20, "counter terminal", "窓口処理機"),
        CodeName(0x21, "adjustment machine", "精算機"),
        CodeName(0x22, "simple gate of Kotoden", "簡易改札機(ことでん)"),
        CodeName(0x23, "Shinkansen gate", "新幹線改札機"),
        CodeName(0x24, "on-board ticket issuer", "車内補充券発行機"),
        CodeName(0x34, "Setamaru terminal", "せたまる端末"),
        CodeName(0x35, "on-board terminal", "車内端末"),
        CodeName(0x36, "on-board terminal", "車内端末"),
        CodeName(0x46, "VIEW ALTTE", "VIEW ALTTE"),
        CodeName(0x48, "point exchange", "ポイント交換"),
        CodeName(0xC7, "shop till", "物販端末"),
        CodeName(0xC8, "vending machine", "自販機"),
    ]
}
