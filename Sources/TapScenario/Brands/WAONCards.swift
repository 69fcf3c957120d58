import TapCards
import TapDocument
import TapWire

// WAON in the common area.

extension CardTemplate {
    private static let waonKeys = [
        CardLanguage.historyBlocks.name, CardLanguage.number.name, CardLanguage.points.name,
    ]

    static let waon = money(
        "waon", "A WAON card: number, balance, points and five history records in the common area.",
        keys: waonKeys, .waon,
        CardGeneration(
            .unstated,
            """
            852B  0000-FFFE
            FE00  0000-FFFE 67C0-68FF 67C1-68FF 67C8 67CB 67CC 67CF 6808 680B 680C 680F 6810 6814 6817 6848 684B 684C
                  684F 6888 688B 688C 688F 68C8 68CB 68CC 68CF
            """))

    static let waonLocal = money(
        "waon-local", "A local WAON card: number, balance, points and five history records in the common area.",
        keys: waonKeys, .waon,
        CardGeneration(
            .unstated,
            """
            12FC  0000-FFFE
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9 67C0-68FF 67C1-68FF 67C8 67CB 67CC 67CF 6808
                  680B 680C 680F 6810 6814 6817 6848 684B 684C 684F 6888 688B 688C 688F 68C8 68CB 68CC 68CF
            """))
}

extension MoneyTemplate {
    fileprivate static let waon = MoneyTemplate(
        balance: WAONServices.balance, history: WAONServices.history,
        kinds: HistoryTables.names(WAONHistoryRecord.TransactionType.self), highestBalance: 0x3_FFFF
    ) { number, points in
        [
            (WAONServices.identification, [CardNumberBlock(number: number).stored]),
            (WAONServices.points, [(try? WAONPoints(points: points).stored) ?? .zero]),
        ]
    } record: { line throws(WireError) -> WAONHistoryRecord in
        try WAONHistoryRecord(
            .init(identifier: line.kind) ?? .payment, sequence: UInt16(clamping: line.number),
            time: WAONTimestamp(line.date, line.time), balance: UInt32(clamping: line.balance),
            withdrawal: line.change < 0 ? line.amount : 0, charge: line.change > 0 ? line.amount : 0)
    } statement: { record in
        .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
    }
}
