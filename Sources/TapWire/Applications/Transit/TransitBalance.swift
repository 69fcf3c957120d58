/// Attributes and balance of a transit card, service 008B.
///
/// ```
/// 0–7   unknown                  11–12  balance (LE)
/// 8     card type, payment area  13     unknown
/// 9–10  unknown                  14–15  update number (BE)
/// ```
/// Byte 8 is disputed: most decoders read two nibbles, felica-rs reads service bits (10 voice guidance, 20 stored fare
/// outside the pass area, 04 Touch de Go). Source: observation of cards (felicalib wiki, TRETJapanNFCReader).
public struct TransitBalance: BlockRecord {
    private enum Layout {
        static let cardType = BitField.bits(4...7, ofByte: 8)
        static let area = BitField.bits(0...3, ofByte: 8)
        static let balance = BitField.littleEndian(11...12)
        static let updateNumber = BitField.bigEndian(14...15)
    }

    /// Which cards a card belongs to, a nibble.
    public struct CardType: NamedCode {
        public let rawValue: UInt8

        /// Takes the low four bits of a byte.
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }

        /// Suica, PASMO, TOICA, manaca, PiTaPa, nimoca, SUGOCA and Hayakaken.
        public static let suica = CardType(2)
        /// ICOCA.
        public static let icoca = CardType(3)

        public static let names: [CodeName] = [
            CodeName(0, "EX-IC", "EX-IC"),
            CodeName(
                2, "Suica group",
                "Suica・PASMO・TOICA・manaca・PiTaPa・nimoca・SUGOCA・はやかけん"),
            CodeName(3, "ICOCA", "ICOCA"),
        ]
    }

    /// Where the card paid last, a nibble.
    public struct Area: NamedCode {
        public let rawValue: UInt8

        /// Takes the low four bits of a byte.
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }

        /// The railways of former JNR, and private ones of the Kanto region.
        public static let kanto = Area(0)

        public static let names: [CodeName] = [
            CodeName(0, "Kanto", "関東"),
            CodeName(1, "Chubu", "中部"),
            CodeName(2, "Kansai", "関西"),
            CodeName(3, "other", "その他"),
        ]
    }

    public static let name = "transit balance"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    public init(balance: UInt16, cardType: CardType = .suica, area: Area = .kanto, updateNumber: UInt16 = 0) {
        self.init(.zero)
        self.balance = balance
        self.cardType = cardType
        self.area = area
        self.updateNumber = updateNumber
    }

    /// Which cards the card belongs to.
    public var cardType: CardType {
        get { CardType(stored[Layout.cardType]) }
        set { stored[Layout.cardType] = newValue.rawValue }
    }

    /// Where the card paid last.
    public var area: Area {
        get { Area(stored[Layout.area]) }
        set { stored[Layout.area] = newValue.rawValue }
    }

    /// Yen on the card.
    public var balance: UInt16 {
        get { stored[Layout.balance] }
        set { stored[Layout.balance] = newValue }
    }

    /// Counts up with each use; the newest history record was seen to have the same number.
    public var updateNumber: UInt16 {
        get { stored[Layout.updateNumber] }
        set { stored[Layout.updateNumber] = newValue }
    }
}
