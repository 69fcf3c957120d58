import TapCards
import TapDocument
import TapWire

/// The kinds of cards that are filled in around what a file says.
enum CardTemplate: String, CaseIterable {
    case suica, icoca, pasmo, toica, manaca, kitaca, sugoca, nimoca, hayakaken, pitapa
    case welcomeSuica = "welcome-suica"
    case icsca, iruca, paspy, sapica, okica
    case edy
    case edyAmpm = "edy-ampm"
    case nanaco, waon
    case waonLocal = "waon-local"
    case ryuto, octopus, luluca
    case felicaLite = "felica-lite"
    case ndef, blank

    /// What is known of the memory of such cards, and filled in.
    enum Contents {
        case transit, edy, nanaco, waon, ryuto, octopus
        /// A FeliCa card on which all blocks are zeros.
        case unknown
        case tag
    }

    /// Whether its cards hold an NDEF message.
    var isNDEF: Bool { self == .ndef || self == .felicaLite }

    /// What a tag with an NDEF message says where `ndef` is not written.
    static let defaultURI = "https://example.com"

    var contents: Contents {
        switch self {
        case .ndef, .blank, .felicaLite: .tag
        case .edy, .edyAmpm: .edy
        case .nanaco: .nanaco
        case .waon, .waonLocal: .waon
        case .ryuto: .ryuto
        case .octopus: .octopus
        case .luluca: .unknown
        default: .transit
        }
    }

    /// The families of its cards, first that of ``defaultIC``.
    var families: [CardFamily] {
        switch self {
        case .ndef: [.ntag, .lite, .felica]
        case .blank: [.ntag, .lite]
        case .felicaLite: [.lite]
        default: [.felica]
        }
    }

    /// Keys that it has and other templates do not.
    var keys: [String] {
        typealias Keys = CardLanguage
        let ledger = [Keys.balance.name, Keys.trips.name, Keys.history.name]
        let own = [Keys.generation.name]
        return switch contents {
        case .tag: generations.isEmpty ? [] : own
        case .unknown: own
        case .edy: own + ledger + [Keys.number.name]
        case .nanaco: own + ledger + [Keys.number.name, Keys.points.name]
        case .waon: own + ledger + [Keys.historyBlocks.name, Keys.number.name, Keys.points.name]
        case .ryuto: own + ledger
        case .octopus: own + [Keys.balance.name, Keys.debt.name]
        case .transit: own + ledger + [Keys.gates.name] + (self == .sapica ? [Keys.points.name] : [])
        }
    }

    /// How many records its history holds; 0 for a card without one.
    var historyLength: Int {
        switch contents {
        case .transit: TransitTemplate.historyCount
        case .edy: EdyServices.history.blockCount
        case .nanaco: NanacoServices.history.blockCount
        case .waon: WAONServices.history.blockCount / 2
        case .ryuto: RyutoServices.history.blockCount
        case .octopus, .unknown, .tag: 0
        }
    }

    /// Words that `kind` of a history record can be.
    var historyKinds: [String] {
        switch contents {
        case .tag, .octopus, .unknown: []
        case .ryuto: HistoryTables.names(RyutoHistoryRecord.TransactionType.self)
        case .edy: HistoryTables.names(EdyHistoryRecord.TransactionType.self)
        case .nanaco: HistoryTables.names(NanacoHistoryRecord.TransactionType.self)
        case .waon: HistoryTables.names(WAONHistoryRecord.TransactionType.self)
        case .transit: TransitHistoryRecord.Kind.allCases.map(\.rawValue)
        }
    }

    var summary: String {
        switch self {
        case .edy: "An Edy card: number, balance and six history records in the common area."
        case .edyAmpm: "An Edy card of a chain of shops: number, balance and six history records in the common area."
        case .nanaco: "A nanaco card: number, balance, points and five history records in the common area."
        case .waon: "A WAON card: number, balance, points and five history records in the common area."
        case .waonLocal: "A WAON card of a town: number, balance, points and five history records in the common area."
        case .okica: "A transit card of \(issuer): twenty history records, gates and entry information."
        case .sapica:
            "A transit card of \(issuer): balance, points, twenty history records, gates and entry information."
        case .ryuto: "A card of the buses of Niigata: twenty history records."
        case .octopus:
            "The Octopus card of Hong Kong: its balance, counted from the 50 dollars that a card may owe since October 2017, "
                + "or with `debt: 350` from the 35 dollars before (likely: FareBot and metrodroid)."
        case .luluca: "A card of the railway of Shizuoka, all blocks zero."
        case .felicaLite: "A FeliCa Lite-S that holds an NDEF message, with both systems of such cards."
        case .ndef: "A tag that holds an NDEF message: an NTAG, or with `ic` a FeliCa Lite-S or another FeliCa card."
        case .blank: "An NTAG as it is delivered, or with `ic` a FeliCa Lite-S."
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
        case .welcomeSuica: "JR East for visitors"
        case .icsca: "Sendai"
        case .iruca: "Takamatsu"
        case .paspy: "Hiroshima"
        case .sapica: "Sapporo"
        case .okica: "Okinawa"
        default: "JR East"
        }
    }
}

