import TapDocument
extension ScenarioCase {
    /// Changes the values of some keys of a card.
    ///
    /// - Parameters:
    ///   - name: The name of a card of the case.
    ///   - values: A map of keys as a file writes them. A map among the values changes only the keys it contains.
    ///   - diagnostics: Receives problems with the values.
    /// - Returns: The card, or `nil` if there is an error. In that case, the scenario case is unchanged.
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

    /// The case with a control card instead of its only card, or `nil` if the remaining keys of the card do not suit the
    /// control card.
    public func with(_ card: VariedCard) -> ScenarioCase? {
        guard cards.count == 1 else { return nil }
        var copy = self
        var diagnostics = Diagnostics()
        let written = cards[0].written
        guard copy.write(card.keys(inPlaceOf: written), at: 0, into: &diagnostics) != nil else { return nil }
        for keys in card.keysOfLaterVisits(inPlaceOf: written) {
            let name = "visit-\(copy.cards.count + 1)"
            copy.cards.append(NamedCard(name: name, definition: cards[0].definition, written: keys))
            guard copy.write(keys, at: copy.cards.count - 1, into: &diagnostics) != nil else { return nil }
        }
        copy.bringsCardsInTurn = card.isOfVisits
        return copy
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
    /// The map with changed values; keys that it did not have follow its own.
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
    /// The case for a field whose clients are started outside TapSim.
    ///
    /// The end and the output of such a client cannot be observed, so expectations about them are dropped.
    ///
    /// - Parameters:
    ///   - expectations: Expectations that replace those of the file, if any.
    ///   - hasPhone: A Boolean value that indicates whether the clients are apps on a simulated phone, which reports what
    ///   they show and hear.
    public func judgingFieldAlone(_ expectations: Expectations? = nil, hasPhone: Bool = false) -> ScenarioCase {
        var copy = self
        copy.client = nil
        copy.expectations = expectations ?? copy.expectations
        if !hasPhone { copy.drop(.noPhone, where: \.isOnPhone) }
        copy.drop(.clientElsewhere) { !$0.isOnField && !$0.isOnPhone }
        return copy
    }

    /// The case for a run in which no phone reads the cards; drops expectations about an app and its phone.
    public func withoutPhone() -> ScenarioCase {
        var copy = self
        copy.drop(.noPhone, where: \.isOnPhone)
        return copy
    }
}

extension Expectation {
    /// Returns whether the demand concerns events in the field, with any client.
    fileprivate var isOnField: Bool {
        switch demand {
        case .exchanges, .count, .never, .card, .safety: true
        case .exit, .within, .output, .prints, .result, .verdict, .phone: false
        }
    }
}
