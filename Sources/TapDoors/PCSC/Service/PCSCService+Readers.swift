import TapReaders

extension PCSCService {
    /// Takes a reader in, at the first free place.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - number: Its number in the world.
    /// - Returns: Its number here, or nothing if there is no place.
    func plug(_ reader: any PCSCReader, at number: Int = 0) -> ReaderID? {
        let slot = ReaderSlot(reader, at: number, on: host)
        let id = state.withLock { $0.takeNumber() }
        slot.onChange { [weak self] in self?.follow(id) }
        let isStarted: Bool? = state.withLock { state in
            guard state.manager.plug(id, model: slot.name) else { return nil }
            state.slots[id] = slot
            return state.wasUsed
        }
        guard let isStarted else { return nil }
        if isStarted { look(id, slot) }
        return id
    }

    /// Lets a reader go, with whatever clients do with it.
    func unplug(_ id: ReaderID) {
        state.withLock { state in
            guard let slot = state.slots.removeValue(forKey: id) else { return }
            slot.onChange {}
            state.manager.unplug(id)
            deliver(&state)
        }
    }

    /// The slot of a reader, while it is plugged in.
    func slot(_ id: ReaderID) -> ReaderSlot? { state.withLock { $0.slots[id] } }

    /// The name of a reader as clients see it.
    func name(of id: ReaderID) -> String? { state.withLock { $0.manager.readers[id]?.state.name } }

    /// Lets the readers look for cards, now and whenever cards come or go.
    func start() {
        watcher.withLock { watcher in
            let slots: [ReaderID: ReaderSlot]? = state.withLock { state in
                guard !state.wasUsed else { return nil }
                state.wasUsed = true
                return state.slots
            }
            guard let slots else { return }
            // Without a thread for it, cards are still seen whenever a client uses a reader.
            watcher = try? host.watch { [weak self] in self?.refresh() }
            for (id, slot) in slots.sorted(by: { $0.key < $1.key }) { look(id, slot) }
        }
    }

    private func look(_ id: ReaderID, _ slot: ReaderSlot) {
        slot.refresh()
        withManager { $0.start(id, slot.current) }
    }

    /// Takes over what the world has done with readers and cards, in the order of the readers; none of them looks for
    /// cards before a client has established a context.
    func refresh() {
        follow()
        let slots = state.withLock { $0.wasUsed ? $0.slots : [:] }
        for (id, slot) in slots.sorted(by: { $0.key < $1.key }) {
            slot.refresh()
            // Another thread may have looked, and not have told of it yet.
            follow(id)
        }
    }

    /// Takes over what has become of a slot; read under the lock, so that nothing older comes after it.
    private func follow(_ id: ReaderID) {
        state.withLock { state in
            guard let slot = state.slots[id] else { return }
            state.manager.follow(id, slot.current)
            deliver(&state)
        }
    }
}

extension ReaderSlot {
    /// Changes the power of the card.
    ///
    /// - Returns: What came of it.
    func change(_ change: PowerChange) -> PowerOutcome {
        switch change {
        case .reset: return reset()
        case .down: return powerDown()
        case .cycle:
            powerDown()
            return reset()
        }
    }
}
