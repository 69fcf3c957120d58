import TapReaders
import TapWire

extension ResourceManager {
    /// Connects to the card in a reader, or directly to the reader.
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
            // The end of a transaction is awaited without a limit.
            guard reader.lockHolder == 0, !reader.isPowering else { return .wait(orAnswer: nil) }
            guard message.shareMode != .direct else { return finishConnecting(answer, to: id, client) }
            guard reader.hasCard else {
                idling.takeFruitlessConnect()
                throw Refusal(.noSmartCard)
            }
            guard reader.isUnpowered else { return finishConnecting(answer, to: id, client) }
            return power(id, .reset) { manager, outcome in
                try? manager.readers[id]?.finishPowering(outcome)
                return manager.finishConnecting(answer, to: id, client)
            }
        } catch {
            return .answer(answer.answered(error.code))
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
            connections?.append((id, true))
            tellChange()
            return .answer(answer.answered(.success))
        } catch {
            answer.card = 0
            return .answer(answer.answered(error.code))
        }
    }

    /// Shares the reader or takes it exclusively.
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

    /// Gives back one connection's share of a reader.
    mutating func releaseShare(of id: ReaderID) {
        guard var reader = readers[id] else { return }
        switch reader.sharing {
        case .exclusive: reader.sharing = .free
        case .shared(let count): reader.sharing = .shared(count: max(0, count - 1))
        }
        readers[id] = reader
    }
}

extension ResourceManager {
    /// Renews a connection: clears its event, resets the card if asked, and renegotiates sharing.
    mutating func reconnect(_ message: ReconnectMessage) -> ServiceStep {
        var answer = message
        answer.activeProtocol = []
        do throws(Refusal) {
            guard [.leave, .reset, .unpower].contains(message.initialization) else { throw Refusal(.invalidValue) }
            try checkShareMode(message.shareMode)
            try checkProtocols(message.protocols, message.shareMode)
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            guard !reader.isPowering else { return .wait(orAnswer: nil) }
            guard message.initialization == .leave else {
                raise(.reset, on: id)
                let change = message.initialization == .reset ? PowerChange.reset : .cycle
                return power(id, change) { manager, outcome in
                    manager.finishReset(answer, outcome, of: id)
                }
            }
            guard reader.hasCard else { throw Refusal(.noSmartCard) }
            guard !reader.state.flags.contains(.swallowed) else { throw Refusal(.unresponsiveCard) }
            return finishReconnecting(answer, of: id)
        } catch {
            return .answer(answer.answered(error.code))
        }
    }

    private mutating func finishReset(
        _ message: ReconnectMessage, _ outcome: ReaderSlot.State, of id: ReaderID
    ) -> ServiceStep {
        do throws(Refusal) {
            try readers[id]?.finishPowering(outcome)
            return finishReconnecting(message, of: id)
        } catch {
            return .answer(message.answered(error.code == .removedCard ? .noSmartCard : error.code))
        }
    }

    private mutating func finishReconnecting(_ message: ReconnectMessage, of id: ReaderID) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            _ = try reader(of: message.card)
            try agree(on: message.protocols, message.shareMode, with: id)
            answer.activeProtocol = readers[id]?.activeProtocol ?? []
            try shareAnew(id, message.shareMode, with: message.card)
            cards[message.card]?.event = .none
            tellChange()
            return .answer(answer.answered(.success))
        } catch {
            return .answer(answer.answered(error.code))
        }
    }

    private mutating func shareAnew(_ id: ReaderID, _ mode: PCSCShareMode, with card: Int32) throws(Refusal) {
        guard var reader = readers[id] else { return }
        switch (reader.sharing, mode) {
        case (.exclusive, .exclusive): break
        case (.shared(let count), .exclusive):
            guard count == 1 else { throw Refusal(.sharingViolation) }
            reader.sharing = .exclusive
            try reader.lock(card)
        case (.exclusive, _):
            try? reader.unlock(card)
            reader.sharing = .shared(count: 1)
        default: break
        }
        readers[id] = reader
    }
}

extension PCSCProtocols {
    /// T=0 or T=1, as old clients name it.
    static let anyAsOfOld = PCSCProtocols(rawValue: 0x1000)
    /// The protocols of which a client of a card must name at least one.
    static let known: PCSCProtocols = [.t0, .t1, .raw, .anyAsOfOld]
}

extension ResourceManager {
    func checkProtocols(_ protocols: PCSCProtocols, _ mode: PCSCShareMode) throws(Refusal) {
        if mode != .direct, protocols.isDisjoint(with: .known) { throw Refusal(.protocolMismatch) }
    }

    func checkShareMode(_ mode: PCSCShareMode) throws(Refusal) {
        guard [.exclusive, .shared, .direct].contains(mode) else { throw Refusal(.invalidValue) }
    }

