/// The services of a WAON card in system FE00 that can be read without a key.
///
/// Sources: felicalib wiki, TRETJapanNFCReader, NFCReader.
package enum WAONServices {
    /// The history: ``WAONHistoryRecord``, two blocks each.
    ///
    /// The count of ten blocks is inferred because no public source states it. NFCReader reads six blocks; TRETJapanNFCReader
    /// reads nine, the last of which begins a record that ends in the tenth.
    package static let history = ApplicationService(
        "history", 0x680B, blockCount: 10, record: RecordLayout(WAONHistoryRecord.self, .history))
    package static let balance = ApplicationService("balance", 0x6817, blockCount: 1, record: .purse)
    /// The points: ``WAONPoints``.
    package static let points = ApplicationService(
        "points", 0x684B, blockCount: 1, record: RecordLayout(WAONPoints.self, .points))
    /// The WAON number: ``CardNumberBlock``.
    package static let identification = ApplicationService("WAON number", 0x684F, blockCount: 1, record: .cardNumber)

    package static let all = [history, balance, points, identification]
}

/// One entry in the history of a WAON card, service 680B, two blocks.
///
/// Source: observation of cards (felicalib wiki, NFCReader).
package struct WAONHistoryRecord: BlockRecord {
    fileprivate static let terminalBytes = 0...12

    package struct Fields: RecordFields, Sendable {
        package let sequence = Field<UInt16>("sequence number", .bigEndian(13...14), privacy: .sequence(of: "WAON"))
        package let type = Field<TransactionType>("type", .byte(17), privacy: .open)
        package let time = Field<WAONTimestamp>("time", .bits(0..<25, fromByte: 18))
        /// The balance afterwards in yen, truncated to 18 bits.
        package let balance = Field<UInt32>("balance", .bits(25..<43, fromByte: 18), unit: "yen", privacy: .open)
        /// Yen deducted, truncated to 18 bits.
        package let withdrawal = Field<UInt32>("withdrawal", .bits(43..<61, fromByte: 18), unit: "yen", privacy: .open)
        /// Yen added, truncated to 17 bits.
        package let charge = Field<UInt32>("charge", .bits(61..<78, fromByte: 18), unit: "yen", privacy: .open)

        package var listed: [any RecordField] {
            let terminal = JointField<WAONHistoryRecord>("terminal") { _ in
                [RecordPiece(.bigEndian(WAONHistoryRecord.terminalBytes), .number)]
            } text: {
                Hex.text($0.terminal)
            }
            return [type, sequence, time, balance, withdrawal, charge, terminal]
        }
    }

    package static let fields = Fields()

    package struct TransactionType: NamedCode {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let payment = TransactionType(0x04)

        package static let names: [CodeName] = [
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

    package static let name = "WAON history record"
    package var stored: BlockPair

    package init(_ stored: BlockPair) {
        self.stored = stored
    }

    /// Throws ``WireError`` if balance or withdrawal has more than 18 bits, or the charge more than 17.
    package init(
        _ type: TransactionType, sequence: UInt16, time: WAONTimestamp, balance: UInt32, withdrawal: UInt32 = 0,
        charge: UInt32 = 0
    ) throws(WireError) {
        self.init(.zero)
        self.type = type
        self.sequence = sequence
        self.time = time
        try stored.store(balance, in: Self.fields.balance)
        try stored.store(withdrawal, in: Self.fields.withdrawal)
        try stored.store(charge, in: Self.fields.charge)
    }

    /// The thirteen bytes that identify the terminal; extra bytes are dropped, missing bytes are zero.
    package var terminal: [UInt8] {
        get { Self.terminalBytes.map { stored[$0] } }
        set {
            for index in Self.terminalBytes { stored[index] = index < newValue.count ? newValue[index] : 0 }
        }
    }
}

/// Date and time of a WAON history record, 25 bits: year after 2005 (5), month (4), day (5), hour (5), minute (6).
///
/// Source: observation of cards (felicalib wiki, NFCReader).
package struct WAONTimestamp: MinuteTimestamp {
    package static let packing = MinutePacking(
        name: "WAON date", firstYear: 2005, year: 20...24, month: 16...19, day: 11...15, hour: 6...10, minute: 0...5)

    /// The bits; the high seven bits are zero.
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...24]
    }
}

/// The points of a WAON card, service 684B: three bytes, high byte first.
///
/// Source: observation of cards (TRETJapanNFCReader).
package struct WAONPoints: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        /// The points, truncated to 24 bits.
        package let points = Field<UInt32>("points", .bigEndian(0...2), privacy: .open)

        package var listed: [any RecordField] { [points] }
    }

    package static let fields = Fields()

    package static let name = "WAON points"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Throws ``WireError`` if the number has more than 24 bits.
    package init(points: UInt32) throws(WireError) {
        self.init(.zero)
        try stored.store(points, in: Self.fields.points)
    }
}
