import TapCards
import TapDocument
import TapWire

/// The values that differ between issuers of transit cards.
///
/// Card type and area have the values known from public decoders. If no source states them, as for Kitaca, a card has those
/// of its group.
struct TransitTemplate: Sendable {
    static let gateCount = TransitServices.gates.blockCount

    static let history = HistoryForm(
        TransitServices.history, kinds: TransitHistoryRecord.Kind.allCases.map(\.rawValue),
        highestBalance: Int(UInt16.max), sign: TransitHabits.sign
    ) { (record: TransitHistoryRecord) in
        Ledger.Statement(
            kind: record.kind?.rawValue, date: record.date.date, balance: Int(record.balance),
            number: Int(record.sequence))
    }

    /// The services for each kind of content.
    let services: Services
    /// The family of cards to which the card belongs.
    let cardType: TransitBalance.CardType
    /// The area in which the card can pay.
    let area: TransitBalance.Area
    /// The first two bytes of the issue ID, or zero if no source states them.
    ///
    /// Source: felica-rs, letters of printed card numbers.
    let issuer: UInt16
    /// The lines that the card travels on, within the range of JR or of other railways; the stations are made up.
    let lines: [UInt8]

    /// The region byte of history records, which stores the area in its two highest bits.
    var region: UInt8 { area.rawValue << 6 }
}

extension TransitTemplate {
    struct Services: Sendable {
        /// The service with the balance, or `nil` if no public source states it.
        let balance: ApplicationService?
        let history: ApplicationService
        let gates: ApplicationService
        let entry: ApplicationService
        var points: ApplicationService?
    }
}

extension TransitTemplate.Services {
    /// The services of a card that has those of system 0003 in another system.
    static func like0003(in system: SystemCode, points: ApplicationService? = nil) -> Self {
        func moved(_ service: ApplicationService) -> ApplicationService {
            ApplicationService(
                service.title, service.code.rawValue, in: system, blockCount: service.blockCount, record: service.record
            )
        }
        return Self(
            balance: moved(TransitServices.balance), history: moved(TransitServices.history),
            gates: moved(TransitServices.gates), entry: moved(TransitServices.entry), points: points)
    }
}

extension CardTemplate {
    /// A transit card.
    ///
    /// - Parameter isJR: A Boolean value that indicates whether it travels on JR lines.
    static func transit(
        _ name: String, of issuer: String, _ cardType: TransitBalance.CardType = .suica, area: UInt8,
        issuerID: UInt16 = 0, isJR: Bool = false, services: TransitTemplate.Services = .like0003(in: .transit),
        defaultGeneration: Int = 1, _ generations: CardGeneration...
    ) -> CardTemplate {
        let contents = TransitTemplate(
            services: services, cardType: cardType, area: TransitBalance.Area(area), issuer: issuerID,
            lines: isJR ? [0x01, 0x25, 0x02] : [0xE3, 0xCE, 0x81])
        let parts = (services.balance == nil ? "" : "balance, ") + (services.points == nil ? "" : "points, ")
        return CardTemplate(
            name, "A transit card of \(issuer): \(parts)20 history records, gate records and entry information.",
            keys: [CardLanguage.gates.name] + (services.points == nil ? [] : [CardLanguage.points.name]),
            history: TransitTemplate.history, defaultGeneration: defaultGeneration, generations
        ) { $0.transitContent(contents) }
    }
}

/// The uses of a transit card: rides to a few destinations and back, small purchases, and top-ups when it is nearly empty.
struct TransitHabits: LedgerHabits {
    private typealias Kind = TransitHistoryRecord.Kind

    /// The balance, in yen, above which a card is not topped up.
    private static let limit = 18_000

    /// The station at which trips start and end.
    let home: StationCode
    /// The destinations of rides, each with its own fare.
    let places: [(station: StationCode, fare: Int)]
    /// The destination of a ride home whose outward ride is still to be drawn.
    private var returning: Int?

