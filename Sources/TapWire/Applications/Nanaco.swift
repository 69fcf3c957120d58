/// The services of a nanaco card in system FE00 that can be read without a key; system 04C7 has the same services.
///
/// Sources: felicalib wiki, TRETJapanNFCReader.
package enum NanacoServices {
    /// The card number: ``CardNumberBlock``.
    package static let identification = ApplicationService("card number", 0x558B, blockCount: 1, record: .cardNumber)
    package static let balance = ApplicationService("balance", 0x5597, blockCount: 1, record: .purse)
    /// The points: ``NanacoPoints`` in the second block.
    package static let points = ApplicationService(
        "points", 0x560B, blockCount: 2,
        record: RecordLayout(NanacoPoints.self, .points, onlyBlock: NanacoPoints.blockNumber))
    /// The history: ``NanacoHistoryRecord``, newest first.
    package static let history = ApplicationService(
        "history", 0x564F, blockCount: 5, record: RecordLayout(NanacoHistoryRecord.self, .history))

    package static let all = [identification, balance, points, history]
}

/// One entry in the history of a nanaco card, service 564F, newest first.
///
/// Source: observation of cards (felicalib wiki, TRETJapanNFCReader).
package struct NanacoHistoryRecord: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let type = Field<TransactionType>("type", .byte(0), privacy: .open)
        /// Yen paid or added.
        package let amount = Field<UInt32>("amount", .bigEndian(1...4), unit: "yen", privacy: .open)
        package let balance = Field<UInt32>("balance", .bigEndian(5...8), unit: "yen", privacy: .open)
        package let time = Field<NanacoTimestamp>("time", .bigEndian(9...12))
        package let sequence = Field<UInt16>("sequence number", .bigEndian(13...14), privacy: .sequence(of: "nanaco"))

        package var listed: [any RecordField] { [type, amount, balance, time, sequence] }
    }

    package static let fields = Fields()

    package struct TransactionType: NamedCode {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let payment = TransactionType(0x47)
        package static let topUp = TransactionType(0x6F)

        package static let names: [CodeName] = [
            CodeName(0x47, "payment", "支払い"),
            CodeName(0x6F, "top-up", "チャージ"),
            CodeName(0x5C, "top-up", "チャージ"),
            CodeName(0x70, "top-up", "チャージ"),
            CodeName(0x35, "transfer", "引継"),
            CodeName(0x83, "points", "ポイント交換"),
        ]
    }

    package static let name = "nanaco history record"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(_ type: TransactionType, amount: UInt32, balance: UInt32, time: NanacoTimestamp, sequence: UInt16) {
        self.init(.zero)
        self.type = type
        self.amount = amount
        self.balance = balance
        self.time = time
        self.sequence = sequence
    }
}

/// Date and time of a nanaco history record, four bytes: year after 2000 (11 bits), month (4), day (5), hour (6), minute (6).
///
/// Source: observation of cards (TRETJapanNFCReader, whose tests show that years count from 2000).
package struct NanacoTimestamp: MinuteTimestamp {
    package static let packing = MinutePacking(
        name: "nanaco date", firstYear: 2000, year: 21...31, month: 17...20, day: 12...16, hour: 6...11, minute: 0...5)

    /// The big-endian number as stored.
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// The points of a nanaco card, second block of service 560B: two three-byte numbers, high byte first, in bytes 0 to 2 and 5
/// to 7.
///
/// Source: observation of cards (TRETJapanNFCReader, which shows the sum of both).
package struct NanacoPoints: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let first = Field<UInt32>("points", .bigEndian(0...2), privacy: .open)
        /// The second number; like the first it is truncated to 24 bits.
        package let second = Field<UInt32>("points", .bigEndian(5...7), privacy: .open)

        package var listed: [any RecordField] {
            [JointField<NanacoPoints>("points", [first, second]) { "\($0.total)" }]
        }
    }

    package static let fields = Fields()

    package static let name = "nanaco points"
    package static let blockNumber: UInt16 = 1
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Throws ``WireError`` if a number has more than 24 bits.
    package init(first: UInt32, second: UInt32 = 0) throws(WireError) {
        self.init(.zero)
        try stored.store(first, in: Self.fields.first)
        try stored.store(second, in: Self.fields.second)
    }

    package var total: UInt32 { self.first + self.second }
}
