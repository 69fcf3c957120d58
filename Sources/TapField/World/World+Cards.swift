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

/// The readers of a world: each makes a field of its own, and a card lies before one of them.
extension World {
    /// Puts readers in the place of those there are, before any card has come; without one nothing changes.
    public mutating func place(_ readers: [ReaderField]) {
        guard !readers.isEmpty, presenceCount == 0 else { return }
        self.readers = readers
        reader = 0
    }

    /// Says which reader acts from now on; a number that none has means the first.
    public mutating func use(reader number: Int) {
        reader = readers.indices.contains(number) ? number : 0
    }

    /// Whether the field of the reader that acts is on.
    public var isFieldOn: Bool { readers[reader].isFieldOn }

    /// Switches the field of the reader that acts on or off; every card before it gains or loses power.
    ///
    /// A reader that is unplugged has no field.
    public mutating func switchField(on: Bool) {
        switchField(of: reader, on: on)
    }

    private mutating func switchField(of reader: Int, on: Bool) {
        guard on != readers[reader].isFieldOn, readers[reader].isPlugged || !on else { return }
        readers[reader].isFieldOn = on
        for index in cards.indices where cards[index].isPresent && cards[index].reader == reader {
            if on { cards[index].engine.fieldRose() } else { cards[index].losePower() }
        }
        record(.field(isOn: on), reader: reader)
        happened(.reader(on ? .fieldOn : .fieldOff, name: readers[reader].name))
    }

    /// Plugs a reader in; cards that lie before it get power when it switches its field on.
    ///
    /// - Returns: Whether it was away.
    @discardableResult
    public mutating func plug(_ name: String, source: SourceReference? = nil) -> Bool {
        setPlugged(name, true, source)
    }

    /// Unplugs a reader; cards that lie before it stay there without power.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public mutating func unplug(_ name: String, source: SourceReference? = nil) -> Bool {
        setPlugged(name, false, source)
    }

    private mutating func setPlugged(_ name: String, _ isPlugged: Bool, _ source: SourceReference?) -> Bool {
        guard let reader = readers.firstIndex(where: { $0.name == name }), readers[reader].isPlugged != isPlugged else {
            return false
        }
        switchField(of: reader, on: false)
        readers[reader].isPlugged = isPlugged
        // What the readers see may be another, so that all look again.
        presenceCount += 1
        record(.note("\(name) is \(isPlugged ? "plugged in" : "unplugged")"), source: source, reader: reader)
        happened(.reader(isPlugged ? .plugged : .unplugged, name: name))
        return true
    }

    /// Takes note of something that a client has done with the reader that acts.
    package mutating func note(_ event: ReaderEvent) {
        happened(.reader(event, name: readers[reader].name))
    }

    /// The number of a reader; nothing if none has the name.
    func reader(named name: String) -> Int? { readers.firstIndex { $0.name == name } }

    /// Whether a card, by its index, lies before the reader that acts; none does before one that is unplugged.
    public func isWithinReach(_ card: Int) -> Bool {
        cards.indices.contains(card) && cards[card].isPresent && cards[card].reader == reader
            && readers[reader].isPlugged
    }

    /// The card that the reader that acts takes if it can choose; nothing if it has no choice or that card is away.
    public var pickedCard: Int? {
        guard let pick = readers[reader].pick, let index = cards.firstIndex(where: { $0.name == pick }),
            isWithinReach(index)
        else { return nil }
        return index
    }

    /// Lets a reader do something while it hears one card alone.
    public mutating func hearing<Result>(only card: Int?, _ body: (inout World) -> Result) -> Result {
        let before = onlyCard
        onlyCard = card
        defer { onlyCard = before }
        return body(&self)
    }
}
