import TapWire

/// The PC/SC resource manager: contexts, connections to cards, locks and what has happened to whom, without any input
/// or output.
///
/// A value; requests go in by ``perform(_:for:)``, which says what is to be done. Checks and return codes come in the
/// order in which pcscd 1.9.9 has them. Source: pcsc-lite manual, "winscard.h"; order of checks: pcsc-lite 1.9.9.
struct ResourceManager {
    /// Connections to cards a context may have.
    ///
    /// Source: pcsc-lite, PCSC_MAX_CONTEXT_CARD_HANDLES.
    static let maximumCardsOfContext = 200
    /// Connections to cards a reader may have.
    ///
    /// Source: pcsc-lite, PCSC_MAX_READER_HANDLES.
    static let maximumCardsOfReader = 200

    /// A connection of a client to the service.
    struct Client {
        /// The context, or 0.
        var context: UInt32 = 0
        /// The minor version it speaks.
        var minor = ProtocolVersion.minors.lowerBound
        /// Its connections to cards, in their order.
        var cards: [Int32] = []
        /// Between its request to wait and its question for the states what it is not to be told yet, or nothing so far.
        var held: [UInt8]?
    }

    /// A connection to a card.
    struct Card {
        /// What happened that it has not been told of.
        enum Event: Hashable {
            case none
            case reset
            case removed
        }

        let reader: ReaderID
        var event = Event.none {
            didSet { usesSinceEvent = 0 }
        }
        /// How often its client has used it since then as if nothing had happened.
        var usesSinceEvent = 0
    }

    var readers: [ReaderID: ManagedReader] = [:]
    /// The connections to the service.
    var clients: [ClientID: Client] = [:]
    /// The connections to cards of readers that are there.
    var cards: [Int32: Card] = [:]
    /// Who is to be told of the next change, in the order of asking.
    var waiting: [ClientID] = []
    /// What is to be sent to clients beside answers, in this order.
    var notices: [(to: ClientID, bytes: [UInt8])] = []
    /// To which readers clients have connected and which they have let go since somebody asked; nothing while nobody
    /// does.
    var connections: [(to: ReaderID, isNew: Bool)]?
    /// The event counters of the places, which outlive their readers.
    var eventCounters = [UInt32](repeating: 0, count: ReaderState.places)
    /// Whether the next change is told to nobody, as a fault has it.
    var losesNextEvent = false
    /// How often readers have come or gone.
    var readerEvents: Int16 = 1
    /// What clients left open and misused.
    var usage = ServiceUsage()
    /// What they do between two uses of a card.
    var idling = Idling()
    /// What of that is no doing of theirs.
    var excuses = Excuses()

    /// Does what a client asks for, as far as no reader has to work.
    mutating func perform(_ request: ServiceRequest, for client: ClientID) -> ServiceStep {
        idling.take(request)
        return switch request {
        case .version(let message): greet(message, client)
        case .establish(let message): establish(message, client)
        case .release(let message): release(message, client)
        case .connect(let message): connect(message, client)
        case .reconnect(let message): owning(message.card, client) { $0.reconnect(message) }
        case .disconnect(let message): owning(message.card, client) { $0.disconnect(message, client) }
        case .beginTransaction(let message):
            owning(message.card, client, "SCardBeginTransaction") { $0.beginTransaction(message) }
        case .endTransaction(let message): owning(message.card, client) { $0.endTransaction(message) }
        case .transmit(let message, let command):
            owning(message.card, client, "SCardTransmit") { $0.transmit(message, command) }
        case .control(let message, let data): owning(message.card, client) { $0.control(message, data) }
        case .status(let message): owning(message.card, client) { $0.status(message) }
        case .cancel(let message): cancel(message)
        case .getAttribute(let message): owning(message.card, client) { $0.getAttribute(message) }
        case .setAttribute(let message): owning(message.card, client) { $0.setAttribute(message) }
        case .readerStates: .answer(readerStates)
        case .waitForChange: wait(client)
        case .stopWaiting: stopWaiting(client)
        case .readerEvents: .answer(CountMessage(count: UInt32(readerEvents)).bytes)
        case .readerArray: readerArray(client)
        case .readerCount: .answer(littleEndian(UInt32(ReaderState.places)))
        }
    }

    /// Goes on only for a client that has made the connection; another one guesses and is thrown out.
    ///
    /// - Parameter use: The call, if it is one that takes the card for as it was.
    private mutating func owning(
        _ card: Int32, _ client: ClientID, _ use: String? = nil, _ body: (inout ResourceManager) -> ServiceStep
    ) -> ServiceStep {
        guard let client = clients[client], client.context != 0, client.cards.contains(card) else { return .close }
        if let use { noteUse(of: card, by: use) }
        return body(&self)
    }

    private func littleEndian(_ number: UInt32) -> [UInt8] {
        var fields = FieldWriter(reserving: 4)
        fields.append(number)
        return fields.bytes
    }

    private mutating func greet(_ message: ProtocolVersion, _ client: ClientID) -> ServiceStep {
        let answer = message.answer
        if answer.result == .success { clients[client]?.minor = answer.minor }
        return .answer(answer.bytes)
    }
}

extension ResourceManager {
    /// The reader of a connection.
    ///
    /// - Throws: ``Refusal`` if it was unplugged.
    func reader(of card: Int32) throws(Refusal) -> (id: ReaderID, reader: ManagedReader) {
        guard let id = cards[card]?.reader, let reader = readers[id] else { throw Refusal(.invalidValue) }
        return (id, reader)
    }

    /// Makes sure that nothing has happened to a connection of which it has not been told.
    func checkEvent(_ card: Int32) throws(Refusal) {
        switch cards[card]?.event {
        case .some(.none): break
        case .reset: throw Refusal(.resetCard)
        case .removed: throw Refusal(.removedCard)
        case nil: throw Refusal(.invalidHandle)
        }
    }

    /// Lets something happen to all connections to a reader.
    mutating func raise(_ event: Card.Event, on reader: ReaderID) {
        for (handle, card) in cards where card.reader == reader { cards[handle]?.event = event }
    }

    /// A number that no context and no connection to a card has.
    func newHandle() -> Int32 {
        while true {
            let handle = Int32.random(in: 1...Int32.max)
            let isTaken = cards[handle] != nil || clients.contains { $0.value.context == handle }
            if !isTaken { return handle }
        }
    }
}
