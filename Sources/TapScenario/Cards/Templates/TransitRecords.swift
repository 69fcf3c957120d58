import TapCards
import TapWire

// History records and gates of a transit card, from the lines of its ledger and what the file states about places.

extension CardDecoder {
    /// The records of the history, newest first; what the file writes in bytes stays as it is.
    mutating func transitRecords(
        _ lines: [Ledger.Line], _ habits: TransitHabits, _ template: TransitTemplate, _ random: inout SeededGenerator
    ) -> [TransitHistoryRecord] {
        let items = map["history"]?.items.map(\.map) ?? []
        var records: [TransitHistoryRecord] = []
        for (index, line) in lines.enumerated() {
            let stated = index < items.count ? items[index] : nil
            if let data = stated?["data"]?.bytes {
                records.append(TransitHistoryRecord(BlockData(data)))
            } else {
                records.append(transitRecord(line, stated, habits, template, &random))
            }
        }
        return records
    }

    private mutating func transitRecord(
        _ line: Ledger.Line, _ stated: MapReader?, _ habits: TransitHabits, _ template: TransitTemplate,
        _ random: inout SeededGenerator
    ) -> TransitHistoryRecord {
        let kind = TransitHistoryRecord.Kind(rawValue: line.kind) ?? .fareGate
        var date = TransitDate.none
        do {
            date = try TransitDate(line.date)
        } catch {
            report(error, at: stated?.node["date"] ?? value("history"))
        }
        var record = TransitHistoryRecord(
            kind, date: date, balance: UInt16(clamping: line.balance), sequence: UInt16(clamping: line.number),
            region: stated?["region"]?.bytes.first ?? template.region)
        if line.number > Int(UInt16.max), let node = stated?.node["number"] {
            report(.outOfRange, "`number` is out of range", at: node, hint: "0 to 65535 needed")
        }
        record.place = place(like: record.place, line, stated, habits, &random)
        record.usesCash = stated?["cash"]?.boolean ?? false
        return record
    }

    /// The place of a record, in the layout that its kind has.
    private mutating func place(
        like layout: TransitHistoryRecord.Place, _ line: Ledger.Line, _ stated: MapReader?, _ habits: TransitHabits,
        _ random: inout SeededGenerator
    ) -> TransitHistoryRecord.Place {
        let station = { (key: String) in stated?[key]?.read(StationRule.self) }
        let number = { (key: String) in stated?[key].map { UInt16(clamping: $0.integer) } }
        let chance = UInt16(truncatingIfNeeded: 1 + random.next(below: 0x0FFF))
        let own: [String]
        let place: TransitHistoryRecord.Place
        switch layout {
        case .rail:
            own = ["from", "to"]
            let route = line.route ?? Ledger.Route(index: habits.nearestPlace(fare: -line.change), isHomeward: true)
            let away = habits.places[route.index].station
            place = .rail(
                entry: station("from") ?? (route.isHomeward ? away : habits.home),
                exit: station("to") ?? (route.isHomeward ? habits.home : away))
        case .shop:
            own = ["time", "machine"]
            place = .shop(TransitTime(line.time), terminal: number("machine") ?? chance)
        case .bus:
            own = ["company", "stop"]
            place = .bus(company: number("company") ?? 0x0100 | chance & 0x0F, stop: number("stop") ?? chance)
        case .machine:
            own = ["station", "machine"]
            place = .machine(station("station") ?? habits.home, number: number("machine") ?? chance & 0x3F)
        }
        checkPlaceKeys(own, of: line.kind, stated)
        return place
    }

    private mutating func checkPlaceKeys(_ own: [String], of kind: String, _ stated: MapReader?) {
        let all = ["from", "to", "station", "machine", "company", "stop"]
        for entry in stated?.node.entries ?? [] where all.contains(entry.key.text) && !own.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not belong to a record of the kind `\(kind)`",
                at: .scalar(entry.key), hint: "it has \(own.joined(separator: ", "))")
        }
    }

    /// The log of gates: as stated, else the gates of the newest rides.
    func transitGates(_ lines: [Ledger.Line], _ records: [TransitHistoryRecord]) -> [TransitGateRecord] {
        if let gates = map["gates"]?.items { return gates.map { gate($0.map, lines.first) } }
        var gates: [TransitGateRecord] = []
        for (line, record) in zip(lines, records) {
            guard record.kind == .fareGate, case .rail(let entry, let exit) = record.place else { continue }
            let before = ClockTime(secondOfDay: max(0, line.time.secondOfDay - 1_500)) ?? line.time
            gates.append(
                TransitGateRecord(
                    .exit, station: exit, machine: 0x1015, date: record.date, time: BCDTime(line.time),
                    amount: UInt16(clamping: -line.change)))
            gates.append(
                TransitGateRecord(.entry, station: entry, machine: 0x1007, date: record.date, time: BCDTime(before)))
        }
        return Array(gates.prefix(TransitTemplate.gateCount))
    }

    private func gate(_ map: MapReader, _ newest: Ledger.Line?) -> TransitGateRecord {
        let event = map["event"].flatMap { TransitGateRecord.Event(identifier: $0.text) } ?? .exit
        let day = map["date"]?.date ?? newest?.date ?? Ledger.newestDay
        let time = map["time"]?.read(ClockTimeRule.self) ?? newest?.time ?? LedgerClock.noon
        return TransitGateRecord(
            event, station: map["station"]?.read(StationRule.self) ?? StationCode(0),
            machine: UInt16(clamping: map["machine"]?.integer ?? 0),
            date: day.flatMap { try? TransitDate($0) } ?? .none, time: BCDTime(time),
            amount: UInt16(clamping: map["amount"]?.integer ?? 0))
    }
}