    /// Agrees on the protocol of a reader, unless the agreed one suits.
    mutating func agree(on protocols: PCSCProtocols, _ mode: PCSCShareMode, with id: ReaderID) throws(Refusal) {
        guard let reader = readers[id] else { return }
        if protocols.contains(.raw) {
            readers[id]?.activeProtocol = .raw
        } else if mode != .direct {
            if reader.activeProtocol.isEmpty {
                let wanted: PCSCProtocols = protocols.contains(.anyAsOfOld) ? [.t0, .t1] : protocols
                let chosen = try Self.chosen(of: wanted, reader.state.atr)
                readers[id]?.activeProtocol = chosen
            } else if protocols.isDisjoint(with: reader.activeProtocol) {
                throw Refusal(.protocolMismatch)
            }
        }
    }

    /// T=1 before T=0, of the wanted protocols that the card offers.
    private static func chosen(of wanted: PCSCProtocols, _ atr: [UInt8]) throws(Refusal) -> PCSCProtocols {
        let common = wanted.intersection(PCSCProtocols(offeredBy: atr))
        if common.contains(.t1) { return .t1 }
        if common.contains(.t0) { return .t0 }
        throw Refusal(.protocolMismatch)
    }
}

extension PCSCProtocols {
    /// The protocols an ATR offers: T=0 if it names none; empty if it is no ATR or names another protocol first.
    ///
    /// Source: ISO/IEC 7816-3, sections 8.2.2 and 8.2.3.
    init(offeredBy atr: [UInt8]) {
        self = []
        guard atr.count > 1, [0x3B, 0x3F].contains(atr[0]) else { return }
        var offset = 1
        var group = 1
        while offset < atr.count {
            // Bits 5 to 8 of T0 and of each TD say which of TA, TB, TC and TD come next.
            let follows = atr[offset] >> 4
            if group == 2, follows & 1 != 0, offset + 1 < atr.count {
                // TA2 names the one protocol there is.
                self = Self(number: atr[offset + 1])
                return
            }
            guard follows & 8 != 0 else { break }
            offset += follows.nonzeroBitCount
            guard offset < atr.count else { break }
            formUnion(Self(number: atr[offset]))
            if isEmpty { return }
            group += 1
        }
        if isEmpty { self = .t0 }
    }

    /// The protocol in the low half of a TD or TA2; empty for one that does not carry commands.
    private init(number: UInt8) {
        switch number & 0x0F {
        case 0: self = .t0
        case 1: self = .t1
        default: self = []
        }
    }
}

extension ResourceManager {
    /// Ends a connection to a card.
    mutating func disconnect(_ message: DispositionMessage, _ client: ClientID) -> ServiceStep {
        guard message.disposition.isKnown else { return .answer(message.answered(.invalidValue)) }
        let isForgotten = hasForgottenTransaction(message.card)
        return disconnect(message.card, message.disposition) { manager, code in
            if code == .success {
                manager.clients[client]?.cards.removeAll { $0 == message.card }
                if isForgotten { manager.usage.transactions += 1 }
            }
            return .answer(message.answered(code))
        }
    }

    /// Ends a connection and leaves the card as a disposition says; others are told of a reset.
    ///
    /// It succeeds even if the reader was unplugged.
    mutating func disconnect(
        _ card: Int32, _ disposition: PCSCDisposition, then: @escaping ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        guard let id = cards[card]?.reader, let reader = readers[id] else { return then(&self, .success) }
        if disposition != .leave, reader.isLocked(against: card) { return .wait(orAnswer: nil) }
        // The locks of the connection stay until the card is in its final state.
        switch disposition {
        case .reset:
            raise(.reset, on: id)
            return power(id, .reset) { manager, outcome in
                try? manager.readers[id]?.finishPowering(outcome)
                return manager.forget(card, of: id, then: then)
            }
        case .unpower:
            raise(.reset, on: id)
            return power(id, .down) { manager, outcome in
                manager.readers[id]?.finishUnpowering(outcome)
                return manager.forget(card, of: id, then: then)
            }
        default:
            // No contactless reader ejects cards; pcscd does not refuse that either.
            return forget(card, of: id, then: then)
        }
    }

    private mutating func forget(
        _ card: Int32, of id: ReaderID, then: ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        cards[card] = nil
        try? readers[id]?.unlockAll(card)
        releaseShare(of: id)
        connections?.append((id, false))
        // pcscd removes power from an unused card after some time, and the protocol with it; here that needs no clock.
        if readers[id]?.sharing == .free { readers[id]?.activeProtocol = [] }
        tellChange()
        return then(&self, .success)
    }
}

extension PCSCDisposition {
    var isKnown: Bool { [.leave, .reset, .unpower, .eject].contains(self) }
}
