import TapDocument
import TapField

enum TimelineLanguage {
    static let shape = Shape.list(of: .map(step))

    private static let step = KeyTable(
        "a step",
        [when.key, after.key, at.key] + TimelineVerb.allCases.map(\.key),
        exactlyOne: TimelineVerb.allCases.map(\.rawValue), atMostOne: [when.name, after.name, at.name])

    private static let when = TypedKey(
        "when", .value(TriggerLanguage.shape),
        "The command or event to wait for; a step follows the end of the command.",
        synonyms: ["on", "trigger"])
    private static let after = TypedKey(
        "after", .duration, "The time since the previous step.", synonyms: ["wait", "delay"])
    private static let at = TypedKey("at", .duration, "The time since the start.", synonyms: ["t", "time"])

    static func decode(_ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> Timeline {
        var steps: [Timeline.Step] = []
        var cards = ChangingCards(names)
        for item in value.items {
            let action = TimelineVerb.action(item.map, names, &cards, into: &diagnostics)
            let trigger = trigger(item.map, names, into: &diagnostics)
            steps += action.map { [Timeline.Step(trigger, [$0], source: item.source)] } ?? []
        }
        return Timeline(steps)
    }

    private static func trigger(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> Timeline.Trigger {
        if let instant = map[at] { return .at(instant) }
        if let duration = map[after] { return .after(duration) }
        return map[when].map { .event(TriggerLanguage.decode($0, names, into: &diagnostics)) } ?? .immediately
    }
}

enum TimelineVerb: String, CaseIterable {
    case tap, remove, swap, set, plug, unplug, send, note

    var key: Key {
        switch self {
        case .tap:
            Key(
                rawValue, .variants([.cardName, .map(Self.tapTable)]), "Place a card on a reader.",
                synonyms: ["place", "insert", "add"])
        case .remove: Key(rawValue, .cardName, "Remove a card from its reader.", synonyms: ["take", "eject"])
        case .swap:
            Key(
                rawValue, .map(Self.swapTable), "Remove a card and place another one on the same reader.",
                synonyms: ["replace"])
        case .set:
            Key(
                rawValue, .map(Self.setTable),
                "Replace a card by one with other values; the new card takes its place on the reader.",
                synonyms: ["change"])
        case .plug: Key(rawValue, .readerName, "Plug in a reader.", synonyms: ["connect"])
        case .unplug: Key(rawValue, .readerName, "Unplug a reader.", synonyms: ["disconnect"])
        case .send:
            Key(rawValue, .text, "Send a line to the standard input of the client.", synonyms: ["input", "type"])
        case .note: Key(rawValue, .text, "Add a comment to the trace.", synonyms: ["comment"])
        }
    }

    private static let card = TypedKey(
        "card", .value(.cardName), "The card.", isRequired: true, synonyms: ["name"])
    private static let reader = TypedKey(
        "reader", .value(.readerName), "The reader. Default: the first one.", synonyms: ["at", "before"])
    private static let tapTable = KeyTable("a card that comes", [card.key, reader.key])

    private static let out = TypedKey(
        "out", .value(.cardName), "The card to remove.", isRequired: true, synonyms: ["from", "remove"])
    private static let incoming = TypedKey(
        "in", .value(.cardName), "The card to place.", isRequired: true, synonyms: ["to", "tap"])
    private static let gap = TypedKey("gap", .duration, "The time between removing and placing.", synonyms: ["after"])
    static let swapTable = KeyTable("a swap", [out.key, incoming.key, gap.key])

    private static let values = TypedKey(
        "values", .value(.free), "Keys of the card with their values.", isRequired: true, synonyms: ["to", "with"])
    private static let whole = TypedKey(
        "whole", .boolean, "Whether the values define the whole card; otherwise they change the existing card.")
    private static let setTable = KeyTable("other values of a card", [card.key, values.key, whole.key])

    /// The entry of a step that replaces a card, written in full.
    static func whole(_ card: NewCard, named name: String) -> (key: String, value: Node) {
        let values: Node = .map([
            (Self.card.name, .text(name)), (Self.values.name, card.node), whole.entry(true),
        ])
        return (set.rawValue, values)
    }

    /// The action of a step, or `nil` if its card is invalid.
    static func action(
        _ map: MapReader, _ names: CardNames, _ cards: inout ChangingCards, into diagnostics: inout Diagnostics
    ) -> Timeline.Action? {
        switch map.chosen(as: TimelineVerb.self) {
        case (.tap, let value):
            let (card, reader) = tap(value, names, into: &diagnostics)
            return .tap(card, reader: reader)
        case (.remove, let value): return .remove(names.card(value, into: &diagnostics))
        case (.swap, let value):
            let (out, incoming, gap) = swap(value.map, names, into: &diagnostics)
            return .swap(out: out, in: incoming, gap: gap)
        case (.set, let value):
            let name = names.card(value.map.required(card), into: &diagnostics)
            let values = value.map.required(Self.values).node
            return cards.change(name, values, isWhole: value.map[whole] ?? false, into: &diagnostics)
                .map { .set(name, $0) }
        case (.plug, let value): return .plug(names.reader(value, into: &diagnostics))
        case (.unplug, let value): return .unplug(names.reader(value, into: &diagnostics))
        case (.send, let value):
            if value.text.contains(where: \.isNewline) {
                diagnostics.report(
                    Diagnostic(
                        .contradiction, "`send` contains a line break", at: value.node,
                        hint: "use one step per line; the line break is added"))
            }
            return .send(value.text)
        case (.note, let value): return .note(value.text)
        }
    }

    static func tap(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> (card: String, reader: String?) {
        guard value.kind == .map else { return (names.card(value, into: &diagnostics), nil) }
        let card = names.card(value.map.required(Self.card), into: &diagnostics)
        return (card, value.map[reader].map { names.reader($0, into: &diagnostics) })
    }

    static func swap(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> (out: String, in: String, gap: Duration) {
        let out = names.card(map.required(Self.out), into: &diagnostics)
        let incoming = names.card(map.required(Self.incoming), into: &diagnostics)
        return (out, incoming, map[gap] ?? .zero)
    }
}

/// The cards of a case while consecutive steps change them.
struct ChangingCards {
    private var nodes: [String: NodeMap]
    private let seed: UInt64
    private let budget: CardBudget

    init(_ names: CardNames) {
        nodes = names.nodes
        seed = names.seed
        budget = names.budget
    }

    /// A card with some or all of its values changed, or `nil` if the card is invalid.
    mutating func change(
        _ name: String, _ values: Node, isWhole: Bool, into diagnostics: inout Diagnostics
    ) -> NewCard? {
        guard let node = nodes[name] else { return nil }
        guard case .map(let values) = values else {
            diagnostics.report(.cardValuesNeeded(values))
            return nil
        }
        let changed = isWhole ? values : node.changed(by: values)
        guard let map = CardLanguage.table.read(.map(changed), into: &diagnostics),
            budget.takes(map, at: .map(values), into: &diagnostics),
            let definition = CardLanguage.decode(map, named: name, seed: seed, into: &diagnostics)
        else { return nil }
        nodes[name] = changed
        return NewCard(definition)
    }
}

extension NewCard {
    init(_ definition: CardDefinition) {
        self.init(definition.makeEngine(), description: JSONWriter.text(definition.node))
    }

    /// The card as a file writes it, in full.
    var node: Node {
        var diagnostics = Diagnostics()
        return JSONReader().read(SourceFile(name: "card", text: description), into: &diagnostics) ?? .null
    }
}

extension Diagnostic {
    /// Reports values of a card that are not a map.
    static func cardValuesNeeded(_ node: Node) -> Diagnostic {
        Diagnostic(
            .wrongKind, "the values of a card must be a map", at: node,
            hint: "write keys of the card with their values, such as `{\"balance\": 5000}`")
    }
}