extension CardTemplate {
    /// The generations of its cards that are known, in the order of the source; tags have none.
    var generations: [CardGeneration] {
        switch self {
        case .ndef, .blank: []
        case .suica: CardGeneration.suica
        case .icoca: CardGeneration.icoca
        case .pasmo: CardGeneration.pasmo
        case .toica: CardGeneration.toica
        case .manaca: CardGeneration.manaca
        case .kitaca: CardGeneration.kitaca
        case .sugoca: CardGeneration.sugoca
        case .nimoca: CardGeneration.nimoca
        case .hayakaken: CardGeneration.hayakaken
        case .pitapa: CardGeneration.pitapa
        case .welcomeSuica: CardGeneration.welcomeSuica
        case .icsca: CardGeneration.icsca
        case .iruca: CardGeneration.iruca
        case .paspy: CardGeneration.paspy
        case .sapica: CardGeneration.sapica
        case .okica: CardGeneration.okica
        case .edy: CardGeneration.edy
        case .edyAmpm: CardGeneration.edyAmpm
        case .nanaco: CardGeneration.nanaco
        case .waon: CardGeneration.waon
        case .waonLocal: CardGeneration.waonLocal
        case .ryuto: CardGeneration.ryuto
        case .octopus: CardGeneration.octopus
        case .luluca: CardGeneration.luluca
        case .felicaLite: CardGeneration.felicaLite
        }
    }

    /// The generation, from 1 on, where `generation` is not written: the Suica of which most is measured, else the newest
    /// card.
    var defaultGeneration: Int {
        switch self {
        case .suica, .icoca, .toica, .icsca, .octopus: 2
        default: 1
        }
    }

    /// The generation in phones, from 1 on, which cards on the IC of a phone have where `generation` is not written;
    /// `nil` where none is known.
    var phoneGeneration: Int? {
        generations.firstIndex { FeliCaIC.named($0.ic.value ?? "")?.isPhone ?? false }.map { $0 + 1 }
    }

    /// A generation by its number, else the one where `generation` is not written; tags have none.
    func generation(_ number: Int?) -> CardGeneration? {
        let index = (number ?? defaultGeneration) - 1
        if generations.indices.contains(index) { return generations[index] }
        return generations.isEmpty ? nil : generations[defaultGeneration - 1]
    }

    /// The name of the IC of its cards where `ic` is not written.
    func defaultIC(generation number: Int?) -> String { generation(number)?.ic.value ?? "NTAG215" }
}

/// The maps below `history` and `gates`.
enum HistoryTables {
    static let record = KeyTable(
        "a history record",
        [
            date.key, time.key, kind.key, from.key, to.key, station.key, machine.key, company.key, stop.key,
            amount.key, balance.key, number.key, cash.key, region.key, data.key,
        ])

    static let date = TypedKey("date", FieldForm(.date, read: \.date, node: { .text("\($0)") }), "The day.")
    static let time = TypedKey("time", .rule(ClockTimeRule()), "The time of day, where the record has one.")
    static let kind = TypedKey("kind", .value(.word(kinds)), "What happened.", synonyms: ["type", "process"])
    static let from = TypedKey("from", .rule(StationRule()), "Where a ride began.", synonyms: ["entry", "in"])
    static let to = TypedKey("to", .rule(StationRule()), "Where a ride ended.", synonyms: ["exit", "out"])
    static let station = TypedKey("station", .rule(StationRule()), "The station of a machine.")
    static let machine = TypedKey("machine", word16, "The number of a machine or till.", synonyms: ["terminal"])
    static let company = TypedKey("company", word16, "The operator of a bus.")
    static let stop = TypedKey("stop", word16, "The stop of a bus.")
    static let amount = TypedKey(
        "amount", FieldForm<Int>.integer(-0xFF_FFFF...0xFF_FFFF), "By how many yen the balance changed.")
    static let balance = TypedKey(
        "balance", .value(.integer(0...Int(UInt32.max))), "Yen on the card afterwards.")
    static let number = TypedKey(
        "number", .value(.integer(0...0xFF_FFFF)), "Number of the record, counting up.", synonyms: ["sequence"])
    static let cash = TypedKey("cash", .boolean, "Whether cash was used together with the card.")
    static let region = TypedKey("region", .byte, "The region byte of a transit record.")
    static let data = TypedKey(
        "data", .value(.hex(16, 32)), "The record as it is stored, in place of all other keys.")

    /// The keys of places.
    static let placeKeys = [from.name, to.name, station.name, machine.name, company.name, stop.name]

