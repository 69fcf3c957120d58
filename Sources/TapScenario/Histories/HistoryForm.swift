import TapCards
import TapDocument
import TapWire

/// The form of a history on the cards of a brand.
struct HistoryForm: Sendable {
    let service: ApplicationService
    /// The allowed values of a record's `kind`.
    let kinds: [String]
    /// The highest balance that a record can store.
    let highestBalance: Int
    let recordLength: Int
    /// Keys of records that do not apply to these cards.
    let otherKeys: [String]
    /// The sign of an amount by the kind of its record: 1, -1, or 0 to keep the written sign.
    let sign: @Sendable (String) -> Int
    /// Decodes the values of a record that is written as bytes.
    let statement: @Sendable ([UInt8]) -> Ledger.Statement

    init<Record: BlockRecord>(
        _ service: ApplicationService, kinds: [String], highestBalance: Int, otherKeys: [String] = [],
        sign: @escaping @Sendable (String) -> Int, statement: @escaping @Sendable (Record) -> Ledger.Statement
    ) {
        self.service = service
        self.kinds = kinds
        self.highestBalance = highestBalance
        self.otherKeys = otherKeys
        self.sign = sign
        recordLength = Record.Storage.byteCount
        self.statement = { bytes in (try? Record(parsing: bytes)).map(statement) ?? Ledger.Statement() }
    }

    /// The number of records that fit into the usual number of blocks.
    var count: Int { count(inBlocks: service.blockCount) }

    func count(inBlocks blocks: Int) -> Int { blocks * BlockData.byteCount / recordLength }
}

/// The maps under `history` and `gates`.
enum HistoryTables {
    static let record = KeyTable(
        "a history record",
        [
            date.key, time.key, kind.key, from.key, to.key, station.key, machine.key, company.key, stop.key,
            amount.key, balance.key, number.key, cash.key, region.key, data.key,
        ])

    static let date = TypedKey("date", FieldForm(.date, read: \.date, node: { .text("\($0)") }), "The day.")
    static let time = TypedKey("time", .rule(ClockTimeRule()), "The time of day, if the record stores one.")
    static let kind = TypedKey("kind", .value(.word(kinds)), "The kind of transaction.", synonyms: ["type", "process"])
    static let from = TypedKey(
        "from", .rule(StationRule()), "The station where the ride began.", synonyms: ["entry", "in"])
    static let to = TypedKey(
        "to", .rule(StationRule()), "The station where the ride ended.", synonyms: ["exit", "out"])
    static let station = TypedKey("station", .rule(StationRule()), "The station of a machine.")
    static let machine = TypedKey("machine", word16, "The number of a machine or till.", synonyms: ["terminal"])
    static let company = TypedKey("company", word16, "The operator of a bus.")
    static let stop = TypedKey("stop", word16, "The stop of a bus.")
    static let amount = TypedKey(
        "amount", FieldForm<Int>.integer(-0xFF_FFFF...0xFF_FFFF), "The change of the balance, in yen.")
    static let balance = TypedKey(
        "balance", .value(.integer(0...Int(UInt32.max))), "The balance after the transaction, in yen.")
    static let number = TypedKey(
        "number", .value(.integer(0...0xFF_FFFF)), "The number of the record; numbers increase with each record.",
        synonyms: ["sequence"])
    static let cash = TypedKey("cash", .boolean, "Whether cash was used in addition to the card.")
    static let region = TypedKey("region", .byte, "The region byte of a transit record.")
    static let data = TypedKey(
        "data", .value(.hex(16, 32)), "The stored bytes of the record, instead of all other keys.")

    /// The keys for locations.
    static let placeKeys = [from.name, to.name, station.name, machine.name, company.name, stop.name]

    private static let word16 = FieldForm<UInt16>.integer(0...0xFFFF)

    static let gate = KeyTable(
        "a gate record",
        [event.key, gateStation.key, gateMachine.key, date.key, gateTime.key, paid.key])

    static let event = TypedKey(
        "event", .value(.word(names(TransitGateRecord.Event.self))), "The kind of event.", synonyms: ["kind"])
    static let gateStation = TypedKey("station", .rule(StationRule()), "The station.")
    static let gateMachine = TypedKey("machine", word16, "The number of the gate.")
    static let gateTime = TypedKey("time", .rule(ClockTimeRule()), "The time of day.")
    static let paid = TypedKey("amount", word16, "The amount paid, in yen.")