    /// Draws a home station and destinations.
    init(lines: [UInt8], _ random: inout SeededGenerator) {
        let home = StationCode(line: lines.first ?? 1, station: UInt8(20 + random.next(below: 60)))
        var places: [(station: StationCode, fare: Int)] = []
        for index in 0..<4 {
            let line = lines.isEmpty ? 1 : lines[random.next(below: lines.count)]
            // Use stations above the range for homes, with a separate range for each destination.
            let station = UInt8(100 + 25 * index + random.next(below: 25))
            places.append((StationCode(line: line, station: station), 140 + 60 * index + 10 * random.next(below: 6)))
        }
        self.home = home
        self.places = places
    }

    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?) {
        if let index = returning {
            returning = nil
            return ride(index, isHomeward: false)
        }
        if let amount = topUp(before: balance, limit: Self.limit, &random) { return (Kind.topUp.rawValue, amount, nil) }
        let kind: Kind
        switch random.next(below: 10) {
        case 0: kind = .bus
        case 1: kind = .vendingMachine
        case 2: kind = .shop
        default:
            let index = random.next(below: places.count)
            returning = index
            return ride(index, isHomeward: true)
        }
        return (kind.rawValue, change(of: kind.rawValue, balance: balance, &random), nil)
    }

    private func ride(_ index: Int, isHomeward: Bool) -> (kind: String, change: Int, route: Ledger.Route?) {
        (Kind.fareGate.rawValue, -places[index].fare, Ledger.Route(index: index, isHomeward: isHomeward))
    }

    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int {
        switch Kind(rawValue: kind) {
        case .fareGate, .windowExit: -places[random.next(below: places.count)].fare
        case .shinkansen: -(2_000 + 10 * random.next(below: 200))
        case .adjustment, .busAdjustment: -(20 + 10 * random.next(below: 15))
        case .bus, .shuttleBus: -(210 + 10 * random.next(below: 4))
        case .busTicket, .ticketMachine: -(150 + 10 * random.next(below: 80))
        case .shop, .shopInside: -(100 + random.next(below: 1_100))
        case .vendingMachine: -(110 + 10 * random.next(below: 8))
        case .topUp, .busTopUp, .shopTopUp: [1_000, 2_000, 3_000, 5_000][random.next(below: 4)]
        case .autoCharge: 3_000
        case .pointTopUp: 100 * (1 + random.next(below: 10))
        case .newIssue: 1_500
        case .shopVoid, .cancellation: 100 + random.next(below: 400)
        case .refund: -220
        case .reissue, nil: 0
        }
    }

    func kind(ofChange change: Int) -> String {
        let isFare = places.contains { $0.fare == -change }
        if isFare { return Kind.fareGate.rawValue }
        return change > 0 ? Kind.topUp.rawValue : Kind.shop.rawValue
    }

    /// The sign of the balance change for a kind, or 0 if it can be either.
    static func sign(ofKind kind: String) -> Int {
        switch Kind(rawValue: kind) {
        case .fareGate, .windowExit, .shinkansen, .adjustment, .busAdjustment, .bus, .shuttleBus, .busTicket,
            .ticketMachine, .shop, .shopInside, .vendingMachine:
            -1
        case .topUp, .busTopUp, .shopTopUp, .autoCharge, .pointTopUp, .newIssue, .shopVoid: 1
        case .cancellation, .refund, .reissue, nil: 0
        }
    }

    func nearestPlace(fare: Int) -> Int {
        places.indices.min { abs(places[$0].fare - fare) < abs(places[$1].fare - fare) } ?? 0
    }
}

// History records and gates of a transit card, from its ledger and the locations that the file states.

extension CardDecoder {
    /// The records of the history, newest first; records that the file writes as bytes stay as they are.
    mutating func transitRecords(
        _ lines: [Ledger.Line], _ habits: TransitHabits, _ transit: TransitTemplate, _ random: inout SeededGenerator
    ) -> [TransitHistoryRecord] {
        let items = map[CardLanguage.history]?.items.map(\.map) ?? []
        var records: [TransitHistoryRecord] = []
        for (index, line) in lines.enumerated() {
            let stated = index < items.count ? items[index] : nil
            if let data = stated?[HistoryTables.data]?.bytes {
                records.append(TransitHistoryRecord(BlockData(data)))
            } else {
                records.append(transitRecord(line, stated, habits, transit, &random))
            }
        }
        return records
    }

    private mutating func transitRecord(
        _ line: Ledger.Line, _ stated: MapReader?, _ habits: TransitHabits, _ transit: TransitTemplate,
        _ random: inout SeededGenerator
    ) -> TransitHistoryRecord {
        let kind = TransitHistoryRecord.Kind(rawValue: line.kind) ?? .fareGate
        var date = TransitDate.none
        do {
            date = try TransitDate(line.date)
        } catch {
            report(error, at: stated?.node[HistoryTables.date.name] ?? value(CardLanguage.history.name))
        }
        var record = TransitHistoryRecord(
            kind, date: date, balance: UInt16(clamping: line.balance), sequence: UInt16(clamping: line.number),
            region: stated?[HistoryTables.region] ?? transit.region)
        if line.number > Int(UInt16.max), let number = stated?[HistoryTables.number] {
            report(.outOfRange, "`number` is out of range", at: number.node, hint: "expected 0 to 65535")
        }
        record.place = place(like: record.place, line, stated, habits, &random)
        record.usesCash = stated?[HistoryTables.cash] ?? false
        return record
    }

