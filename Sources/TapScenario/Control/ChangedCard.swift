import TapDocument
extension ScenarioCase {
    /// Makes a card with other values for some of its keys.
    ///
    /// - Parameters:
    ///   - name: The card, one of the case.
    ///   - values: A map of keys as a file writes them; maps among the values change only the keys they have.
    ///   - diagnostics: What no such card can be is reported here.
    /// - Returns: The card, or `nil` if there is an error; the case is unchanged then.
    public mutating func changeCard(
        _ name: String, _ values: Node, into diagnostics: inout Diagnostics
    ) -> CardDefinition? {
        guard let index = cards.firstIndex(where: { $0.name == name }) else { return nil }
        guard case .map(let values) = values else {
            diagnostics.report(.cardValuesNeeded(values))
            return nil
        }
        return write(cards[index].written.changed(by: values), at: index, into: &diagnostics)
    }

    /// The case with a control card in the place of its only one; `nil` where the rest of what it writes of its card does not
    /// go with it.
    public func with(_ card: VariedCard) -> ScenarioCase? {
        guard cards.count == 1 else { return nil }
        var copy = self
        var diagnostics = Diagnostics()
        let definition = copy.write(card.keys(inPlaceOf: cards[0].written), at: 0, into: &diagnostics)
        return definition == nil ? nil : copy
    }

    private mutating func write(
        _ written: NodeMap, at index: Int, into diagnostics: inout Diagnostics
    ) -> CardDefinition? {
        let name = cards[index].name
        guard let map = CardLanguage.table.read(.map(written), into: &diagnostics),
            let definition = CardLanguage.decode(map, named: name, seed: seed, files: files, into: &diagnostics)
        else { return nil }
        cards[index] = NamedCard(name: name, definition: definition, written: written)
        return definition
    }
}

extension NodeMap {
    /// The map with other values, and with those of keys it did not have behind its own.
    func changed(by values: NodeMap) -> NodeMap {
        var entries = entries.map { entry -> Entry in
            switch (entry.value, values[entry.key.text]) {
            case (_, nil): entry
            case (.map(let old), .map(let new)?): Entry(entry.key, .map(old.changed(by: new)))
            case (_, let new?): Entry(entry.key, new)
            }
        }
        entries += values.entries.filter { self[$0.key.text] == nil }
        return NodeMap(entries, range: range)
    }
}

extension ScenarioCase {
    /// The case for a field whose clients are started elsewhere.
    ///
    /// How such a client ends and what it prints is not seen, so expectations on it are dropped.
    ///
    /// - Parameters:
    ///   - expectations: What is expected in place of what the file expects, if anything.
    ///   - hasPhone: Whether the clients are apps on a phone of ours, which tells what they show and hear.
    public func judgingFieldAlone(_ expectations: Expectations? = nil, hasPhone: Bool = false) -> ScenarioCase {
        var copy = self
        copy.client = nil
        copy.expectations = expectations ?? copy.expectations
        if !hasPhone { copy.drop(.noPhone, where: \.isOnPhone) }
        copy.drop(.clientElsewhere) { !$0.isOnField && !$0.isOnPhone }
        return copy
    }

    /// The case for a run in which no phone reads the cards.
    ///
    /// What was expected of an app and its phone is dropped.
    public func withoutPhone() -> ScenarioCase {
        var copy = self
        copy.drop(.noPhone, where: \.isOnPhone)
        return copy
    }
}

extension Expectation {
    /// Whether the demand is on what happens in the field, for any client.
    fileprivate var isOnField: Bool {
        switch demand {
        case .exchanges, .count, .never, .card, .safety: true
        case .exit, .within, .output, .prints, .result, .verdict, .phone: false
        }
    }
}
