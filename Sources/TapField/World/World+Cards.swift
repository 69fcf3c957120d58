public import TapCards

extension World {
    /// Adds a card that is not present; does nothing if the name is taken.
    public mutating func add(_ engine: any CardEngine, named name: String) {
        guard field.index(of: name) == nil else { return }
        field.cards.append(CardSlot(name: name, engine: engine))
    }

    public func card(named name: String) -> CardSlot? {
        field.index(of: name).map { cards[$0] }
    }

    /// Puts a card on a reader, by default the first; the card is powered at once if the field is on.
    ///
    /// Does nothing if the card is already present. `source` is the line of the scenario that causes the tap.
    public mutating func tap(_ name: String, before reader: String? = nil, source: SourceReference? = nil) {
        guard let card = field.index(of: name), !cards[card].isPresent else { return }
        let reader = reader.flatMap(field.reader(named:)) ?? 0
        field.presenceCount += 1
        field.cards[card].isPresent = true
        field.cards[card].reader = reader
        field.cards[card].visit += 1
        if var recorded = cards[card].engine as? RecordedCard {
            recorded.beginVisit()
            field.cards[card].engine = recorded
        }
        if readers[reader].isFieldOn { field.cards[card].engine.fieldRose() }
        record(.card(name, isPresent: true), source: source, reader: reader)
        happened(.card(.tapped, name: name))
    }

    /// Takes a card away; its volatile state is lost.
    public mutating func remove(_ name: String, source: SourceReference? = nil) {
        guard let card = field.index(of: name), cards[card].isPresent else { return }
        let reader = cards[card].reader
        field.presenceCount += 1
        field.cards[card].isPresent = false
        if readers[reader].isFieldOn { field.cards[card].losePower() }
        record(.card(name, isPresent: false), source: source, reader: reader)
        happened(.card(.removed, name: name))
    }

    /// Takes a card away as its recording requires, and brings it back if the recording has another visit.
    ///
    /// - Parameter wait: The time it still stays.
    mutating func endVisit(of card: Int, after wait: Duration) {
        let (name, reader) = (cards[card].name, readers[cards[card].reader].name)
        if wait > .zero { schedule(.remove(name), after: wait, source: nil) } else { remove(name) }
        guard (cards[card].engine as? RecordedCard)?.comesBack == true else { return }
        schedule(.tap(name, reader: reader), after: wait + Self.timeBetweenVisits, source: nil)
    }

    /// The time a recorded card is away, and the time it stays at a PC/SC reader after its last answer: long enough for
    /// programs that check twice a second.
    static let timeBetweenVisits = Duration.seconds(1)

    public mutating func removeAll() {
        for card in cards where card.isPresent { remove(card.name) }
    }

    /// Takes a card away and, after a gap, puts another card, or the same one, on the same reader.
    public mutating func swap(_ name: String, for other: String, after gap: Duration, source: SourceReference? = nil) {
        let reader = card(named: name).map { readers[$0.reader].name }
        remove(name, source: source)
        schedule(.tap(other, reader: reader), after: gap, source: source)
    }

    /// Takes all cards away, for a time or, if `nil`, permanently.
    package mutating func takeCardsAway(for gap: Duration?) {
        for card in cards where card.isPresent {
            if let gap { swap(card.name, for: card.name, after: gap) } else { remove(card.name) }
        }
    }

    /// Replaces a card with a new one of the same name; if the card is present, it leaves and the new one arrives.
    public mutating func replace(_ name: String, with engine: any CardEngine, source: SourceReference? = nil) {
        guard let index = field.index(of: name) else { return }
        let wasPresent = cards[index].isPresent
        remove(name, source: source)
        let old = cards[index]
        field.cards[index] = CardSlot(name: name, engine: engine)
        field.cards[index].visit = old.visit
        field.cards[index].powerLosses = old.powerLosses
        if wasPresent { tap(name, before: readers[old.reader].name, source: source) }
    }

    /// Continues the counts of the world that this one replaces, so that every old card counts as having left.
    public mutating func succeed(_ world: World) {
        field.presenceCount += world.presenceCount + 1
        log.callCount += world.callCount + 1
        for index in cards.indices { field.cards[index].visit += world.card(named: cards[index].name)?.visit ?? 0 }
    }
}

/// Choosing, switching, plugging and unplugging readers.
extension World {
    /// Replaces the readers, unless a card has already arrived or the list is empty.
    public mutating func place(_ readers: [ReaderField]) {
        guard !readers.isEmpty, presenceCount == 0 else { return }
        field.readers = readers
        field.reader = 0
    }

    /// Makes a reader active; the first one if the number is unknown.
    public mutating func use(reader number: Int) {
        field.reader = readers.indices.contains(number) ? number : 0
    }

    /// Runs `body` while readers see only one card; `nil` for all cards.
    public mutating func hearing<Result>(only card: Int?, _ body: (inout World) -> Result) -> Result {
        let before = field.onlyCard
        field.onlyCard = card
        defer { field.onlyCard = before }
        return body(&self)
    }

    /// Switches the field of the active reader, unless it is unplugged; every card on it gains or loses power.
    public mutating func switchField(on: Bool) {
        switchField(of: reader, on: on)
    }

    private mutating func switchField(of reader: Int, on: Bool) {
        guard on != readers[reader].isFieldOn, readers[reader].isPlugged || !on else { return }
        field.readers[reader].isFieldOn = on
        for index in cards.indices where cards[index].isPresent && cards[index].reader == reader {
            if on { field.cards[index].engine.fieldRose() } else { field.cards[index].losePower() }
        }
        record(.field(isOn: on), reader: reader)
        happened(.reader(on ? .fieldOn : .fieldOff, name: readers[reader].name))
    }

    /// Returns whether a reader is plugged in; `true` for a number unknown to the world.
    package func isPlugged(reader number: Int) -> Bool {
        !readers.indices.contains(number) || readers[number].isPlugged
    }

    /// Returns the number of times a reader was plugged in or unplugged.
    package func plugChanges(ofReader number: Int) -> Int {
        readers.indices.contains(number) ? readers[number].plugChanges : 0
    }

    /// Plugs in a reader; cards on it get power when it switches its field on.
    ///
    /// - Returns: Whether it was unplugged.
    @discardableResult
    public mutating func plug(_ name: String, source: SourceReference? = nil) -> Bool {
        setPlugged(name, true, source)
    }

    /// Unplugs a reader; cards on it stay there without power.
    ///
    /// - Returns: Whether it was plugged in.
    @discardableResult
    public mutating func unplug(_ name: String, source: SourceReference? = nil) -> Bool {
        setPlugged(name, false, source)
    }

    private mutating func setPlugged(_ name: String, _ isPlugged: Bool, _ source: SourceReference?) -> Bool {
        guard let reader = field.reader(named: name), readers[reader].isPlugged != isPlugged else { return false }
        switchField(of: reader, on: false)
        field.readers[reader].isPlugged = isPlugged
        field.readers[reader].plugChanges += 1
        // Other cards may be in reach now, so all readers look again.
        field.presenceCount += 1
        record(.note("\(name) is \(isPlugged ? "plugged in" : "unplugged")"), source: source, reader: reader)
        happened(.reader(isPlugged ? .plugged : .unplugged, name: name))
        return true
    }
}
