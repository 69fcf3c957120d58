import TapCards
import TapDocument
import TapWire

/// The kinds of cards that are filled in around what a file says.
enum CardTemplate: String, CaseIterable {
    case suica, icoca, pasmo, toica, manaca, kitaca, sugoca, nimoca, hayakaken, pitapa
    case edy, nanaco, waon
    case ndef, blank

    /// What a tag of the template ``ndef`` says where `ndef` is not written.
    static let defaultURI = "https://example.com"

    var family: CardFamily {
        switch self {
        case .ndef, .blank: .ntag
        default: .felica
        }
    }

    /// The IC of its cards where `ic` is not written.
    var defaultIC: String { family == .felica ? "RC-S962" : "NTAG215" }

    /// Keys of applications that it has.
    var keys: [String] {
        switch self {
        case .ndef, .blank: []
        case .edy: ["balance", "trips", "history", "number"]
        case .nanaco: ["balance", "trips", "history", "number", "points"]
        case .waon: ["balance", "trips", "history", "history_blocks", "number", "points"]
        default: ["balance", "trips", "history", "gates"]
        }
    }

    /// Words that `kind` of a history record can be.
    var historyKinds: [String] {
        switch self {
        case .ndef, .blank: []
        case .edy: HistoryTables.names(EdyHistoryRecord.TransactionType.self)
        case .nanaco: HistoryTables.names(NanacoHistoryRecord.TransactionType.self)
        case .waon: HistoryTables.names(WAONHistoryRecord.TransactionType.self)
        default: TransitHistoryRecord.Kind.allCases.map(\.rawValue)
        }
    }

    var summary: String {
        switch self {
        case .edy: "An Edy card: number, balance and six history records in the common area."
        case .nanaco: "A nanaco card: number, balance, points and five history records in the common area."
        case .waon: "A WAON card: number, balance, points and three history records in the common area."
        case .ndef: "An NTAG that holds an NDEF message."
        case .blank: "An NTAG as it is delivered."
        default: "A transit card of \(issuer): balance, twenty history records, gates and entry information."
        }
    }

    private var issuer: String {
        switch self {
        case .icoca: "JR West"
        case .pasmo: "the private railways of Kanto"
        case .toica: "JR Central"
        case .manaca: "the railways of Nagoya"
        case .kitaca: "JR Hokkaido"
        case .sugoca: "JR Kyushu"
        case .nimoca: "Nishitetsu"
        case .hayakaken: "the subway of Fukuoka"
        case .pitapa: "the private railways of Kansai"
        default: "JR East"
        }
    }
}

/// The maps below `history` and `gates`.
enum HistoryTables {
    static let record = KeyTable(
        "a history record",
        [
            Key("date", .date, "The day."),
            Key("time", .scalar(ClockTimeRule()), "The time of day, where the record has one."),
            Key("kind", .word(kinds), "What happened.", synonyms: ["type", "process"]),
            Key("from", .scalar(StationRule()), "Where a ride began.", synonyms: ["entry", "in"]),
            Key("to", .scalar(StationRule()), "Where a ride ended.", synonyms: ["exit", "out"]),
            Key("station", .scalar(StationRule()), "The station of a machine."),
            Key("machine", .integer(0...0xFFFF), "The number of a machine or till.", synonyms: ["terminal"]),
            Key("company", .integer(0...0xFFFF), "The operator of a bus."),
            Key("stop", .integer(0...0xFFFF), "The stop of a bus."),
            Key("amount", .integer(-0xFF_FFFF...0xFF_FFFF), "By how many yen the balance changed."),
            Key("balance", .integer(0...Int(UInt32.max)), "Yen on the card afterwards."),
            Key("number", .integer(0...0xFF_FFFF), "Number of the record, counting up.", synonyms: ["sequence"]),
            Key("cash", .boolean, "Whether cash was used together with the card."),
            Key("region", .hex(1), "The region byte of a transit record."),
            Key("data", .hex(16, 32), "The record as it is stored, in place of all other keys."),
        ])

    static let gate = KeyTable(
        "a gate record",
        [
            Key("event", .word(names(TransitGateRecord.Event.self)), "What happened.", synonyms: ["kind"]),
            Key("station", .scalar(StationRule()), "The station."),
            Key("machine", .integer(0...0xFFFF), "The number of the gate."),
            Key("date", .date, "The day."),
            Key("time", .scalar(ClockTimeRule()), "The time of day."),
            Key("amount", .integer(0...0xFFFF), "Yen paid."),
        ])

    /// Kinds of all applications; which of them a card can have, its template says.
    static let kinds: [String] = {
        var kinds: [String] = []
        for template in CardTemplate.allCases {
            for kind in template.historyKinds where !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }()

    /// The names of a code, each once.
    static func names<Code: NamedCode>(_ type: Code.Type) -> [String] {
        var names: [String] = []
        for name in type.names.map(\.identifier) where !names.contains(name) { names.append(name) }
        return names
    }
}

extension Shape {
    static func word(_ words: [String]) -> Shape { .scalar(WordRule(words)) }
}

extension CardDecoder {
    /// What a history can be on the cards of a template.
    struct HistoryRules {
        let template: CardTemplate
        let count: Int
        /// The highest balance the records can hold.
        let highestBalance: Int
        let recordLength: Int
        /// Keys of records that say nothing here.
        let otherKeys: [String]
        /// The sign of an amount by the kind of the record: 1, -1, or 0 for the sign that is written.
        let sign: (String) -> Int
        /// What a record that is written in bytes states.
        let statement: ([UInt8]) -> Ledger.Statement
    }

