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
