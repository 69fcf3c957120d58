import TapCards

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
