import TapDocument

extension ScenarioCase {
    /// Simpler cases, starting with the largest simplification: without a card, a key of a card or a step, or with a
    /// shortened list or history.
    ///
    /// Each case can be loaded, but the client's reaction to it is unknown.
    public var simpler: [ScenarioCase] {
        let document = short(named: scenarioName, title: displayName)
        return document.simplerScenarios.compactMap { node in
            var diagnostics = Diagnostics()
            let options = ScenarioLoader.Options(files: files, seed: seed, stations: stations)
            return ScenarioLoader.scenario(from: node, file: file, options, into: &diagnostics)?.cases.first
        }
    }
}

extension Node {
    fileprivate var simplerScenarios: [Node] {
        variants { key, value in
            switch ScenarioKey(rawValue: key) {
            case .cards: value.simplerCards
            case .timeline: value.items.indices.reversed().map { value.without($0) }
            case .taps: value.fewerVisits
            default: []
            }
        }
    }

    private var simplerCards: [Node] {
        let fewer = entries.count > 1 ? variants { _, _ in [nil] } : []
        return fewer + variants { _, card in card.simplerCard }
    }

    private var simplerCard: [Node] {
        let trips = CardLanguage.trips.name
        let history = self[CardLanguage.template.name]?.text.flatMap(CardTemplate.init(rawValue:))?.history
        let count = history.map { self[trips]?.integer ?? $0.count } ?? 0
        let shorter = [1, count / 2].filter { $0 > 0 && $0 < count }.map { setting(trips, .number($0)) }
        return shorter
            + variants { key, value in
                // Without these keys it is another card.
                if [CardLanguage.ic.name, CardLanguage.template.name, trips].contains(key) { return [] }
                let count = value.items.count
                let shorter = [1, count / 2].filter { $0 > 0 && $0 < count }
                return [nil] + shorter.map { .list(Array(value.items.prefix($0))) }
            }
    }

    private var fewerVisits: [Node] {
        let count = integer ?? self["count"]?.integer ?? 0
        return [1, count / 2].filter { $0 > 0 && $0 < count }
            .map { kind == .map ? setting("count", .number($0)) : .number($0) }
    }

    private var integer: Int? { text.flatMap { Int($0) } }

    /// The maps with one entry changed, or omitted for `nil`.
    private func variants(_ others: (String, Node) -> [Node?]) -> [Node] {
        entries.indices.flatMap { index in
            others(entries[index].key.text, entries[index].value).map { other in
                .map(
                    entries.indices.compactMap { place in
                        let value = place == index ? other : entries[place].value
                        return value.map { (entries[place].key.text, $0) }
                    })
            }
        }
    }

    private func setting(_ key: String, _ value: Node) -> Node {
        let rest = entries.filter { $0.key.text != key }.map { ($0.key.text, $0.value) }
        return .map(rest + [(key, value)])
    }

    private func without(_ index: Int) -> Node {
        .list(items.indices.filter { $0 != index }.map { items[$0] })
    }
}
