import TapCards
import TapDocument
import TapWire

/// The contents of an electronic money or bus card, and where they are stored.
struct MoneyTemplate: Sendable {
    /// The service with the balance, or `nil` if no public source states it.
    let balance: ApplicationService?
    let history: HistoryForm
    /// The kind of a record that takes money.
    let payment: String
    /// Builds the blocks with the number and the points, by service.
    let identity: @Sendable (CardNumber, _ points: UInt32) -> [(ApplicationService, [BlockData])]
    let record: @Sendable (Ledger.Line) throws(WireError) -> [UInt8]

    /// - Parameter otherKeys: Keys of records that do not apply to the card, in addition to those for transit cards only.
    init<Record: BlockRecord>(
        balance: ApplicationService?, history: ApplicationService, kinds: [String], highestBalance: Int,
        payment: String = MoneyHabits.purchase, otherKeys: [String] = [],
        identity: @escaping @Sendable (CardNumber, UInt32) -> [(ApplicationService, [BlockData])] = { _, _ in [] },
        record: @escaping @Sendable (Ledger.Line) throws(WireError) -> Record,
        statement: @escaping @Sendable (Record) -> Ledger.Statement
    ) {
        self.balance = balance
        self.history = HistoryForm(
            history, kinds: kinds, highestBalance: highestBalance,
            otherKeys: HistoryTables.placeKeys + [HistoryTables.cash.name, HistoryTables.region.name] + otherKeys,
            sign: { $0 == payment ? -1 : 1 }, statement: statement)
        self.payment = payment
        self.identity = identity
        self.record = { line throws(WireError) in try record(line).bytes }
    }
}

extension CardTemplate {
    /// A brand of electronic money, or of bus cards.
    static func money(
        _ name: String, _ summary: String, keys: [String] = [], _ contents: MoneyTemplate,
        _ generations: CardGeneration...
    ) -> CardTemplate {
        CardTemplate(name, summary, keys: keys, history: contents.history, generations) { $0.moneyContent(contents) }
    }
}

extension Ledger.Line {
    /// The amount paid or added, in yen.
    var amount: UInt32 { UInt32(clamping: abs(change)) }
}

extension Ledger.Statement {
    /// The values of an electronic money record.
    static func of(
        _ type: some NamedCode, _ time: some PackedTimestamp, balance: UInt32, number: Int
    ) -> Ledger.Statement {
        Ledger.Statement(
            kind: type.name?.identifier, date: time.date, time: time.time, balance: Int(balance), number: number)
    }
}

/// The uses of an electronic money card: purchases or rides, and top-ups when it is nearly empty.
struct MoneyHabits: LedgerHabits {
    static let topUp = "top-up"
    static let purchase = "payment"
    static let ride = "ride"

    /// The kind of a use that takes money.
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
}

extension CardDecoder {
    /// The content of an electronic money card in the common area, or of a bus card.
    fileprivate mutating func moneyContent(_ money: MoneyTemplate) -> DirectoryContent {
        var random = random.fork("number")
        let number = map[CardLanguage.number] ?? Self.drawnNumber(&random)
        let points = UInt32(clamping: map[CardLanguage.points] ?? random.next(below: 500))
        var habits = MoneyHabits(payment: money.payment)
        let historyBlocks = map[CardLanguage.historyBlocks] ?? money.history.service.blockCount
        let ledger = ledger(money.history, count: money.history.count(inBlocks: historyBlocks), &habits)
        let purse = PurseBlock(
            value: UInt32(clamping: ledger.balance), executionID: UInt32(clamping: ledger.lines.first?.number ?? 0))
        var content = DirectoryContent()
        content.blockCounts[money.history.service.code.store] = historyBlocks
        if let balance = money.balance { content.set(balance, [purse.stored]) }
        content.set(money.history.service, blocks(of: ledger, money))
        for (service, blocks) in money.identity(number, points) { content.set(service, blocks) }
        return content
    }

    /// The blocks of the history, newest record first; records that the file writes as bytes stay as they are.
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

    /// Sixteen random decimal digits.
    private static func drawnNumber(_ random: inout SeededGenerator) -> CardNumber {
        var digits: UInt64 = 0
        for _ in 0..<16 { digits = digits << 4 | UInt64(random.next(below: 10)) }
        return CardNumber(digits)
    }
}
