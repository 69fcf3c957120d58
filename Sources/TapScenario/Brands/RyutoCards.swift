import TapCards
import TapDocument
import TapWire

extension CardTemplate {
    static let ryuto = money(
        "ryuto", "A bus card of Niigata: twenty history records.", .ryuto,
        CardGeneration(
            .ryuto, order: .ryuto,
            """
            8B5D  0000-FFFE 8000-927F 8040-80BF 8048 804A 804B 8088 808A 8840-887F 8848 884A 884B 8980-89BF 898C 898E
                  898F 8AC0-8AFF 8AC8 8ACA 9240-927F 9248 924A 924B
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """),
        CardGeneration(
            .ryuto, order: .ryuto,
            """
            8B5D  0000-FFFE 8000-924B 8040-808A 8048 804A 804B 8088 808A 8840-884B 8848 884A 884B 8980-898F 898C 898E
                  898F 8AC0-8ACA 8AC8 8ACA 9240-924B 9248 924A 924B
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """))
}

extension Fact where Value == String {
    fileprivate static let ryuto = inferred(
        "RC-S915", "a card in pull request 3533 of Proxmark3 has this PMm; its services were not listed")
}

extension SystemOrder {
    fileprivate static let ryuto = SystemOrder(
        confidence: .measured, source: "a card in pull request 3533 of Proxmark3")
}

extension MoneyTemplate {
    /// Rides last a quarter of an hour, and stop numbers are made up; no source says where the balance is stored.
    fileprivate static let ryuto = MoneyTemplate(
        balance: nil, history: RyutoServices.history,
        kinds: HistoryTables.names(RyutoHistoryRecord.TransactionType.self), highestBalance: Int(UInt16.max),
        payment: MoneyHabits.ride, otherKeys: [HistoryTables.number.name]
    ) { line throws(WireError) -> RyutoHistoryRecord in
        let before = ClockTime(secondOfDay: max(0, line.time.secondOfDay - 900)) ?? line.time
        return RyutoHistoryRecord(
            .init(identifier: line.kind) ?? .ride, date: try TransitDate(line.date), boarding: RyutoTime(before),
            alighting: RyutoTime(line.time), boardingStop: UInt16(1 + line.number % 60),
            alightingStop: UInt16(61 + line.number % 40), fare: UInt16(clamping: line.amount),
            balance: UInt16(clamping: line.balance))
    } statement: { record in
        Ledger.Statement(
            kind: record.type.name?.identifier, date: record.date.date, time: record.alighting.time,
            balance: Int(record.balance))
    }
}
