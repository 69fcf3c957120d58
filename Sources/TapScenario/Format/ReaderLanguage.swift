import TapReaders

/// The keys of `reader`.
enum ReaderLanguage {
    static let shape = Shape.variants([.word(ReaderModel.self), .map(table)])

    private static let table = KeyTable(
        "a reader",
        [
            Key(
                "model", .word(ReaderModel.self), "What kind of reader it is.", isRequired: true,
                synonyms: ["type", "kind"]),
            Key(
                "name", .scalar(ReaderNameRule()), "Its name in PC/SC in place of that of the model.",
                synonyms: ["friendly_name"]),
            Key(
                "over", .word(ReaderSpec.Door.self), "The one way by which a program reaches it.",
                synonyms: ["door", "via"]),
            Key("port", .integer(1...65535), "Where the driver vpcd listens, with `over: vpcd`; 35963 without it."),
            Key("pick", notYet: "a reader takes the first card of the technology it looks for"),
        ])

    static func decode(_ value: ValueReader, into diagnostics: inout Diagnostics) -> ReaderSpec {
        guard value.kind == .map else { return ReaderSpec(value.word()) }
        let map = value.map
        let door = map["over"]?.word(as: ReaderSpec.Door.self)
        if let port = map["port"], door != .vpcd {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`port` means nothing without `over: vpcd`", at: port.node,
                    hint: "the other doors tell a client by a variable where they are"))
        }
        return ReaderSpec(
            map.required("model").word(), name: map["name"]?.text, door: door,
            port: map["port"].map { UInt16($0.integer) })
    }
}

/// The name of a reader as PC/SC can carry it.
struct ReaderNameRule: ScalarRule {
    var noun: String { "a reader name of 1 to \(ReaderSpec.maximumNameLength) printable ASCII characters" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, (1...ReaderSpec.maximumNameLength).contains(text.utf8.count) else {
            throw ScalarProblem(.notName, "cannot be the name of a reader", hint: "\(noun) needed")
        }
        return text
    }

    var schema: ScalarSchema {
        ScalarSchema(
            .pattern("[ -~]{1,\(ReaderSpec.maximumNameLength)}"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}
