import TapWire

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
    /// One of a list of words.
    static func word(_ words: [String]) -> Shape { .scalar(WordRule(words)) }
}
