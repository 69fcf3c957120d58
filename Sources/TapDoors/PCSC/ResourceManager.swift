import TapReaders
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
        /// Between its request to wait and its question for the states what it is not to be told yet, or `nil` so far.
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
    /// To which readers clients have connected and which they have let go since somebody asked; `nil` while nobody
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
    /// What of that is not their fault.
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
        case .readerCount: .answer([UInt8(ReaderState.places), 0, 0, 0])
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

/// What is to be done for a client.
///
/// Where a reader has to work, the rest of the request is what comes `then`: a reader may take its time, and meanwhile
/// others use the manager.
enum ServiceStep {
    /// Goes on with the manager and what a reader gave.
    typealias Then<Result> = (inout ResourceManager, Result) -> ServiceStep

    /// Send this; nothing if it is empty.
    case answer([UInt8])
    /// Break the connection.
    case close
    /// Ask again when somebody has given up a reader; give up after a poll period with an answer, if there is one.
    case wait(orAnswer: [UInt8]?)
    /// Let the readers look for cards, if they do not yet.
    case start(then: (inout ResourceManager) -> ServiceStep)
    /// Change the power of a card.
    case power(ReaderID, PowerChange, then: Then<ReaderSlot.PowerOutcome>)
    /// Send a command to the card that has been in the reader since its content changed last.
    case transmit(ReaderID, [UInt8], changes: Int, then: Then<ReaderAnswer>)
    /// Send a command to the reader.
    case control(ReaderID, UInt32, [UInt8], then: Then<ReaderAnswer>)
    /// Ask the reader for an attribute.
    case attribute(ReaderID, PCSCAttribute, then: Then<[UInt8]?>)
}

/// What to do to the power of a card.
enum PowerChange: Hashable, Sendable {
    /// Give it power, or reset it.
    case reset
    /// Take it.
    case down
    /// Take it and give it again.
    case cycle
}

/// A reader, from plugging to unplugging; never given twice.
typealias ReaderID = Int

/// A connection to the service, from its beginning to its end; never given twice.
typealias ClientID = Int

/// Why a request is refused.
struct Refusal: Error, Hashable {
    let code: PCSCReturnCode

    init(_ code: PCSCReturnCode) {
        self.code = code
    }
}

extension ResourceManager {
    /// The scopes there are; they all mean the same.
    private static let scopes: ClosedRange<UInt32> = 0...3

    /// Takes a connection to the service in.
    mutating func admit(_ client: ClientID) {
        clients[client] = Client()
    }

    /// Gives a client a context; the readers look for cards from the first one on.
    mutating func establish(_ message: EstablishMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        guard Self.scopes.contains(message.scope) else {
            answer.context = 0
            answer.result = .invalidValue
            return .answer(answer.bytes)
        }
        return .start { manager in
            answer.context = UInt32(manager.newHandle())
            answer.result = .success
            manager.clients[client]?.context = answer.context
            return .answer(answer.bytes)
        }
    }

    /// Takes a context back, with all connections to cards.
    mutating func release(_ message: ContextMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        let context = clients[client]?.context ?? 0
        answer.result = context == 0 ? .invalidHandle : context == message.context ? .success : .invalidValue
        guard answer.result == .success else { return .answer(answer.bytes) }
        countOpen(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client]?.context = 0
            return .answer(answer.bytes)
        }
    }

    /// Lets a connection to the service go that has ended.
    mutating func dismiss(_ client: ClientID) -> ServiceStep {
        waiting.removeAll { $0 == client }
        countContext(of: client)
        countOpen(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client] = nil
            return .close
        }
    }

    /// Ends all connections to cards; one that has locked its reader leaves the card reset.
    private mutating func disconnectAll(
        _ client: ClientID, then: @escaping (inout ResourceManager) -> ServiceStep
    ) -> ServiceStep {
        guard let card = clients[client]?.cards.first else { return then(&self) }
        clients[client]?.cards.removeFirst()
        guard let entry = cards[card] else { return disconnectAll(client, then: then) }
        let isLocked = readers[entry.reader]?.lockHolder == card
        let disposition = isLocked && entry.event == .none ? PCSCDisposition.reset : .leave
        return disconnect(card, disposition) { manager, _ in manager.disconnectAll(client, then: then) }
    }
}

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
        return states.flatMap(\.bytes)
    }
}

extension ResourceManager {
    /// The last version at which the request to wait is answered with the states.
    private static let lastMinorWithStates: Int32 = 5

