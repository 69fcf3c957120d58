/// One entry of the history of an Edy card, service 170F, newest first.
///
/// ```
/// 0    type                    8–11   amount (BE)
/// 1–3  sequence number (BE)    12–15  balance afterwards (BE)
/// 4–7  date and time
/// ```
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct EdyHistoryRecord: BlockRecord {
    private enum Layout {
        static let type = BitField.byte(0)
        static let sequence = BitField.bigEndian(1...3)
        static let time = BitField.bigEndian(4...7)
        static let amount = BitField.bigEndian(8...11)
        static let balance = BitField.bigEndian(12...15)
    }

    public struct TransactionType: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let payment = TransactionType(0x20)
        public static let topUp = TransactionType(0x02)
        /// Money received as a gift.
        public static let gift = TransactionType(0x04)

        public static let names: [CodeName] = [
            CodeName(0x20, "payment", "支払い"),
            CodeName(0x02, "top-up", "チャージ"),
            CodeName(0x04, "gift", "Edyギフト"),
        ]
    }

    public static let name = "Edy history record"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record.
    ///
    /// - Throws: ``WireError`` if the sequence number has more than 24 bits.
    public init(
        _ type: TransactionType, sequence: UInt32, time: EdyTimestamp, amount: UInt32, balance: UInt32
    ) throws(WireError) {
        self.init(.zero)
        self.type = type
        try stored.store(sequence, in: Layout.sequence, "sequence number")
        self.time = time
        self.amount = amount
        self.balance = balance
    }

    public var type: TransactionType {
        get { TransactionType(stored[Layout.type]) }
        set { stored[Layout.type] = newValue.rawValue }
    }

    /// Number of the record, counting up; cut to 24 bits.
    public var sequence: UInt32 {
        get { stored[Layout.sequence] }
        set { stored[Layout.sequence] = newValue }
    }

    public var time: EdyTimestamp {
        get { EdyTimestamp(stored[Layout.time]) }
        set { stored[Layout.time] = newValue.rawValue }
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
}
