import TapWire

extension ResourceManager {
    /// Connects to the card in a reader, or directly to the reader.
    mutating func connect(_ message: ConnectMessage, _ client: ClientID) throws(Refusal) -> ServiceStep {
        try checkProtocols(message.protocols, message.shareMode)
        try checkShareMode(message.shareMode)
        guard let (id, reader) = readers.first(where: { $0.value.state.name == message.reader }) else {
            throw Refusal(.unknownReader)
        }
        let isDirect = message.shareMode == .direct
        if let refusal = (isDirect ? Obstacles.connectDirectly : .connect).refusal(for: reader) {
            if refusal.code == .noSmartCard { idling.takeFruitlessConnect() }
            throw refusal
        }
        guard !isDirect, reader.power.isUnpowered else { return try finishConnecting(message, to: id, client) }
        return power(id, .reset, for: message) { manager, outcome throws(Refusal) in
            try? manager.readers[id]?.finishPowering(outcome)
            return try manager.finishConnecting(message, to: id, client)
        }
    }

    private mutating func finishConnecting(
        _ message: ConnectMessage, to id: ReaderID, _ client: ClientID
    ) throws(Refusal) -> ServiceStep {
        guard let reader = readers[id] else { throw Refusal(.readerUnavailable) }
        let isDirect = message.shareMode == .direct
        if !isDirect, let refusal = Obstacles.openConnection.refusal(for: reader) { throw refusal }
        try agree(on: message.protocols, message.shareMode, with: id)
        var answer = message
        answer.activeProtocol = readers[id]?.activeProtocol ?? []
        answer.card = newHandle()
        try readers[id]?.share(.connect(isExclusive: message.shareMode == .exclusive), answer.card)
        do throws(Refusal) {
            try record(answer.card, of: id, for: client, in: message.context)
        } catch {
            try? readers[id]?.unlockAll(answer.card)
            try? readers[id]?.share(.disconnect, answer.card)
            throw error
        }
        connections?.append((id, true))
        reportChange()
        return .answer(answer.answered(.success))
    }

    private mutating func record(
        _ card: Int32, of id: ReaderID, for client: ClientID, in context: UInt32
    ) throws(Refusal) {
        guard cards.count(where: { $0.value.reader == id }) < Self.maximumCardsOfReader else {
            throw Refusal(.internalError)
        }
        let owner = clients[client] ?? Client()
        guard owner.context != 0 else { throw Refusal(.invalidHandle) }
        guard owner.context == context else { throw Refusal(.invalidValue) }
        guard owner.cards.count < Self.maximumCardsOfContext else { throw Refusal(.noMemory) }
        clients[client]?.cards.append(card)
        cards[card] = Card(reader: id)
    }
}

extension ResourceManager {
    /// Renews a connection: clears its event, resets the card if requested, and renegotiates sharing.
    mutating func reconnect(_ message: ReconnectMessage) throws(Refusal) -> ServiceStep {
        guard [.leave, .reset, .unpower].contains(message.initialization) else { throw Refusal(.invalidValue) }
        try checkShareMode(message.shareMode)
        try checkProtocols(message.protocols, message.shareMode)
        guard message.initialization != .leave else {
            let (id, _) = try reader(of: message.card, unless: .reconnect)
            return try finishReconnecting(message, of: id)
        }
        let (id, _) = try reader(of: message.card, unless: .reconnectWithReset)
        raise(.reset, on: id)
        let change = message.initialization == .reset ? PowerChange.reset : .cycle
        return power(id, change, for: message) { manager, outcome throws(Refusal) in
            do throws(Refusal) { try manager.readers[id]?.finishPowering(outcome) } catch {
                throw error.code == .removedCard ? Refusal(.noSmartCard) : error
            }
            return try manager.finishReconnecting(message, of: id)
        }
    }

    private mutating func finishReconnecting(
        _ message: ReconnectMessage, of id: ReaderID
    ) throws(Refusal) -> ServiceStep {
        guard readers[id] != nil else { throw Refusal(.invalidValue) }
        try agree(on: message.protocols, message.shareMode, with: id)
        var answer = message
        answer.activeProtocol = readers[id]?.activeProtocol ?? []
        try readers[id]?.share(.reconnect(isExclusive: message.shareMode == .exclusive), message.card)
        cards[message.card]?.event = .none
        reportChange()
        return .answer(answer.answered(.success))
    }
}

