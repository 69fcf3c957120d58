import TapCards
import TapDocument
import TapWire

extension HistoryForm {
    /// Records of which no two have the same date, amount, balance or pair of stations, so that a client that confuses two
    /// records shows it.
    func distinctRecords(_ count: Int, _ random: inout SeededGenerator) -> [Node] {
        let usual = Self.usualKinds.filter(kinds.contains)
        var amounts = (0..<count).map { Self.leastAmount + Self.amountStep * $0 }
        var day = Ledger.newestDay
        return (0..<count).map { index in
            let payment = amounts.remove(at: random.next(below: amounts.count))
            let isTopUp = index == Self.topUpIndex
            let kind = usual.isEmpty || isTopUp ? nil : usual[index % usual.count]
            var record: [(key: String, value: Node)] = [
                (HistoryTables.date.name, .text(day.map { "\($0)" } ?? "")),
                (HistoryTables.amount.name, .number(isTopUp ? Self.topUp : -payment)),
            ]
            if let kind { record.append((HistoryTables.kind.name, .text(kind))) }
            if kind == Self.usualKinds[0] {
                let stations = [20, 60].map { StationCode(line: 1, station: UInt8($0 + index)) }
                record.append((HistoryTables.from.name, .text("\(stations[0])")))
                record.append((HistoryTables.to.name, .text("\(stations[1])")))
            }
            day = day?.adding(days: -1 - random.next(below: 3))
            return .map(record)
        }
    }

    /// Kinds of payments that transit cards have most.
    private static let usualKinds = [
        TransitHistoryRecord.Kind.fareGate, .bus, .fareGate, .vendingMachine, .shop,
    ].map(\.rawValue)
    /// The smallest payment, and the difference of two; all are smaller than any balance.
    private static let (leastAmount, amountStep) = (121, 17)
    /// The only payment in, and its place; no payments in a row add up to it.
    private static let (topUp, topUpIndex) = (500, 3)
}