    private static let word16 = FieldForm<UInt16>.integer(0...0xFFFF)

    static let gate = KeyTable(
        "a gate record",
        [event.key, gateStation.key, gateMachine.key, date.key, gateTime.key, paid.key])

    static let event = TypedKey(
        "event", .value(.word(names(TransitGateRecord.Event.self))), "What happened.", synonyms: ["kind"])
    static let gateStation = TypedKey("station", .rule(StationRule()), "The station.")
    static let gateMachine = TypedKey("machine", word16, "The number of the gate.")
    static let gateTime = TypedKey("time", .rule(ClockTimeRule()), "The time of day.")
    static let paid = TypedKey("amount", word16, "Yen paid.")

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
        let balance = map[CardLanguage.balance]
        let place = value(CardLanguage.balance.name)
        if let balance { checkBalance(balance, upTo: rules.highestBalance, at: place) }
        if let balance, let newest = statements.first?.balance, newest != balance {
            report(
                .contradiction, "the newest record leaves \(newest) yen and `balance` says \(balance)",
                at: place, hint: "write the balance once, or the same number")
        }
        return Ledger(statements, count: count, balance: balance, habits: &habits, random: random.fork("history"))
    }

    private mutating func recordCount(_ rules: HistoryRules, stated: Int) -> Int {
        let name = rules.template.rawValue
        let trips = map[CardLanguage.trips]
        for (key, written) in [(CardLanguage.trips.name, trips ?? 0), (CardLanguage.history.name, stated)]
        where written > rules.count {
            report(
                .outOfRange, "`\(key)` is more than a card of the template `\(name)` holds", at: value(key),
                hint: "at most \(rules.count) records")
        }
        guard let trips else { return map[CardLanguage.history] == nil ? rules.count : stated }
        if trips < stated {
            report(
                .contradiction, "`history` states \(stated) records and `trips` says \(trips)",
                at: value(CardLanguage.trips.name),
                hint: "`trips` counts all records, those that are stated among them")
        }
        return max(trips, stated)
    }

    private mutating func statements(_ rules: HistoryRules) -> [Ledger.Statement] {
        var statements: [Ledger.Statement] = []
        let items = map[CardLanguage.history]?.items ?? []
        for item in items { statements.append(statement(item.map, rules)) }
        for (index, newer) in statements.enumerated() {
            guard let balance = newer.balance, let change = newer.change else { continue }
            let older = index + 1 < statements.count ? statements[index + 1].balance : nil
            if balance - change < 0 || older.map({ $0 != balance - change }) ?? false {
                let before = older.map { "the record below leaves \($0)" } ?? "the balance before was negative"
                report(
                    .contradiction, "amount and balance do not agree: \(before)",
                    at: items[index].node,
                    hint: "leave `amount` out, it follows from the balances")
            }
        }
        return statements
    }

    private mutating func statement(_ record: MapReader, _ rules: HistoryRules) -> Ledger.Statement {
        if let data = record[HistoryTables.data] { return statement(data, beside: record, rules) }
        for entry in record.node.entries where rules.otherKeys.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not belong to a record of `\(rules.template.rawValue)`",
                at: .scalar(entry.key), hint: "leave it out")
        }
        var statement = Ledger.Statement()
        if let kind = record[HistoryTables.kind] {
            let known = rules.template.historyKinds
            if !known.contains(kind.text) {
                report(
                    .unknownWord, "`kind` cannot be `\(kind.text)` on this card", at: kind.node,
                    hint: "\(ListText.choice(known.map { "`\($0)`" })) needed")
            }
            statement.kind = kind.text
        }
        statement.date = record[HistoryTables.date]
        statement.time = record[HistoryTables.time]
        statement.number = record[HistoryTables.number]?.integer
        if let amount = record[HistoryTables.amount] {
            let sign = statement.kind.map(rules.sign) ?? 0
            statement.change = sign == 0 ? amount : sign * abs(amount)
        }
        if let balance = record[HistoryTables.balance] {
            checkBalance(balance.integer, upTo: rules.highestBalance, at: balance.node)
            statement.balance = balance.integer
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
        if let other = record.node.entries.first(where: {
            $0.key.text != HistoryTables.data.name && !$0.key.text.hasPrefix(KeyTable.freePrefix)
        }) {
            report(
                .contradiction, "`\(other.key.text)` stands beside `data`", at: .scalar(other.key),
                hint: "`data` is the whole record; keep one of them")
        }
        return rules.statement(data.bytes)
    }

    mutating func checkBalance(_ balance: Int, upTo highest: Int, at node: Node) {
        guard balance > highest else { return }
        report(
            .outOfRange, "`balance` is more than the card can store", at: node,
            hint: "\(IntegerRule.need(0...highest)) needed")
    }
}
