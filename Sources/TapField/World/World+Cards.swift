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

    /// Puts a card before the reader; it is powered at once if the field is on.
    public mutating func tap(_ name: String, source: SourceReference? = nil) {
        guard let index = index(of: name), !cards[index].isPresent else { return }
        cards[index].isPresent = true
        cards[index].visit += 1
        presenceCount += 1
        if isFieldOn { cards[index].engine.fieldRose() }
        record(.card(name, isPresent: true), source: source)
        happened(.card(.tapped, name: name))
    }

    /// Takes a card away from the reader; volatile state is lost.
    public mutating func remove(_ name: String, source: SourceReference? = nil) {
        guard let index = index(of: name), cards[index].isPresent else { return }
        cards[index].isPresent = false
        presenceCount += 1
        if isFieldOn { cards[index].losePower() }
        record(.card(name, isPresent: false), source: source)
        happened(.card(.removed, name: name))
    }

    /// Takes a card away and, after a gap, puts another before the reader, or the same one again.
    public mutating func swap(
        _ name: String, for other: String, after gap: Duration, source: SourceReference? = nil
    ) {
        remove(name, source: source)
        timeline.schedule(.tap(other), at: timelineNow + gap, source: source, isTimed: true)
    }

    /// Puts a new card in the place of one, under its name; one that lies before the reader leaves, and the new one
    /// comes.
    public mutating func replace(_ name: String, with engine: any CardEngine) {
        guard let index = index(of: name) else { return }
        let wasPresent = cards[index].isPresent
        remove(name)
        let visit = cards[index].visit
        let powerLosses = cards[index].powerLosses
        cards[index] = CardSlot(name: name, engine: engine)
        cards[index].visit = visit
        cards[index].powerLosses = powerLosses
        if wasPresent { tap(name) }
    }

    /// Counts comings and goings on from the world whose place this one takes, so that whoever compares counts sees
    /// that every card there was has left.
    public mutating func succeed(_ world: World) {
        presenceCount += world.presenceCount + 1
        for index in cards.indices { cards[index].visit += world.card(named: cards[index].name)?.visit ?? 0 }
    }

    private func index(of name: String) -> Int? {
        cards.firstIndex { $0.name == name }
    }
}