    /// The location of a record, in the layout for its kind.
    private mutating func place(
        like layout: TransitHistoryRecord.Place, _ line: Ledger.Line, _ stated: MapReader?, _ habits: TransitHabits,
        _ random: inout SeededGenerator
    ) -> TransitHistoryRecord.Place {
        typealias Keys = HistoryTables
        let chance = UInt16(truncatingIfNeeded: 1 + random.next(below: 0x0FFF))
        let own: [String]
        let place: TransitHistoryRecord.Place
        switch layout {
        case .rail:
            own = [Keys.from.name, Keys.to.name]
            let route = line.route ?? Ledger.Route(index: habits.nearestPlace(fare: -line.change), isHomeward: true)
            let away = habits.places[route.index].station
            place = .rail(
                entry: stated?[Keys.from] ?? (route.isHomeward ? away : habits.home),
                exit: stated?[Keys.to] ?? (route.isHomeward ? habits.home : away))
        case .shop:
            own = [Keys.time.name, Keys.machine.name]
            place = .shop(TransitTime(line.time), terminal: stated?[Keys.machine] ?? chance)
        case .bus:
            own = [Keys.company.name, Keys.stop.name]
            place = .bus(company: stated?[Keys.company] ?? 0x0100 | chance & 0x0F, stop: stated?[Keys.stop] ?? chance)
        case .machine:
            own = [Keys.station.name, Keys.machine.name]
            place = .machine(stated?[Keys.station] ?? habits.home, number: stated?[Keys.machine] ?? chance & 0x3F)
        }
        checkPlaceKeys(own, of: line.kind, stated)
        return place
    }

    private mutating func checkPlaceKeys(_ own: [String], of kind: String, _ stated: MapReader?) {
        for entry in stated?.node.entries ?? []
        where HistoryTables.placeKeys.contains(entry.key.text) && !own.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not belong to a record of the kind `\(kind)`",
                at: .scalar(entry.key), hint: "it has \(own.joined(separator: ", "))")
        }
    }

    /// The gate log as stated, or generated from the newest rides.
    func transitGates(_ lines: [Ledger.Line], _ records: [TransitHistoryRecord]) -> [TransitGateRecord] {
        if let gates = map[CardLanguage.gates]?.items { return gates.map { gate($0.map, lines.first) } }
        var gates: [TransitGateRecord] = []
        for (line, record) in zip(lines, records) where gates.count < TransitTemplate.gateCount {
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
        let event = map[HistoryTables.event].flatMap { TransitGateRecord.Event(identifier: $0.text) } ?? .exit
        let day = map[HistoryTables.date] ?? newest?.date ?? Ledger.newestDay
        let time = map[HistoryTables.gateTime] ?? newest?.time ?? LedgerClock.noon
        return TransitGateRecord(
            event, station: map[HistoryTables.gateStation] ?? StationCode(0),
            machine: map[HistoryTables.gateMachine] ?? 0, date: day.flatMap { try? TransitDate($0) } ?? .none,
            time: BCDTime(time), amount: map[HistoryTables.paid] ?? 0)
    }
}

extension CardDecoder {
    fileprivate mutating func transitContent(_ transit: TransitTemplate) -> DirectoryContent {
        var random = random.fork("places")
        var habits = TransitHabits(lines: transit.lines, &random)
        let ledger = ledger(TransitTemplate.history, count: TransitTemplate.history.count, &habits)
        let records = transitRecords(ledger.lines, habits, transit, &random)
        var entry = TransitEntry(entryStation: StationCode(0))
        for record in records {
            guard case .rail(let station, _) = record.place else { continue }
            entry.entryStation = station
            break
        }
        var content = DirectoryContent()
        content.issue = issue(transit, ledger.lines.last?.date, &random)
        if let balance = transit.services.balance {
            let block = TransitBalance(
                balance: UInt16(clamping: ledger.balance), cardType: transit.cardType, area: transit.area,
                updateNumber: records.first?.sequence ?? 0)
            content.set(balance, [block.stored])
        }
        content.set(transit.services.history, records.map(\.stored))
        content.set(transit.services.gates, transitGates(ledger.lines, records).map(\.stored))
        content.set(transit.services.entry, [entry.stored.first, entry.stored.second])
        if let service = transit.services.points {
            let points = map[CardLanguage.points] ?? random.next(below: 500)
            content.set(service, [SapicaPoints(points: UInt32(clamping: points)).stored])
        }
        return content
    }

    /// An issue ID: issuer, serial number, day of issue, number.
    ///
    /// Source: felica-rs, printed card numbers.
    private func issue(
        _ transit: TransitTemplate, _ oldest: CalendarDate?, _ random: inout SeededGenerator
    ) -> FeliCaIssue {
        let day = (oldest ?? Ledger.newestDay)?.adding(days: -100 - random.next(below: 1_000))
        let date = day.flatMap { try? TransitDate($0) } ?? .none
        let serial = UInt64(random.next(below: 0x1_0000))
        let number = UInt64(random.next(below: 0x1_0000))
        return FeliCaIssue(
            id: UInt64(transit.issuer) << 48 | serial << 32 | UInt64(date.rawValue) << 16 | number)
    }
}
