import TapCards
import TapDocument
import TapWire

// nanaco in the common area.

extension CardTemplate {
    static let nanaco = money(
        "nanaco", "A nanaco card: number, balance, points and five history records in the common area.",
        keys: [CardLanguage.number.name, CardLanguage.points.name], .nanaco,
        CardGeneration(
            .unstated,
            """
            04C7  0000-FFFE 0100-01FF 0108 010B 0148 014B 0188 018B
            FE00  0000-FFFE 5580-56BF 5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688
                  568B
            """),
        CardGeneration(
            .unstated,
            """
            04C7  0000-FFFE 0100-01FF 0108 010B 0148 014B 0188 018B
            FE00  0000-FFFE 35C0-36BF 35C1-36BF 35C8 35CB 35CC 3608 360B 360C 360F 364C 364F 368C 368F 5580-56BF
                  5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688 568B
            """),
        CardGeneration(
            .unstated,
            """
            FE00  0000-FFFE 5580-56BF 5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688
                  568B
            """))
}

extension MoneyTemplate {
    fileprivate static let nanaco = MoneyTemplate(
        balance: NanacoServices.balance, history: NanacoServices.history,
        kinds: HistoryTables.names(NanacoHistoryRecord.TransactionType.self), highestBalance: Int(UInt32.max)
    ) { number, points in
        [
            (NanacoServices.identification, [CardNumberBlock(number: number).stored]),
            (NanacoServices.points, [.zero, (try? NanacoPoints(first: points).stored) ?? .zero]),
        ]
    } record: { line throws(WireError) -> NanacoHistoryRecord in
        NanacoHistoryRecord(
            .init(identifier: line.kind) ?? .payment, amount: line.amount, balance: UInt32(clamping: line.balance),
            time: try NanacoTimestamp(line.date, line.time), sequence: UInt16(clamping: line.number))
    } statement: { record in
        .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
    }
}