    /// Notes who is to be told of the next change.
    ///
    /// The states go out as a notice, so that no word of a change can come before them. At 4.6 the client asks for them
    /// after this, and word of a change is held back until it has them: it would take it for their number.
    mutating func wait(_ client: ClientID) -> ServiceStep {
        if !waiting.contains(client) { waiting.append(client) }
        guard let minor = clients[client]?.minor, minor > Self.lastMinorWithStates else {
            notices.append((client, readerStates))
            return .answer([])
        }
        clients[client]?.held = []
        return .answer([])
    }

    /// The states of all places, and behind them what was held back until the client has them.
    mutating func readerArray(_ client: ClientID) -> ServiceStep {
        guard let held = clients[client]?.held else { return .answer(readerStates) }
        clients[client]?.held = nil
        notices.append((client, readerStates + held))
        return .answer([])
    }

    /// Ends the waiting; whoever was told of a change meanwhile takes that for the answer.
    mutating func stopWaiting(_ client: ClientID) -> ServiceStep {
        stopHolding(client)
        endWaiting(of: client, with: .success)
        return .answer([])
    }

    /// Whether word of a change is held back from a client until it has asked for the states.
    func holdsBack(from client: ClientID) -> Bool { clients[client]?.held != nil }

    /// Sends what is held back, to a client that does not ask for the states.
    mutating func stopHolding(_ client: ClientID) {
        guard let held = clients[client]?.held else { return }
        clients[client]?.held = nil
        if !held.isEmpty { notices.append((client, held)) }
    }

    /// Ends the waiting of the client of another connection.
    mutating func cancel(_ message: ContextMessage) -> ServiceStep {
        var answer = message
        let target = clients.first { $0.value.context == message.context && message.context != 0 }?.key
        answer.result = target.map { endWaiting(of: $0, with: .cancelled) } == true ? .success : .invalidHandle
        return .answer(answer.bytes)
    }

    /// Tells all who wait that something has changed.
    mutating func tellChange() {
        guard !losesNextEvent else { return losesNextEvent = false }
        for client in waiting { endWaiting(of: client, with: .success) }
    }

    /// Ends the waiting of a client.
    ///
    /// - Returns: Whether it waited.
    @discardableResult
    mutating func endWaiting(of client: ClientID, with code: PCSCReturnCode) -> Bool {
        guard let index = waiting.firstIndex(of: client) else { return false }
        waiting.remove(at: index)
        let bytes = CountMessage(code).bytes
        if clients[client]?.held == nil { notices.append((client, bytes)) } else { clients[client]?.held = bytes }
        return true
    }
}

/// Tells clients that use a card from those that only wait for cards to come or go.
///
/// SCardGetStatusChange, SCardStatus and a command that is sent again and again with the same bytes and gets the same
/// answer tell a client nothing but whether the card is there. Connecting and letting go say neither: clients that poll do
/// it between two looks.
struct Idling {
    /// How often in a row clients have only asked whether a card is there.
    private(set) var checks = 0
    /// How often they have done something else.
    private(set) var actions = 0
    private var command: [UInt8]?
    private var answer: [UInt8]?

    /// Takes a request before it is performed.
    mutating func take(_ request: ServiceRequest) {
        switch request {
        case .waitForChange, .status: checks += 1
        case .transmit(_, let bytes), .control(_, let bytes): if bytes != command { begin(bytes) }
        case .getAttribute, .setAttribute, .reconnect: begin(nil)
        case .version, .establish, .release, .connect, .disconnect, .beginTransaction, .endTransaction, .cancel,
            .readerStates, .stopWaiting, .readerEvents, .readerCount, .readerArray:
            break
        }
    }

    /// Takes the answer to a command.
    mutating func take(answer bytes: [UInt8]) {
        if bytes == answer { checks += 1 } else { begin(command) }
        answer = bytes
    }

    /// Takes a connection that found no card.
    mutating func takeFruitlessConnect() {
        checks += 1
    }

    private mutating func begin(_ command: [UInt8]?) {
        actions += 1
        checks = 0
        self.command = command
        answer = nil
    }
}

extension ResourceManager {
    /// What clients do, as far as their requests show it.
    var doorActivity: DoorActivity {
        var activity = DoorActivity()
        activity.isWaiting = !waiting.isEmpty
        activity.checks = idling.checks
        activity.actions = idling.actions
        return activity
    }
}
