import TapReaders
import TapWire

/// The keys of `reader` and `readers`.
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
            Key(
                "port", .integer(1...65535), "Where the driver vpcd listens, with `over: vpcd`; 35963 without it.",
                standard: "35963"),
            Key(
                "pick", .cardName, "The card it takes where several lie before it; the first it finds without it.",
                synonyms: ["prefer", "card"]),
        ])

    /// Readers by name.
    static let named = Shape.map(of: NameRule("the name of a reader"), to: shape)

    /// The one reader of `reader`, or those of `readers`.
    static func decode(
        one: ValueReader?, several: ValueReader?, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> [NamedReader] {
        if let one { return [NamedReader(spec: decode(one, names, into: &diagnostics))] }
        guard let several else { return [] }
        let readers = several.named.map { NamedReader($0.name.text, spec: decode($0.value, names, into: &diagnostics)) }
        if !(1...NamedReader.maximumCount).contains(readers.count) {
            diagnostics.report(
                Diagnostic(
                    .wrongCount, "`readers` has \(CountText.of(readers.count, "reader"))", at: several.node,
                    hint: "1 to \(NamedReader.maximumCount) needed, as PC/SC carries them"))
        }
        checkDoors(of: readers, at: several, into: &diagnostics)
        return readers
    }

    /// Refuses what two readers cannot share.
    private static func checkDoors(
        of readers: [NamedReader], at value: ValueReader, into diagnostics: inout Diagnostics
    ) {
        for (index, reader) in readers.enumerated() {
            let isTaken = readers[..<index].contains { earlier in
                earlier.spec.door == reader.spec.door && earlier.spec.port == reader.spec.port
            }
            let trouble: (String, hint: String)? =
                switch reader.spec.door {
                case .vpcd: ("two readers wait for the same slot of vpcd", "give each a `port` of its own")
                case .nfcpy: ("two readers are over nfcpy, which knows one", "use `over: pcsc` for the others")
                case .libnfc: ("two readers are over libnfc, which is told of one", "use `over: pcsc` for the others")
                case .pcsc, nil: nil
                }
            guard isTaken, let trouble else { continue }
            diagnostics.report(
                Diagnostic(.contradiction, trouble.0, at: value.named[index].value.node, hint: trouble.hint))
        }
    }

    private static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ReaderSpec {
        guard value.kind == .map else { return ReaderSpec(value.word()) }
        let map = value.map
        let door = map["over"]?.word(as: ReaderSpec.Door.self)
        if let port = map["port"], door != .vpcd {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`port` means nothing without `over: vpcd`", at: port.node,
                    hint: "the other doors tell a client by a variable where they are"))
        }
        if let pick = map["pick"], let door, [.nfcpy, .libnfc].contains(door) {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`pick` means nothing with `over: \(door.rawValue)`", at: pick.node,
                    hint: "\(door.rawValue) looks for cards by itself and takes what answers"))
        }
        var spec = ReaderSpec(
            map.required("model").word(), name: map["name"]?.text, door: door,
            port: map["port"].map { UInt16($0.integer) })
        spec.pick = map["pick"].map { names.card($0, into: &diagnostics) }
        return spec
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
