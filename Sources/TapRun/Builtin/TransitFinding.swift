import TapClient
import TapReport
import TapScenario
import TapWire

extension TransitCard: ClientFinding {
    var node: Node {
        .map([
            "idm": .text(system.idm.description),
            "system": .text(system.code.description),
            "balance": .number(balance.balance),
            "trips": .list(history.trips.map(\.node)),
            "gates": gates.map { .list($0.map(\.node)) },
        ])
    }

    var lines: [String] {
        let rows = history.trips.enumerated().map { index, trip in
            [
                "\(index + 1)".leftPadded(to: 2), trip.record.date.description, trip.record.kindText,
                trip.record.place.description, yenText(trip.amount).leftPadded(to: 6),
                "\(trip.record.balance)".leftPadded(to: 6),
            ]
        }
        return ["IDm \(system.idm)   balance \(balance.balance) yen   \(CountText.of(rows.count, "trip"))"]
            + TextTable.lines(rows)
    }
}

extension TransitHistory.Trip {
    fileprivate var node: Node {
        var entries: [(key: String, value: Node)] = [
            ("number", .number(record.sequence)), ("date", .text(record.date.description)),
            ("kind", .text(record.kindText)),
        ]
        switch record.place {
        case .rail(let entry, let exit):
            entries += [("from", .text(entry.description)), ("to", .text(exit.description))]
        case .machine(let station, _): entries.append(("station", .text(station.description)))
        case .shop(let time, _): entries.append(("time", .text(time.description)))
        case .bus: break
        }
        return .map(
            entries + [("balance", .number(record.balance)), ("amount", .number(of: amount))])
    }
}

extension TransitHistoryRecord {
    /// The kind in the words of scenario files, or the process where it has none.
    fileprivate var kindText: String { kind?.rawValue ?? self.process.description }
}

extension TransitGateRecord {
    fileprivate var node: Node {
        [
            "event": .text(self.event.description), "station": .text(self.station.description),
            "date": .text(self.date.description), "time": .text(self.time.description), "amount": .number(self.amount),
        ]
    }
}
