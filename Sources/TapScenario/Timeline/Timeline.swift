import TapDocument
import TapField

/// The keys of `timeline`.
enum TimelineLanguage {
    static let shape = Shape.list(of: .map(step))

    private static let step = KeyTable(
        "a step",
        [
            Key(
                "when", TriggerLanguage.shape, "The command whose end, or the event, that is waited for.",
                synonyms: ["on", "trigger"]),
            Key("after", .duration, "The time since the step before.", synonyms: ["wait", "delay"]),
            Key("at", .duration, "The time since the start.", synonyms: ["t", "time"]),
        ] + TimelineVerb.allCases.map(\.key), exactlyOne: TimelineVerb.allCases.map(\.rawValue),
        atMostOne: ["when", "after", "at"])

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
        if let instant = map["at"]?.duration { return .at(instant) }
        if let duration = map["after"]?.duration { return .after(duration) }
        return map["when"].map { .event(TriggerLanguage.decode($0, names, into: &diagnostics)) } ?? .immediately
    }
}

extension Timeline {
    /// The steps as a file writes them, with cards that are made anew in full, so that they need no template.
    ///
    /// - Parameter node: The steps as the file has them.
    func node(from node: Node) -> Node {
        let items = zip(node.items, remaining).map { item, step -> Node in
            guard case .set(let name, let card)? = step.actions.first, case .map(let map) = item else { return item }
            let entries = map.entries.map { entry -> (key: String, value: Node) in
                guard entry.key.text == TimelineVerb.set.rawValue else { return (entry.key.text, entry.value) }
                return (entry.key.text, ["card": .text(name), "values": card.node, "whole": true])
            }
            return .map(entries)
        }
        return .list(items)
    }
}

/// What a step of the timeline does.
enum TimelineVerb: String, CaseIterable {
    case tap, remove, swap, set, plug, unplug, send, note

    /// The verb as a key of a step.
    var key: Key {
        switch self {
        case .tap:
            Key(
                rawValue, .variants([.cardName, .map(Self.tapTable)]), "A card comes before a reader.",
                synonyms: ["place", "insert", "add"])
        case .remove: Key(rawValue, .cardName, "A card leaves its reader.", synonyms: ["take", "eject"])
        case .swap:
            Key(
                rawValue, .map(Self.swapTable), "A card leaves and another comes before the same reader.",
                synonyms: ["replace"])
        case .set:
            Key(
                rawValue, .map(Self.setTable),
                "A card is made anew with other values; one before a reader leaves, and the new one comes.",
                synonyms: ["change"])
        case .plug: Key(rawValue, .readerName, "A reader is plugged in.", synonyms: ["connect"])
        case .unplug: Key(rawValue, .readerName, "A reader is unplugged.", synonyms: ["disconnect"])
        case .send: Key(rawValue, .text, "A line for the standard input of the client.", synonyms: ["input", "type"])
        case .note: Key(rawValue, .text, "A remark in the trace.", synonyms: ["comment"])
        }
    }

    private static let tapTable = KeyTable(
        "a card that comes",
        [
            Key("card", .cardName, "The card.", isRequired: true, synonyms: ["name"]),
            Key("reader", .readerName, "The reader; the first without it.", synonyms: ["at", "before"]),
        ])

    static let swapTable = KeyTable(
        "a swap",
        [
            Key("out", .cardName, "The card that leaves.", isRequired: true, synonyms: ["from", "remove"]),
            Key("in", .cardName, "The card that comes, or comes back.", isRequired: true, synonyms: ["to", "tap"]),
            Key("gap", .duration, "The time between.", synonyms: ["after"]),
        ])

    private static let setTable = KeyTable(
        "other values of a card",
        [
            Key("card", .cardName, "The card.", isRequired: true, synonyms: ["name"]),
            Key("values", .free, "Keys of the card and their values.", isRequired: true, synonyms: ["to", "with"]),
            Key("whole", .boolean, "Whether the values are all of the card; else they change what it is."),
        ])

    /// What a step does; nothing if it asks for a card that cannot be.
    static func action(
        _ map: MapReader, _ names: CardNames, _ cards: inout ChangingCards, into diagnostics: inout Diagnostics
    ) -> Timeline.Action? {
        switch map.chosen(as: TimelineVerb.self) {
        case (.tap, let value) where value.kind == .map:
            let card = names.card(value.map.required("card"), into: &diagnostics)
            return .tap(card, reader: value.map["reader"].map { names.reader($0, into: &diagnostics) })
        case (.tap, let value): return .tap(names.card(value, into: &diagnostics))
        case (.remove, let value): return .remove(names.card(value, into: &diagnostics))
        case (.swap, let value):
            let (out, incoming, gap) = swap(value.map, names, into: &diagnostics)
            return .swap(out: out, in: incoming, gap: gap)
        case (.set, let value):
            let name = names.card(value.map.required("card"), into: &diagnostics)
            let isWhole = value.map["whole"]?.boolean ?? false
            let values = value.map.required("values").node
            return cards.change(name, values, isWhole: isWhole, into: &diagnostics).map { .set(name, $0) }
        case (.plug, let value): return .plug(names.reader(value, into: &diagnostics))
        case (.unplug, let value): return .unplug(names.reader(value, into: &diagnostics))
        case (.send, let value):
            if value.text.contains(where: \.isNewline) {
                diagnostics.report(
                    Diagnostic(
                        .contradiction, "`send` holds a line break", at: value.node,
                        hint: "each line is a step of its own; its end is added"))
            }
            return .send(value.text)
        case (.note, let value): return .note(value.text)
        }
    }

    static func swap(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> (out: String, in: String, gap: Duration) {
        let out = names.card(map.required("out"), into: &diagnostics)
        let incoming = names.card(map.required("in"), into: &diagnostics)
        return (out, incoming, map["gap"]?.duration ?? .zero)
    }
}

/// The cards of a case while steps change them, one after the other.
struct ChangingCards {
    private var nodes: [String: NodeMap]
    private let seed: UInt64
    private let budget: CardBudget

    init(_ names: CardNames) {
        nodes = names.nodes
        seed = names.seed
        budget = names.budget
    }

    /// A card with other values for some of its keys, or for all of them; nothing if no such card can be.
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
    /// A card as a definition states it.
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
    /// Says that values of a card are no map.
    static func cardValuesNeeded(_ node: Node) -> Diagnostic {
        Diagnostic(
            .wrongKind, "the values of a card are a map", at: node,
            hint: "keys of the card and their values: `{\"balance\": 5000}`")
    }
}
