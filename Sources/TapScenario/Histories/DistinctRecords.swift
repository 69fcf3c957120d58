import TapCards
import TapDocument
import TapWire

extension HistoryForm {
    /// Records that differ pairwise in date, amount, balance and stations, so that a client that confuses two of them gives
    /// itself away.
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

    /// The most common kinds of payments on transit cards.
    private static let usualKinds = [
        TransitHistoryRecord.Kind.fareGate, .bus, .fareGate, .vendingMachine, .shop,
    ].map(\.rawValue)
    /// The smallest payment, and the difference between two payments; all payments are smaller than any balance.
    private static let (leastAmount, amountStep) = (121, 17)
    /// The only top-up, and its index; no sequence of payments adds up to it.
    private static let (topUp, topUpIndex) = (500, 3)
}
