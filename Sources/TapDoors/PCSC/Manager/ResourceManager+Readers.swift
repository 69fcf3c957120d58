import TapWire

extension ResourceManager {
    /// The longest name of a model: two numbers and a zero come behind it.
    private static let maximumModelName = ReaderState.nameSize - " 00 00".utf8.count - 1

    /// Takes a reader in at the first free place, with the number of that place behind its name.
    ///
    /// - Returns: Whether there was a place.
    mutating func plug(_ id: ReaderID, model: String) -> Bool {
        let taken = Set(readers.values.map(\.place))
        guard let place = (0..<ReaderState.places).first(where: { !taken.contains($0) }) else { return false }
        let name = String(decoding: model.utf8.prefix(Self.maximumModelName), as: UTF8.self)
        readers[id] = ManagedReader(
            name: "\(name) \(Hex.digits(place, width: 2)) 00", place: place, eventCounter: eventCounters[place])
        countReaderEvent()
        return true
    }

    /// Lets a reader go with all connections to it.
    mutating func unplug(_ id: ReaderID) {
        guard let reader = readers.removeValue(forKey: id) else { return }
        eventCounters[reader.place] = reader.state.eventCounter
        for (handle, card) in cards where card.reader == id { cards[handle] = nil }
        countReaderEvent()
        tellChange()
    }

    private mutating func countReaderEvent() {
        readerEvents = readerEvents == .max ? 1 : readerEvents + 1
    }

    /// Begins to follow the slot of a reader.
    mutating func start(_ id: ReaderID, _ slot: ReaderSlot.State) {
        readers[id]?.start(slot)
        tellChange()
    }

    /// Takes over what has become of the slot of a reader; later news is never replaced by older.
    mutating func follow(_ id: ReaderID, _ slot: ReaderSlot.State) {
        guard let change = readers[id]?.follow(slot), change.hasChanged else { return }
        if change.wasRemoved { raise(.removed, on: id) }
        tellChange()
    }

    /// The states of all places.
    var readerStates: [UInt8] {
        var states = [ReaderState](repeating: ReaderState(), count: ReaderState.places)
        for reader in readers.values { states[reader.place] = reader.state }
        var fields = FieldWriter(reserving: ReaderState.places * ReaderState.size)
        for state in states { state.write(to: &fields) }
        return fields.bytes
    }
}
