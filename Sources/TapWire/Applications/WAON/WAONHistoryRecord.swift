/// One entry of the history of a WAON card, service 680B, two blocks.
///
/// ```
/// 0–12   terminal                18, bit by bit: date and time (25), balance afterwards (18),
/// 13–14  sequence number (BE)       withdrawal (18), charge (17)
/// 15–16  unknown                 the rest: unknown
/// 17     type
/// ```
/// Source: observation of cards (felicalib wiki, NFCReader).
public struct WAONHistoryRecord: BlockRecord {
    private enum Layout {
        static let terminal = 0...12
        static let sequence = BitField.bigEndian(13...14)
        static let type = BitField.byte(17)
        static let time = BitField(byte: 18, width: 25)
        static let balance = time.followed(by: 18)
        static let withdrawal = balance.followed(by: 18)
        static let charge = withdrawal.followed(by: 17)
    }

    public struct TransactionType: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let payment = TransactionType(0x04)
        public static let topUp = TransactionType(0x0C)

        public static let names: [CodeName] = [
            CodeName(0x04, "payment", "支払い"),
            CodeName(0x08, "return", "返品"),
            CodeName(0x0C, "top-up", "チャージ"),
            CodeName(0x10, "top-up", "チャージ"),
            CodeName(0x18, "point download", "ポイントダウンロード"),
            CodeName(0x1C, "auto-charge", "オートチャージ"),
            CodeName(0x20, "auto-charge", "オートチャージ"),
            CodeName(0x30, "auto-charge", "オートチャージ"),
            CodeName(0x28, "refund", "返金"),
            CodeName(0x3C, "move", "移行"),
            CodeName(0x7C, "point exchange", "ポイント交換"),
        ]
    }

    public static let name = "WAON history record"
    public var stored: BlockPair

    public init(_ stored: BlockPair) {
        self.stored = stored
    }

    /// Creates a record with a terminal of zeros.
    ///
    /// - Throws: ``WireError`` if balance or withdrawal has more than 18 bits, or the charge more than 17.
    public init(
        _ type: TransactionType, sequence: UInt16, time: WAONTimestamp, balance: UInt32, withdrawal: UInt32 = 0,
        charge: UInt32 = 0
    ) throws(WireError) {
        self.init(.zero)
        self.type = type
        self.sequence = sequence
        self.time = time
        try stored.store(balance, in: Layout.balance, "balance")
        try stored.store(withdrawal, in: Layout.withdrawal, "withdrawal")
        try stored.store(charge, in: Layout.charge, "charge")
    }

    /// The thirteen bytes that tell the terminal; further ones are cut off, missing ones are zero.
    public var terminal: [UInt8] {
        get { Layout.terminal.map { stored[$0] } }
        set {
            for index in Layout.terminal { stored[index] = index < newValue.count ? newValue[index] : 0 }
        }
    }

    /// Number of the record, counting up.
    public var sequence: UInt16 {
        get { stored[Layout.sequence] }
        set { stored[Layout.sequence] = newValue }
    }

    public var type: TransactionType {
        get { TransactionType(stored[Layout.type]) }
        set { stored[Layout.type] = newValue.rawValue }
    }

    public var time: WAONTimestamp {
        get { WAONTimestamp(stored[Layout.time]) }
        set { stored[Layout.time] = newValue.rawValue }
    }

    /// Yen on the card afterwards; cut to 18 bits.
    public var balance: UInt32 {
        get { stored[Layout.balance] }
        set { stored[Layout.balance] = newValue }
    }

    /// Yen taken off the card; cut to 18 bits.
    public var withdrawal: UInt32 {
        get { stored[Layout.withdrawal] }
        set { stored[Layout.withdrawal] = newValue }
    }

    /// Yen put on the card; cut to 17 bits.
    public var charge: UInt32 {
        get { stored[Layout.charge] }
        set { stored[Layout.charge] = newValue }
    }
}