    /// The kinds of all applications; the template determines the kinds that a card can have.
    static let kinds: [String] = {
        var kinds: [String] = []
        for template in CardTemplate.allCases {
            for kind in template.history?.kinds ?? [] where !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }()

    /// The names of a code, each listed once.
    static func names<Code: NamedCode>(_ type: Code.Type) -> [String] {
        var names: [String] = []
        for name in type.names.map(\.identifier) where !names.contains(name) { names.append(name) }
        return names
    }
}

extension Shape {
    static func word(_ words: [String]) -> Shape { .scalar(KeywordRule(words)) }
}

extension CardDecoder {
    /// Reads and checks the keys of a history, and generates the rest of it.
    mutating func ledger(_ form: HistoryForm, count most: Int, _ habits: inout some LedgerHabits) -> Ledger {
        let statements = statements(form)
        let count = recordCount(most, stated: statements.count)
        let balance = map[CardLanguage.balance]
        let place = value(CardLanguage.balance.name)
        if let balance { checkBalance(balance, in: 0...form.highestBalance, at: place) }
        if let balance, let newest = statements.first?.balance, newest != balance {
            report(
                .contradiction, "`balance` is \(balance), but the balance of the newest record is \(newest)",
                at: place, hint: "remove one of the two, or write the same number")
        }
        return Ledger(statements, count: count, balance: balance, habits: &habits, random: random.fork("history"))
    }

    private var templateName: String { map[CardLanguage.template]?.rawValue ?? "" }

    private mutating func recordCount(_ most: Int, stated: Int) -> Int {
        let trips = map[CardLanguage.trips]
        for (key, written) in [(CardLanguage.trips.name, trips ?? 0), (CardLanguage.history.name, stated)]
        where written > most {
            report(
                .outOfRange, "`\(key)` exceeds the number of records of the template `\(templateName)`", at: value(key),
                hint: "at most \(most) records")
        }
        guard let trips else { return map[CardLanguage.history] == nil ? most : stated }
        if trips < stated {
            report(
                .contradiction, "`trips` is \(trips), but `history` contains \(stated) records",
                at: value(CardLanguage.trips.name),
                hint: "`trips` is the number of all records, including those of `history`")
        }
        return max(trips, stated)
    }

    private mutating func statements(_ form: HistoryForm) -> [Ledger.Statement] {
        var statements: [Ledger.Statement] = []
        let items = map[CardLanguage.history]?.items ?? []
        for item in items { statements.append(statement(item.map, form)) }
        for (index, newer) in statements.enumerated() {
            guard let balance = newer.balance, let change = newer.change else { continue }
            let older = index + 1 < statements.count ? statements[index + 1].balance : nil
            if balance - change < 0 || older.map({ $0 != balance - change }) ?? false {
                let before =
                    older.map { "the balance of the next older record is \($0)" }
                    ?? "the previous balance would be negative"
                report(
                    .contradiction, "`amount` does not match `balance`: \(before)",
                    at: items[index].node,
                    hint: "remove `amount`; it is derived from the balances")
            }
        }
        return statements
    }

    private mutating func statement(_ record: MapReader, _ form: HistoryForm) -> Ledger.Statement {
        if let data = record[HistoryTables.data] { return statement(data, alongside: record, form) }
        for entry in record.node.entries where form.otherKeys.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not belong to a record of `\(templateName)`",
                at: .scalar(entry.key), hint: "remove it")
        }
        var statement = Ledger.Statement()
        if let kind = record[HistoryTables.kind] {
            let known = form.kinds
            if !known.contains(kind.text) {
                report(
                    .unknownWord, "`kind` cannot be `\(kind.text)` on this card", at: kind.node,
                    hint: Spelling.advice(on: kind.text, among: known))
            }
            statement.kind = kind.text
        }
        statement.date = record[HistoryTables.date]
        statement.time = record[HistoryTables.time]
        statement.number = record[HistoryTables.number]?.integer
        if let amount = record[HistoryTables.amount] {
            let sign = statement.kind.map(form.sign) ?? 0
            statement.change = sign == 0 ? amount : sign * abs(amount)
        }
        if let balance = record[HistoryTables.balance] {
            checkBalance(balance.integer, in: 0...form.highestBalance, at: balance.node)
            statement.balance = balance.integer
        }
        return statement
    }

    private mutating func statement(
        _ data: ValueReader, alongside record: MapReader, _ form: HistoryForm
    ) -> Ledger.Statement {
        guard data.bytes.count == form.recordLength else {
            report(
                .wrongLength, "a record of `\(templateName)` has \(form.recordLength) bytes",
                at: data.node)
            return Ledger.Statement()
        }
        if let other = record.node.entries.first(where: {
            $0.key.text != HistoryTables.data.name && !$0.key.text.hasPrefix(KeyTable.freePrefix)
        }) {
            report(
                .contradiction, "`\(other.key.text)` cannot be combined with `data`", at: .scalar(other.key),
                hint: "`data` is the whole record; remove one of the two")
        }
        return form.statement(data.bytes)
    }

    mutating func checkBalance(_ balance: Int, in range: ClosedRange<Int>, at node: Node) {
        guard !range.contains(balance) else { return }
        let isNegative = balance < 0 && range.lowerBound == 0
        let comparison = "\(balance < range.lowerBound ? "less" : "more") than the card can store"
        report(
            .outOfRange, "`balance` is \(isNegative ? "negative" : comparison)", at: node,
            hint: "expected \(IntegerRule.need(range))")
    }
}
