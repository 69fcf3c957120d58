import TapCards
import TapDocument
import TapWire

/// What a card of electronic money, or of buses, holds, and where.
struct MoneyTemplate {
    /// `nil` where no source tells where the balance is.
    let balance: ApplicationService?
    let history: ApplicationService
    let recordLength: Int
    let highestBalance: Int
    /// Blocks that hold the number and the points, by service.
    var identity: (CardNumber, _ points: UInt32) -> [(ApplicationService, [BlockData])] = { _, _ in [] }
    /// The kind of a record that takes money.
    var payment = MoneyHabits.purchase
    /// Keys of records that say nothing on the card.
    var otherKeys = HistoryTables.placeKeys + [HistoryTables.cash.name, HistoryTables.region.name]
    let record: (Ledger.Line) throws(WireError) -> [UInt8]
    let statement: ([UInt8]) -> Ledger.Statement

    /// What a template holds, `nil` for what is no electronic money.
    static func of(_ template: CardTemplate) -> MoneyTemplate? {
        switch template.contents {
        case .edy: edy
        case .nanaco: nanaco
        case .waon: waon
        case .ryuto: ryuto
        case .transit, .octopus, .unknown, .tag: nil
        }
    }

    private static var edy: MoneyTemplate {
        MoneyTemplate(
            balance: EdyServices.balance, history: EdyServices.history, recordLength: BlockData.byteCount,
            highestBalance: Int(UInt32.max)
        ) { number, _ in
            [(EdyServices.identification, [EdyIdentification(number: number).stored])]
        } record: { line throws(WireError) in
            try EdyHistoryRecord(
                .init(identifier: line.kind) ?? .payment, sequence: UInt32(clamping: line.number),
                time: EdyTimestamp(line.date, line.time), amount: line.amount, balance: UInt32(clamping: line.balance)
            ).bytes
        } statement: { bytes in
            let record = EdyHistoryRecord(BlockData(bytes))
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }

    private static var nanaco: MoneyTemplate {
        MoneyTemplate(
            balance: NanacoServices.balance, history: NanacoServices.history, recordLength: BlockData.byteCount,
            highestBalance: Int(UInt32.max)
        ) { number, points in
            [
                (NanacoServices.identification, [CardNumberBlock(number: number).stored]),
                (NanacoServices.points, [.zero, (try? NanacoPoints(first: points).stored) ?? .zero]),
            ]
        } record: { line throws(WireError) in
            NanacoHistoryRecord(
                .init(identifier: line.kind) ?? .payment, amount: line.amount, balance: UInt32(clamping: line.balance),
                time: try NanacoTimestamp(line.date, line.time), sequence: UInt16(clamping: line.number)
            ).bytes
        } statement: { bytes in
            let record = NanacoHistoryRecord(BlockData(bytes))
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }

    private static var waon: MoneyTemplate {
        MoneyTemplate(
            balance: WAONServices.balance, history: WAONServices.history, recordLength: BlockPair.byteCount,
            highestBalance: 0x3_FFFF
        ) { number, points in
            [
                (WAONServices.identification, [CardNumberBlock(number: number).stored]),
                (WAONServices.points, [(try? WAONPoints(points: points).stored) ?? .zero]),
            ]
        } record: { line throws(WireError) in
            try WAONHistoryRecord(
                .init(identifier: line.kind) ?? .payment, sequence: UInt16(clamping: line.number),
                time: WAONTimestamp(line.date, line.time), balance: UInt32(clamping: line.balance),
                withdrawal: line.change < 0 ? line.amount : 0, charge: line.change > 0 ? line.amount : 0
            ).bytes
        } statement: { bytes in
            let pair = BlockPair(BlockData(bytes.prefix(16)), BlockData(bytes.dropFirst(16)))
            let record = WAONHistoryRecord(pair)
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }
}

extension MoneyTemplate {
    /// Rides on buses of a quarter of an hour; the numbers of the stops are made up.
    fileprivate static var ryuto: MoneyTemplate {
        MoneyTemplate(
            balance: nil, history: RyutoServices.history, recordLength: BlockData.byteCount,
            highestBalance: Int(UInt16.max), payment: MoneyHabits.ride,
            otherKeys: HistoryTables.placeKeys + [
                HistoryTables.cash.name, HistoryTables.region.name, HistoryTables.number.name,
            ]
        ) { line throws(WireError) in
            let before = ClockTime(secondOfDay: max(0, line.time.secondOfDay - 900)) ?? line.time
            return RyutoHistoryRecord(
                .init(identifier: line.kind) ?? .ride, date: try TransitDate(line.date), boarding: RyutoTime(before),
                alighting: RyutoTime(line.time), boardingStop: UInt16(1 + line.number % 60),
                alightingStop: UInt16(61 + line.number % 40), fare: UInt16(clamping: line.amount),
                balance: UInt16(clamping: line.balance)
            ).bytes
        } statement: { bytes in
            let record = RyutoHistoryRecord(BlockData(bytes))
            return Ledger.Statement(
                kind: record.type.name?.identifier, date: record.date.date, time: record.alighting.time,
                balance: Int(record.balance))
        }
    }
}

extension Ledger.Line {
    /// Yen paid or put on the card.
    fileprivate var amount: UInt32 { UInt32(clamping: abs(change)) }
}

extension Ledger.Statement {
    /// What a record of electronic money states.
    fileprivate static func of(
        _ type: some NamedCode, _ time: some PackedTimestamp, balance: UInt32, number: Int
    ) -> Ledger.Statement {
        Ledger.Statement(
            kind: type.name?.identifier, date: time.date, time: time.time, balance: Int(balance), number: number)
    }
}

/// What happens to a card of electronic money: purchases or rides, and top-ups when it is nearly empty.
struct MoneyHabits: LedgerHabits {
    static let topUp = "top-up"
    static let purchase = "payment"
    static let ride = "ride"

    /// The kind of what takes money.
    let payment: String

    private static let limit = 25_000

    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?) {
        if let amount = topUp(before: balance, limit: Self.limit, &random) { return (Self.topUp, amount, nil) }
        return (payment, change(of: payment, balance: balance, &random), nil)
    }

    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int {
        switch kind {
        case Self.ride: -(210 + 10 * random.next(below: 20))
        case payment: -(98 + random.next(below: 1_900))
        case Self.topUp, "auto-charge": [1_000, 2_000, 3_000, 5_000][random.next(below: 4)]
        default: 10 * (1 + random.next(below: 50))
        }
    }

    func kind(ofChange change: Int) -> String { change > 0 ? Self.topUp : payment }

    /// The sign of what a kind does to the balance: purchases take money, all else brings it.
    func sign(ofKind kind: String) -> Int { kind == payment ? -1 : 1 }
}

extension CardDecoder {
    /// The systems that a template fills in; none without one.
    mutating func systems(of template: CardTemplate?, on ic: FeliCaIC) -> [FeliCaSystemDefinition] {
        let number = map[CardLanguage.generation] ?? (ic.isPhone ? template?.phoneGeneration : nil)
        guard let template, let generation = template.generation(number) else { return [] }
        let content: DirectoryContent
        if let money = MoneyTemplate.of(template) {
            content = moneyContent(template, money)
        } else {
            content =
                switch template.contents {
                case .transit: transitContent(template)
                case .octopus: octopusContent()
                default: DirectoryContent()
                }
        }
        return generation.directory.systems(holding: content)
    }

    private mutating func octopusContent() -> DirectoryContent {
        var random = random.fork("balance")
        let balance = map[CardLanguage.balance] ?? 500 + random.next(below: 4_500)
        let debt = map[CardLanguage.debt] ?? OctopusAmount.debt
        checkBalance(
            balance, upTo: OctopusAmount.maximumTenths(debt: debt), at: value(CardLanguage.balance.name))
        var content = DirectoryContent()
        content.set(OctopusServices.balance, [OctopusBalance(OctopusAmount(tenths: balance, debt: debt)).stored])
        return content
    }

    /// One kind of electronic money in the common area, or what a card of buses holds.
    private mutating func moneyContent(_ template: CardTemplate, _ money: MoneyTemplate) -> DirectoryContent {
        var random = random.fork("number")
        let number = map[CardLanguage.number] ?? Self.drawnNumber(&random)
        let points = UInt32(clamping: map[CardLanguage.points] ?? random.next(below: 500))
        var habits = MoneyHabits(payment: money.payment)
        let historyBlocks = map[CardLanguage.historyBlocks] ?? money.history.blockCount
        let ledger = ledger(moneyRules(template, money, historyBlocks, habits), &habits)
        let purse = PurseBlock(
            value: UInt32(clamping: ledger.balance), executionID: UInt32(clamping: ledger.lines.first?.number ?? 0))
        var content = DirectoryContent()
        content.blockCounts[money.history.code.store] = historyBlocks
        if let balance = money.balance { content.set(balance, [purse.stored]) }
        content.set(money.history, blocks(of: ledger, money))
        for (service, blocks) in money.identity(number, points) { content.set(service, blocks) }
        return content
    }

    private func moneyRules(
        _ template: CardTemplate, _ money: MoneyTemplate, _ historyBlocks: Int, _ habits: MoneyHabits
    ) -> HistoryRules {
        HistoryRules(
            template: template, count: historyBlocks * BlockData.byteCount / money.recordLength,
            highestBalance: money.highestBalance, recordLength: money.recordLength,
            otherKeys: money.otherKeys, sign: habits.sign, statement: money.statement)
    }

    /// The blocks of the history, newest record first; what the file writes in bytes stays as it is.
    private mutating func blocks(of ledger: Ledger, _ money: MoneyTemplate) -> [BlockData] {
        let items = map[CardLanguage.history]?.items ?? []
        var blocks: [BlockData] = []
        for (index, line) in ledger.lines.enumerated() {
            let stated = index < items.count ? items[index] : nil
            do throws(WireError) {
                var bytes = stated?.map[HistoryTables.data]?.bytes ?? []
                if bytes.isEmpty { bytes = try money.record(line) }
                for start in stride(from: 0, to: bytes.count, by: BlockData.byteCount) {
                    blocks.append(BlockData(bytes.dropFirst(start)))
                }
            } catch {
                report(error, at: stated?.map.node[HistoryTables.date.name] ?? value(CardLanguage.history.name))
            }
        }
        return blocks
    }

    /// Sixteen decimal digits of chance.
    private static func drawnNumber(_ random: inout SeededGenerator) -> CardNumber {
        var digits: UInt64 = 0
        for _ in 0..<16 { digits = digits << 4 | UInt64(random.next(below: 10)) }
        return CardNumber(digits)
    }
}
