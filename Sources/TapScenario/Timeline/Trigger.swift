import TapDocument
import TapField
import TapWire

/// The keys of `when`: the trigger of a timeline step or a fault.
enum TriggerLanguage {
    private enum Kind: String, CaseIterable {
        case command, event, exchange, call, phone

        /// The other keys that apply to it.
        var company: [String] {
            switch self {
            case .command: [args.name, nth.name]
            case .exchange: []
            case .call, .phone: [nth.name]
            case .event: [card.name, reader.name, line.name, nth.name]
            }
        }
    }

    /// Events of cards, readers and the client; the name of the card or reader, or the text of the line, is written separately.
    private static let event = FieldForm<EventPattern>.words([
        "card.tapped": .card(.tapped, name: nil), "card.removed": .card(.removed, name: nil),
        "reader.connected": .reader(.connected, name: nil), "reader.disconnected": .reader(.disconnected, name: nil),
        "reader.field_on": .reader(.fieldOn, name: nil), "reader.field_off": .reader(.fieldOff, name: nil),
        "reader.plugged": .reader(.plugged, name: nil), "reader.unplugged": .reader(.unplugged, name: nil),
        "client.started": .client(.started), "client.ready": .client(.ready), "client.line": .client(.line("")),
        "client.exited": .client(.exited),
    ])

    /// A command name, or a map.
    static let shape = Shape.variants([.command, .map(table)])

    private static let args = TypedKey(
        "args", .value(.map(arguments)), "The arguments that the command must have.", synonyms: ["arguments", "with"])
    private static let card = TypedKey("card", .value(.cardName), "The card of a `card.` event. Default: any card.")
    private static let reader = TypedKey(
        "reader", .value(.name("the name of a reader")), "The reader of a `reader.` event. Default: any reader.")
    private static let line = TypedKey(
        "line", .text, "Text that the line of a `client.line` event must contain.", synonyms: ["text"])
    private static let nth = TypedKey(
        "nth", FieldForm<Int>.integer(1...1_000_000),
        "Which matching occurrence to use, counted from 1. Default: the first.",
        synonyms: ["n", "count", "occurrence"])

    static let table = KeyTable(
        "a trigger",
        [
            key(of: .command), args.key, key(of: .event), card.key, reader.key, line.key, key(of: .exchange),
            key(of: .call), key(of: .phone), nth.key,
        ], exactlyOne: Kind.allCases.map(\.rawValue))

    private static func key(of kind: Kind) -> Key {
        let name = kind.rawValue
        return switch kind {
        case .command:
            Key(name, .command, "A command: a fault is injected in its exchange; a step follows its end.")
        case .event: Key(name, event.shape, "An event of a card, a reader or the client.", synonyms: ["on"])
        case .exchange: Key(name, .integer(1...10_000_000), "The number of an exchange in the run.")
        case .call: Key(name, .word(PCSCCall.self), "A PC/SC call, for faults of readers and services.")
        case .phone:
            Key(
                name, .word(PhoneEvent.self), "An event between an app with Core NFC and the phone.",
                synonyms: ["app", "session"])
        }
    }

    private static let arguments = KeyTable(
        "a map of arguments", ArgumentLanguage.keys, atMostOne: ArgumentLanguage.atMostOne)

    static func decode(_ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> EventTrigger {
        guard value.kind == .map else { return .command(value.command) }
        let map = value.map
        let nth = map[Self.nth] ?? 1
        let (kind, chosen) = map.chosen(as: Kind.self)
        checkCompany(of: kind, map, into: &diagnostics)
        switch kind {
        case .command:
            let arguments = map[args].map {
                ArgumentLanguage.decode($0.map, of: chosen.command, into: &diagnostics)
            }
            return EventTrigger(.command(CommandPattern(chosen.command, arguments ?? [])), nth: nth)
        case .exchange: return EventTrigger(.exchange, nth: chosen.integer)
        case .call: return EventTrigger(.call(chosen.word(as: PCSCCall.self)), nth: nth)
        case .phone: return EventTrigger(.phone(chosen.word(as: PhoneEvent.self)), nth: nth)
        case .event: return EventTrigger(event(chosen, map, names, &diagnostics), nth: nth)
        }
    }

    /// Reports keys that do not apply to the kind of the trigger.
    private static func checkCompany(of kind: Kind, _ map: MapReader, into diagnostics: inout Diagnostics) {
        for entry in map.entries where entry.name != kind.rawValue && !kind.company.contains(entry.name) {
            diagnostics.report(
                Diagnostic(
                    .misplacedKey, "`\(entry.name)` has no effect with `\(kind.rawValue)`", at: entry.value.node,
                    hint: "`\(kind.rawValue)` can be combined with \(kind.company.joined(separator: ", "))"))
        }
    }

    private static func event(
        _ value: ValueReader, _ map: MapReader, _ names: CardNames, _ diagnostics: inout Diagnostics
    ) -> EventPattern {
        let card = map[Self.card].map { names.card($0, into: &diagnostics) }
        let reader = map[Self.reader].map { names.reader($0, into: &diagnostics) }
        return switch event.read(value) {
        case .card(let event, _): .card(event, name: card)
        case .reader(let event, _): .reader(event, name: reader)
        case .client(.line): .client(.line(map[line] ?? ""))
        case let other: other
        }
    }

    static func node(of trigger: EventTrigger) -> Node {
        let nth = trigger.nth == 1 ? [] : [nth.entry(trigger.nth)]
        let map = { (kind: Kind, value: Node, more: [(key: String, value: Node)]) in
            Node.map([(key: kind.rawValue, value: value)] + more + nth)
        }
        switch trigger.event {
        case .exchange: return .map([(key: Kind.exchange.rawValue, value: .number(trigger.nth))])
        case .command(let pattern) where pattern.arguments.isEmpty && nth.isEmpty: return .text(pattern.name.rawValue)
        case .command(let pattern):
            let arguments = pattern.arguments.map(\.entry)
            return map(
                .command, .text(pattern.name.rawValue), arguments.isEmpty ? [] : [(args.name, .map(arguments))])
        case .card(let kind, let name):
            return map(.event, event.node(.card(kind, name: nil)), name.map { [(card.name, .text($0))] } ?? [])
        case .reader(let kind, let name):
            return map(.event, event.node(.reader(kind, name: nil)), name.map { [(reader.name, .text($0))] } ?? [])
        case .client(.line(let text)): return map(.event, event.node(.client(.line(""))), [line.entry(text)])
        case .client: return map(.event, event.node(trigger.event), [])
        case .call(let call): return map(.call, .text(call.rawValue), [])
        case .phone(let event): return map(.phone, .text(event.rawValue), [])
        }
    }
}