extension PCSCProtocols {
    /// T=0 or T=1, in the notation of old clients.
    static let anyAsOfOld = PCSCProtocols(rawValue: 0x1000)
    /// The protocols of which a client must name at least one to connect to a card.
    static let known: PCSCProtocols = [.t0, .t1, .raw, .anyAsOfOld]
}

extension ResourceManager {
    func checkProtocols(_ protocols: PCSCProtocols, _ mode: PCSCShareMode) throws(Refusal) {
        if mode != .direct, protocols.isDisjoint(with: .known) { throw Refusal(.protocolMismatch) }
    }

    func checkShareMode(_ mode: PCSCShareMode) throws(Refusal) {
        guard [.exclusive, .shared, .direct].contains(mode) else { throw Refusal(.invalidValue) }
    }

    /// Agrees on the protocol of a reader, unless the current protocol suits.
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

    /// Chooses T=1 before T=0, from the wanted protocols that the card offers.
    private static func chosen(of wanted: PCSCProtocols, _ atr: [UInt8]) throws(Refusal) -> PCSCProtocols {
        let common = wanted.intersection(PCSCProtocols(offeredBy: atr))
        if common.contains(.t1) { return .t1 }
        if common.contains(.t0) { return .t0 }
        throw Refusal(.protocolMismatch)
    }
}

extension PCSCProtocols {
    /// Creates the set of protocols that an ATR offers: T=0 if it names none; empty if it is not an ATR or names another
    /// protocol first.
    ///
    /// Source: ISO/IEC 7816-3, sections 8.2.2 and 8.2.3.
    init(offeredBy atr: [UInt8]) {
        self = []
        guard atr.count > 1, [0x3B, 0x3F].contains(atr[0]) else { return }
        var offset = 1
        var group = 1
        while offset < atr.count {
            // Bits 5 to 8 of T0 and of each TD indicate which of TA, TB, TC and TD come next.
            let follows = atr[offset] >> 4
            if group == 2, follows & 1 != 0, offset + 1 < atr.count {
                // TA2 names the only protocol.
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

    /// Creates the protocol in the low half of a TD or TA2; empty if the protocol does not carry commands.
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
    mutating func disconnect(_ message: DispositionMessage, _ client: ClientID) throws(Refusal) -> ServiceStep {
        guard message.disposition.isKnown else { throw Refusal(.invalidValue) }
        // This also ends the transactions of the handle, so a client need not end them first.
        return disconnect(message.card, message.disposition) { manager, code in
            if code == .success { manager.clients[client]?.cards.removeAll { $0 == message.card } }
            return .answer(message.answered(code))
        }
    }

    /// Ends a connection and leaves the card as the disposition says; other connections see a reset.
    ///
    /// It succeeds even if the reader was unplugged.
    mutating func disconnect(
        _ card: Int32, _ disposition: PCSCDisposition, then: @escaping ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        guard let id = cards[card]?.reader, let reader = readers[id] else { return then(&self, .success) }
        if disposition != .leave, Obstacles.disconnectWithReset.refusal(for: reader, card) != nil {
            return .wait(orAnswer: nil)
        }
        // The connection keeps its locks until the card is in its final state.
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
            // No contactless reader ejects cards; pcscd does not reject that either.
            return forget(card, of: id, then: then)
        }
    }

    private mutating func forget(
        _ card: Int32, of id: ReaderID, then: ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        cards[card] = nil
        try? readers[id]?.unlockAll(card)
        try? readers[id]?.share(.disconnect, card)
        connections?.append((id, false))
        // pcscd powers down an unused card after some time, which clears the protocol; here that needs no clock.
        if readers[id]?.sharing == .free { readers[id]?.activeProtocol = [] }
        reportChange()
        return then(&self, .success)
    }
}

extension PCSCDisposition {
    var isKnown: Bool { [.leave, .reset, .unpower, .eject].contains(self) }
}
