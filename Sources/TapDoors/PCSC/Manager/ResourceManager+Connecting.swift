import TapReaders
import TapWire

extension ResourceManager {
    /// Connects to the card in a reader, or to the reader itself.
    mutating func connect(_ message: ConnectMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        answer.card = 0
        do throws(Refusal) {
            try checkProtocols(message.protocols, message.shareMode)
            try checkShareMode(message.shareMode)
            guard let (id, reader) = readers.first(where: { $0.value.state.name == message.reader }) else {
                throw Refusal(.unknownReader)
            }
            guard reader.sharing != .exclusive else { throw Refusal(.sharingViolation) }
            // A transaction is waited for without end.
            guard reader.lockHolder == 0 else { return .wait(orAnswer: nil) }
            guard message.shareMode != .direct else { return finishConnecting(answer, to: id, client) }
            guard reader.hasCard else {
                idling.takeFruitlessConnect()
                throw Refusal(.noSmartCard)
            }
            guard reader.isUnpowered else { return finishConnecting(answer, to: id, client) }
            return .power(id, .reset) { manager, outcome in
                try? manager.readers[id]?.finishPowering(outcome)
                return manager.finishConnecting(answer, to: id, client)
            }
        } catch {
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishConnecting(
        _ message: ConnectMessage, to id: ReaderID, _ client: ClientID
    ) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            guard let reader = readers[id] else { throw Refusal(.readerUnavailable) }
            if message.shareMode != .direct, !reader.state.flags.contains(.powered) { throw Refusal(.unpoweredCard) }
            try agree(on: message.protocols, message.shareMode, with: id)
            answer.activeProtocol = readers[id]?.activeProtocol ?? []
            answer.card = newHandle()
            try share(id, message.shareMode, with: answer.card)
            do throws(Refusal) {
                try record(answer.card, of: id, message, client)
            } catch {
                try? readers[id]?.unlockAll(answer.card)
                releaseShare(of: id)
                throw error
            }
            answer.result = .success
            connections?.append((id, true))
            tellChange()
        } catch {
            answer.card = 0
            answer.result = error.code
        }
        return .answer(answer.bytes)
    }

    /// Takes the reader as the share mode says.
    private mutating func share(_ id: ReaderID, _ mode: PCSCShareMode, with card: Int32) throws(Refusal) {
        guard var reader = readers[id] else { return }
        switch (reader.sharing, mode) {
        case (.exclusive, _): throw Refusal(.sharingViolation)
        case (.shared(let count), .exclusive):
            guard count == 0 else { throw Refusal(.sharingViolation) }
            reader.sharing = .exclusive
            try reader.lock(card)
        case (.shared(let count), _): reader.sharing = .shared(count: count + 1)
        }
        readers[id] = reader
    }

    private mutating func record(
        _ card: Int32, of id: ReaderID, _ message: ConnectMessage, _ client: ClientID
    ) throws(Refusal) {
        guard cards.count(where: { $0.value.reader == id }) < Self.maximumCardsOfReader else {
            throw Refusal(.internalError)
        }
        let owner = clients[client] ?? Client()
        guard owner.context != 0 else { throw Refusal(.invalidHandle) }
        guard owner.context == message.context else { throw Refusal(.invalidValue) }
        guard owner.cards.count < Self.maximumCardsOfContext else { throw Refusal(.noMemory) }
        clients[client]?.cards.append(card)
        cards[card] = Card(reader: id)
    }

    /// Gives back what one connection had of a reader.
    mutating func releaseShare(of id: ReaderID) {
        guard var reader = readers[id] else { return }
        switch reader.sharing {
        case .exclusive: reader.sharing = .free
        case .shared(let count): reader.sharing = .shared(count: max(0, count - 1))
        }
        readers[id] = reader
    }
}
