/// The services of an Edy card in system FE00 that can be read without a key.
///
/// Sources: felicalib wiki, nfcpy's traces.
package enum EdyServices {
    /// The Edy number: ``EdyIdentification`` in the first block.
    package static let identification = ApplicationService(
        "Edy number", 0x110B, blockCount: 2, record: RecordLayout(EdyIdentification.self, .number, onlyBlock: 0))
    package static let balance = ApplicationService("balance", 0x1317, blockCount: 1, record: .purse)
    /// The history: ``EdyHistoryRecord``, newest first.
    package static let history = ApplicationService(
        "history", 0x170F, blockCount: 6, record: RecordLayout(EdyHistoryRecord.self, .history))

    package static let all = [identification, balance, history]
}

/// One entry in the history of an Edy card, service 170F, newest first.
///
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
package struct EdyHistoryRecord: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let type = Field<TransactionType>("type", .byte(0), privacy: .open)
        /// An increasing record number, truncated to 24 bits.
        package let sequence = Field<UInt32>("sequence number", .bigEndian(1...3), privacy: .sequence(of: "Edy"))
        package let time = Field<EdyTimestamp>("time", .bigEndian(4...7))
        /// Yen paid or added.
        package let amount = Field<UInt32>("amount", .bigEndian(8...11), unit: "yen", privacy: .open)
        package let balance = Field<UInt32>("balance", .bigEndian(12...15), unit: "yen", privacy: .open)

        package var listed: [any RecordField] { [type, sequence, time, amount, balance] }
    }

    package static let fields = Fields()

    package struct TransactionType: NamedCode {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let payment = TransactionType(0x20)

        package static let names: [CodeName] = [
            CodeName(0x20, "payment", "支払い"),
            CodeName(0x02, "top-up", "チャージ"),
            CodeName(0x04, "gift", "Edyギフト"),
        ]
    }

    package static let name = "Edy history record"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Throws ``WireError`` if the sequence number has more than 24 bits.
    package init(
        _ type: TransactionType, sequence: UInt32, time: EdyTimestamp, amount: UInt32, balance: UInt32
    ) throws(WireError) {
        self.init(.zero)
        self.type = type
        try stored.store(sequence, in: Self.fields.sequence)
        self.time = time
        self.amount = amount
        self.balance = balance
    }
}

/// Date and time of an Edy history record, four bytes: days since 2000-01-01 (15 bits), seconds of the day (17).
///
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
package struct EdyTimestamp: PackedTimestamp {
    package static let firstYear = 2000

    /// The big-endian number as stored.
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Throws ``WireError`` outside 2000-01-01 to 2089-09-18, the range of a 15-bit day count.
    package init(_ date: CalendarDate, _ time: ClockTime) throws(WireError) {
        let days = date.daysSince2000
        guard (0...0x7FFF).contains(days) else {
            throw WireError(.wrongValue, at: 0, in: "Edy date", "\(date) is not in 2000-01-01 to 2089-09-18")
        }
        var bits = UInt32(time.secondOfDay)
        bits[bits: 17...31] = UInt32(days)
        rawValue = bits
    }

    package var date: CalendarDate? { CalendarDate(daysSince2000: Int(rawValue[bits: 17...31])) }

    package var time: ClockTime? { ClockTime(secondOfDay: Int(rawValue[bits: 0...16])) }
}

/// The Edy number, in bytes 2 to 9 of the first block of service 110B.
///
/// Source: observation of cards (felicalib wiki).
package struct EdyIdentification: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let number = Field<CardNumber>("Edy number", .bigEndian(2...9), privacy: .cardNumber)

        package var listed: [any RecordField] { [number] }
    }

    package static let fields = Fields()

    package static let name = "Edy identification"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(number: CardNumber) {
        self.init(.zero)
        self.number = number
    }
}
