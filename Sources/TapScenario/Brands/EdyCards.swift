import TapCards
import TapDocument
import TapWire

// Edy in the common area. The second generation is the card in nfcpy's tests.

extension CardTemplate {
    static let edy = money(
        "edy", "An Edy card: number, balance and six history records in the common area.",
        keys: [CardLanguage.number.name], .edy,
        CardGeneration(
            .inferred("RC-S915", "an Edy card of an older layout in the tests of nfcpy has this PMm"),
            """
            8BDC  0000-FFFE
            FE00  0000-FFFE 1000-173F 1001-173F 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F 7B80-7BBF 7B81-7BBF 7B88 7B8B 7B8C 7B8F
            """),
        CardGeneration(
            .tracedEdy, order: SystemOrder(confidence: .measured, source: "an Edy card in the tests of nfcpy"),
            """
            8092  0000-FFFE
            FE00  0000-FFFE 1000-1717 1001-1717 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F
            """))

    static let edyAmpm = money(
        "edy-ampm", "An Edy card of a shop chain: number, balance and six history records in the common area.",
        keys: [CardLanguage.number.name], .edy,
        CardGeneration(
            .tracedEdy, order: SystemOrder(confidence: .likely, source: "like the Edy card in the tests of nfcpy"),
            """
            801E  0000-FFFE
            FE00  0000-FFFE 1000-1717 1001-1717 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F
            """))
}

extension Fact where Value == String {
    fileprivate static let tracedEdy = Fact.known(
        "RC-S915", .measured, source: "an Edy card in the tests of nfcpy has these nodes in FE00 and this PMm")
}

extension MoneyTemplate {
    fileprivate static let edy = MoneyTemplate(
        balance: EdyServices.balance, history: EdyServices.history,
        kinds: HistoryTables.names(EdyHistoryRecord.TransactionType.self), highestBalance: Int(UInt32.max)
    ) { number, _ in
        [(EdyServices.identification, [EdyIdentification(number: number).stored])]
    } record: { line throws(WireError) -> EdyHistoryRecord in
        try EdyHistoryRecord(
            .init(identifier: line.kind) ?? .payment, sequence: UInt32(clamping: line.number),
            time: EdyTimestamp(line.date, line.time), amount: line.amount, balance: UInt32(clamping: line.balance))
    } statement: { record in
        .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
    }
}
