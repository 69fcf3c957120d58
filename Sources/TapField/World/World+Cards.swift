import TapCards
import TapWire

extension World {
    /// Adds a card, away from the reader; a second card of the same name is not added.
    public mutating func add(_ engine: any CardEngine, named name: String) {
        guard index(of: name) == nil else { return }
        cards.append(CardSlot(name: name, engine: engine))
    }

    /// The card of a name.
    public func card(named name: String) -> CardSlot? {
        index(of: name).map { cards[$0] }
    }

    /// Puts a card before a reader; it is powered at once if the field is on.
    ///
    /// - Parameters:
    ///   - name: The card; one that lies before a reader stays there.
    ///   - reader: The reader; the first without it.
    ///   - source: The line of the scenario that makes it come.
    public mutating func tap(_ name: String, before reader: String? = nil, source: SourceReference? = nil) {
        guard let index = index(of: name), !cards[index].isPresent else { return }
        cards[index].isPresent = true
        cards[index].reader = reader.flatMap(self.reader(named:)) ?? 0
        cards[index].visit += 1
        presenceCount += 1
        if readers[cards[index].reader].isFieldOn { cards[index].engine.fieldRose() }
        record(.card(name, isPresent: true), source: source, reader: cards[index].reader)
        happened(.card(.tapped, name: name))
    }

    /// Takes a card away from the reader; volatile state is lost.
    public mutating func remove(_ name: String, source: SourceReference? = nil) {
        guard let index = index(of: name), cards[index].isPresent else { return }
        cards[index].isPresent = false
        presenceCount += 1
        if readers[cards[index].reader].isFieldOn { cards[index].losePower() }
        record(.card(name, isPresent: false), source: source, reader: cards[index].reader)
        happened(.card(.removed, name: name))
    }

    /// Takes a card away and, after a gap, puts another before the same reader, or the same one again.
    public mutating func swap(
        _ name: String, for other: String, after gap: Duration, source: SourceReference? = nil
    ) {
        let reader = card(named: name).map { readers[$0.reader].name }
        remove(name, source: source)
        timeline.schedule(.tap(other, reader: reader), at: timelineNow + gap, source: source, isTimed: true)
    }

    /// Puts a new card in the place of one, under its name; one that lies before a reader leaves, and the new one
    /// comes.
    public mutating func replace(_ name: String, with engine: any CardEngine, source: SourceReference? = nil) {
        guard let index = index(of: name) else { return }
        let wasPresent = cards[index].isPresent
        remove(name, source: source)
        let (visit, reader, powerLosses) = (cards[index].visit, cards[index].reader, cards[index].powerLosses)
        cards[index] = CardSlot(name: name, engine: engine)
        cards[index].visit = visit
        cards[index].powerLosses = powerLosses
        if wasPresent { tap(name, before: readers[reader].name, source: source) }
    }

    /// Counts comings and goings on from the world whose place this one takes, so that whoever compares counts sees
    /// that every card there was has left.
    public mutating func succeed(_ world: World) {
        presenceCount += world.presenceCount + 1
        callCount += world.callCount + 1
        for index in cards.indices { cards[index].visit += world.card(named: cards[index].name)?.visit ?? 0 }
    }

    private func index(of name: String) -> Int? {
        cards.firstIndex { $0.name == name }
    }
}
