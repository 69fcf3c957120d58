import TapField

/// The keys of `timeline`.
enum TimelineLanguage {
    private enum Verb: String {
        case tap
        case remove
        case swap
        case note
    }

    static let shape = Shape.list(of: .map(step))

    private static let step = KeyTable(
        "a step",
        [
            Key(
                "when", TriggerLanguage.shape, "The command whose end, or the event, that is waited for.",
                synonyms: ["on", "trigger"]),
            Key("after", .duration, "The time since the step before.", synonyms: ["wait", "delay"]),
            Key("at", .seconds, "The time since the start.", synonyms: ["t", "time"]),
            Key("tap", .cardName, "A card comes before the reader.", synonyms: ["place", "insert", "add"]),
            Key("remove", .cardName, "A card leaves the reader.", synonyms: ["take", "eject"]),
            Key("swap", .map(swap), "A card leaves and another comes.", synonyms: ["replace"]),
            Key("note", .text, "A remark in the trace.", synonyms: ["comment"]),
            Key("plug", notYet: "the reader is there from the start"),
            Key("unplug", notYet: "the reader stays"),
            Key("set", notYet: "cards stay as they are stated"),
            Key("send", notYet: "leave it out"),
        ], exactlyOne: ["tap", "remove", "swap", "note"], atMostOne: ["when", "after", "at"])

    static let swap = KeyTable(
        "a swap",
        [
            Key("out", .cardName, "The card that leaves.", isRequired: true, synonyms: ["from", "remove"]),
            Key("in", .cardName, "The card that comes, or comes back.", isRequired: true, synonyms: ["to", "tap"]),
            Key("gap", .duration, "The time between.", synonyms: ["after"]),
        ])

    static func decode(_ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> Timeline {
        var steps: [Timeline.Step] = []
        for item in value.items {
            let action = action(item.map, names, into: &diagnostics)
            steps.append(Timeline.Step(trigger(item.map, names, into: &diagnostics), [action], source: item.source))
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

    private static func action(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> Timeline.Action {
        switch map.chosen(as: Verb.self) {
        case (.tap, let value):
            return .tap(names.card(value, into: &diagnostics))
        case (.remove, let value):
            return .remove(names.card(value, into: &diagnostics))
        case (.note, let value):
            return .note(value.text)
        case (.swap, let value):
            let (out, incoming, gap) = swap(value.map, names, into: &diagnostics)
            return .swap(out: out, in: incoming, gap: gap)
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
