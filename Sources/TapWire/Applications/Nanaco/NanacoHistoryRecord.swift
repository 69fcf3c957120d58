/// One entry of the history of a nanaco card, service 564F, newest first.
///
/// ```
/// 0    type                       9–12   date and time
/// 1–4  amount (BE)                13–14  sequence number (BE)
/// 5–8  balance afterwards (BE)    15     unknown
/// ```
/// Source: observation of cards (felicalib wiki, TRETJapanNFCReader).
public struct NanacoHistoryRecord: BlockRecord {
    private enum Layout {
        static let type = BitField.byte(0)
        static let amount = BitField.bigEndian(1...4)
        static let balance = BitField.bigEndian(5...8)
        static let time = BitField.bigEndian(9...12)
        static let sequence = BitField.bigEndian(13...14)
    }

    public struct TransactionType: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let payment = TransactionType(0x47)
        public static let topUp = TransactionType(0x6F)

        public static let names: [CodeName] = [
            CodeName(0x47, "payment", "支払い"),
            CodeName(0x6F, "top-up", "チャージ"),
            CodeName(0x5C, "top-up", "チャージ"),
            CodeName(0x70, "top-up", "チャージ"),
            CodeName(0x35, "transfer", "引継"),
            CodeName(0x83, "points", "ポイント交換"),
        ]
    }

    public static let name = "nanaco history record"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    public init(_ type: TransactionType, amount: UInt32, balance: UInt32, time: NanacoTimestamp, sequence: UInt16) {
        self.init(.zero)
        self.type = type
        self.amount = amount
        self.balance = balance
        self.time = time
        self.sequence = sequence
    }

    public var type: TransactionType {
        get { TransactionType(stored[Layout.type]) }
        set { stored[Layout.type] = newValue.rawValue }
    }

    /// Yen paid or put on the card.
    public var amount: UInt32 {
        get { stored[Layout.amount] }
        set { stored[Layout.amount] = newValue }
    }

    /// Yen on the card afterwards.
    public var balance: UInt32 {
        get { stored[Layout.balance] }
        set { stored[Layout.balance] = newValue }
    }

    public var time: NanacoTimestamp {
        get { NanacoTimestamp(stored[Layout.time]) }
        set { stored[Layout.time] = newValue.rawValue }
    }

    /// Number of the record, counting up.
    public var sequence: UInt16 {
        get { stored[Layout.sequence] }
        set { stored[Layout.sequence] = newValue }
    }
}