    /// Reads and checks the keys of a history and makes up the rest of it.
    mutating func ledger(_ rules: HistoryRules, _ habits: inout some LedgerHabits) -> Ledger {
        let statements = statements(rules)
        let count = recordCount(rules, stated: statements.count)
        let balance = map["balance"]?.integer
        if let balance { checkBalance(balance, rules, at: value("balance")) }
        if let balance, let newest = statements.first?.balance, newest != balance {
            report(
                .contradiction, "the newest record leaves \(newest) yen and `balance` says \(balance)",
                at: value("balance"), hint: "write the balance once, or the same number")
        }
        return Ledger(statements, count: count, balance: balance, habits: &habits, random: random.fork("history"))
    }

    private mutating func recordCount(_ rules: HistoryRules, stated: Int) -> Int {
        let name = rules.template.rawValue
        for key in ["trips", "history"] {
            let written = key == "trips" ? map["trips"]?.integer ?? 0 : stated
            guard written > rules.count else { continue }
            report(
                .outOfRange, "`\(key)` is more than a card of the template `\(name)` holds", at: value(key),
                hint: "at most \(rules.count) records")
        }
        guard let trips = map["trips"]?.integer else { return map["history"] == nil ? rules.count : stated }
        if trips < stated {
            report(
                .contradiction, "`history` states \(stated) records and `trips` says \(trips)", at: value("trips"),
                hint: "`trips` counts all records, those that are stated among them")
        }
        return max(trips, stated)
    }

    private mutating func statements(_ rules: HistoryRules) -> [Ledger.Statement] {
        var statements: [Ledger.Statement] = []
        for item in map["history"]?.items ?? [] { statements.append(statement(item.map, rules)) }
        for (index, newer) in statements.enumerated() {
            guard let balance = newer.balance, let change = newer.change else { continue }
            let older = index + 1 < statements.count ? statements[index + 1].balance : nil
            if balance - change < 0 || older.map({ $0 != balance - change }) ?? false {
                let before = older.map { "the record below leaves \($0)" } ?? "the balance before was negative"
                report(
                    .contradiction, "amount and balance do not agree: \(before)",
                    at: map["history"]?.items[index].node ?? value("history"),
                    hint: "leave `amount` out, it follows from the balances")
            }
        }
        return statements
    }

    private mutating func statement(_ record: MapReader, _ rules: HistoryRules) -> Ledger.Statement {
        if let data = record["data"] { return statement(data, beside: record, rules) }
        for entry in record.node.entries where rules.otherKeys.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not belong to a record of `\(rules.template.rawValue)`",
                at: .scalar(entry.key), hint: "leave it out")
        }
        var statement = Ledger.Statement()
        if let kind = record["kind"], let node = record.node["kind"] {
            let known = rules.template.historyKinds
            if !known.contains(kind.text) {
                report(
                    .unknownWord, "`kind` cannot be `\(kind.text)` on this card", at: node,
                    hint: "\(ListText.choice(known.map { "`\($0)`" })) needed")
            }
            statement.kind = kind.text
        }
        statement.date = record["date"]?.date
        statement.time = record["time"]?.read(ClockTimeRule.self)
        statement.number = record["number"]?.integer
        if let amount = record["amount"]?.integer {
            let sign = statement.kind.map(rules.sign) ?? 0
            statement.change = sign == 0 ? amount : sign * abs(amount)
        }
        if let balance = record["balance"]?.integer, let node = record.node["balance"] {
            checkBalance(balance, rules, at: node)
            statement.balance = balance
        }
        return statement
    }

    private mutating func statement(
        _ data: ValueReader, beside record: MapReader, _ rules: HistoryRules
    ) -> Ledger.Statement {
        guard data.bytes.count == rules.recordLength else {
            report(
                .wrongLength, "a record of `\(rules.template.rawValue)` has \(rules.recordLength) bytes",
                at: data.node)
            return Ledger.Statement()
        }
        if let other = record.node.entries.first(where: { $0.key.text != "data" && !$0.key.text.hasPrefix("x-") }) {
            report(
                .contradiction, "`\(other.key.text)` stands beside `data`", at: .scalar(other.key),
                hint: "`data` is the whole record; keep one of them")
        }
        return rules.statement(data.bytes)
    }

    private mutating func checkBalance(_ balance: Int, _ rules: HistoryRules, at node: Node) {
        guard balance > rules.highestBalance else { return }
        report(
            .outOfRange, "`balance` is more than the card can store", at: node,
            hint: "\(IntegerRule.need(0...rules.highestBalance)) needed")
    }
}
