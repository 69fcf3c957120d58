import TapField
import TapWire

/// The keys of `expect.phone`.
enum PhoneExpectLanguage {
    /// Most texts that are expected of the sheets of a case.
    static let maximumAlerts = 1_000

    static let table = KeyTable(
        "an expectation on a phone",
        [
            Key(
                "alerts", .variants([text, .list(of: text, count: 0...maximumAlerts)]),
                "Pieces of texts that the sheet shows, in this order; `[]` for a sheet without a text.",
                synonyms: ["alert", "alert_message", "alertMessage", "messages"]),
            Key(
                "error", .variants([end, .list(of: end, count: 1...100)]),
                "How the last session ends, or a list of how each does; `none` where the app ends it without an error.",
                synonyms: ["code", "error_code", "errors", "end"]),
            Key(
                "error_message", text, "A piece of the text with which the app ends the last session as failed.",
                synonyms: ["errorMessage", "message", "invalidate"]),
            Key("sessions", .range(0...1_000_000), "How many sessions the app begins.", synonyms: ["session"]),
            Key(
                "tags", .variants([.range(0...1_000_000), .list(of: .cardName, count: 0...1_000)]),
                "How many cards the app is told of, or which, in their order.",
                synonyms: ["cards", "detected", "found"]),
        ])

    private static let text = Shape.scalar(LinePatternRule())
    private static let end = Shape.scalar(PhoneEndRule())

    /// A demand and the key and place that state it.
    typealias Stated = (key: String, demand: PhoneDemand, value: ValueReader)

    /// What a map demands, in the order of the file.
    static func decode(_ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> [Stated] {
        map.entries.compactMap { key, value in
            demand(key, value, names, &diagnostics).map { (key, $0, value) }
        }
    }

    private static func demand(
        _ key: String, _ value: ValueReader, _ names: CardNames, _ diagnostics: inout Diagnostics
    ) -> PhoneDemand? {
        let values = value.kind == .list ? value.items : [value]
        switch key {
        case "alerts":
            return .alerts(values.map { .init(pattern: $0.read(LinePatternRule.self), source: $0.source) })
        case "error" where value.kind == .list: return .ends(values.map { $0.read(PhoneEndRule.self) })
        case "error": return .end(value.read(PhoneEndRule.self))
        case "error_message": return .errorMessage(value.read(LinePatternRule.self))
        case "sessions": return .sessions(value.range)
        case "tags" where value.kind == .list: return .tags(values.map { names.card($0, into: &diagnostics) })
        case "tags": return .tagCount(value.range)
        default: return nil
        }
    }
}
