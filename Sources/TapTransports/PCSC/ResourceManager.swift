import TapReaders
import TapWire

/// The PC/SC resource manager: contexts, connections to cards, locks and events, without input or output.
///
/// The manager is a value; ``perform(_:for:)`` takes a request and returns the next step. Checks and return codes follow the
/// order of pcscd 1.9.9. Source: pcsc-lite manual, "winscard.h"; order of checks: pcsc-lite 1.9.9.
struct ResourceManager {
    /// Source: pcsc-lite, PCSC_MAX_CONTEXT_CARD_HANDLES.
    static let maximumCardsOfContext = 200
    /// Source: pcsc-lite, PCSC_MAX_READER_HANDLES.
    static let maximumCardsOfReader = 200

    /// A connection of a client to the service.
    struct Client {
        /// The context, or 0.
        var context: UInt32 = 0
        /// The minor version of the protocol that the client uses.
        var minor = ProtocolVersion.minors.lowerBound
        /// The client's connections to cards, in order of connecting.
        var cards: [Int32] = []
        var waiting = Waiting.idle
        /// The return code with which a fault ends the client's waiting, until it waits again.
        var refusal: PCSCReturnCode?
        /// A Boolean value that indicates whether the client is inside `SCardGetStatusChange`, in which the library waits again
        /// after each reported change.
        var isInsideWait = false
        /// The consecutive requests of the client inside `SCardGetStatusChange`.
        var watch = StatusWatch()
    }

    struct Card {
        /// An event that has not been reported to the connection.
        enum Event: Hashable {
            case none
            case reset
            case removed
        }

        let reader: ReaderID
        var event = Event.none {
            didSet { usesSinceEvent = 0 }
        }
        /// The number of times its client has used the connection since the event without reconnecting.
        var usesSinceEvent = 0
    }

    var readers: [ReaderID: ManagedReader] = [:]
    /// The connections to the service.
    var clients: [ClientID: Client] = [:]
    /// The connections to cards of readers that are plugged in.
    var cards: [Int32: Card] = [:]
    /// The clients that wait for the next change.
    var waiting: [ClientID] { clients.keys.filter { clients[$0]?.waiting.isUnderWay == true }.sorted() }
    /// Messages to clients other than answers, in order.
    var notices: [(to: ClientID, bytes: [UInt8])] = []
    /// Connections begun and ended since the last read; `nil` if they are not recorded.
    var connections: [(to: ReaderID, isNew: Bool)]?
    /// The event counters of the reader positions, which outlive the readers.
    var eventCounters = [UInt32](repeating: 0, count: ReaderState.places)
    /// A Boolean value that indicates whether a fault suppresses the notice of the next change.
    var losesNextEvent = false
    /// The number of times readers were plugged in or unplugged.
    var readerEvents: Int16 = 1
    var usage = ServiceUsage()
    var idling = Idling()
    var excuses = Excuses()

    /// Performs a request up to the point at which a reader has to work.
    mutating func perform(_ request: ServiceRequest, for client: ClientID) -> ServiceStep {
        idling.take(request)
        if request.call != nil || request == .stopWaiting { clients[client]?.isInsideWait = request == .waitForChange }
        noteATR(in: request, client)
        if let card = request.card {
            // A client that guessed a handle is disconnected.
            guard let client = clients[client], client.context != 0, client.cards.contains(card) else { return .close }
        }
        do throws(Refusal) {
            return try carryOut(request, for: client)
        } catch {
            if case .endTransaction = request { excuseRefused(request, of: client) }
            return error.step(for: request.message)
        }
    }

    private mutating func carryOut(_ request: ServiceRequest, for client: ClientID) throws(Refusal) -> ServiceStep {
        switch request {
        case .version(let message): greet(message, client)
        case .establish(let message): establish(message, client)
        case .release(let message): release(message, client)
        case .connect(let message): try connect(message, client)
        case .reconnect(let message): try reconnect(message)
        case .disconnect(let message): try disconnect(message, client)
        case .beginTransaction(let message): try beginTransaction(message)
        case .endTransaction(let message): try endTransaction(message)
        case .transmit(let message, let command): try transmit(message, command)
        case .control(let message, let data): try control(message, data)
        case .status(let message): try status(message)
        case .cancel(let message): cancel(message)
        case .getAttribute(let message): try getAttribute(message)
        case .setAttribute(let message): try setAttribute(message)
        case .readerStates: .answer(readerStates)
        case .waitForChange: wait(client)
        case .stopWaiting: stopWaiting(client)
        case .readerEvents: .answer(CountMessage(count: UInt32(readerEvents)).bytes)
        case .readerArray: readerArray(client)
        case .readerCount: .answer([UInt8(ReaderState.places), 0, 0, 0])
        }
    }

    private mutating func greet(_ message: ProtocolVersion, _ client: ClientID) -> ServiceStep {
        let answer = message.answer
        if answer.result == .success { clients[client]?.minor = answer.minor }
        return .answer(answer.bytes)
    }
}

extension ResourceManager {
    /// Returns the reader of a connection in use.
    ///
    /// - Throws: ``Refusal`` if the reader was unplugged, or there is an obstacle.
    func reader(of card: Int32, unless obstacles: Obstacles) throws(Refusal) -> (id: ReaderID, reader: ManagedReader) {
        guard let connection = cards[card], let reader = readers[connection.reader] else {
            throw Refusal(.invalidValue)
        }
        if let refusal = obstacles.refusal(for: reader, card, connection.event) { throw refusal }
        return (connection.reader, reader)
    }

    /// Raises an event for all connections to a reader.
    mutating func raise(_ event: Card.Event, on reader: ReaderID) {
        for (handle, card) in cards where card.reader == reader { cards[handle]?.event = event }
    }

    /// Changes the power of a card; meanwhile nobody may connect or reconnect to the card, since they would not learn of the
    /// reset.
    ///
    /// - Parameter message: The structure of the answer if `then` throws a refusal.
    mutating func power(
        _ id: ReaderID, _ change: PowerChange, for message: (any ResultMessage)? = nil,
        then: @escaping (inout ResourceManager, ReaderSlot.State) throws(Refusal) -> ServiceStep
    ) -> ServiceStep {
        readers[id]?.powerings += 1
        return .power(id, change) { manager, outcome in
            manager.readers[id]?.powerings -= 1
            do throws(Refusal) { return try then(&manager, outcome) } catch { return error.step(for: message) }
        }
    }

    /// Returns a number that no context and no connection to a card uses.
    func newHandle() -> Int32 {
        while true {
            let handle = Int32.random(in: 1...Int32.max)
            let isTaken = cards[handle] != nil || clients.contains { $0.value.context == handle }
            if !isTaken { return handle }
        }
    }
}

/// The next step for a client.
///
/// If a reader has to work, `then` continues the request with the result: a reader may take its time, and other clients use the
/// manager meanwhile.
enum ServiceStep {
    typealias Then<Result> = (inout ResourceManager, Result) -> ServiceStep

    /// Send an answer, unless it is empty.
    case answer([UInt8])
    case close
    /// Perform the request again when a reader is released; after a poll period give up with an answer, if there is one.
    case wait(orAnswer: [UInt8]?)
    /// Let the readers look for cards, if they do not look yet.
    case start(then: (inout ResourceManager) -> ServiceStep)
    case power(ReaderID, PowerChange, then: Then<ReaderSlot.State>)
    /// Send a command to the card, unless the content of the reader has changed since.
    case transmit(ReaderID, [UInt8], changes: Int, then: Then<ReaderAnswer>)
    /// Send a command to the reader.
    case control(ReaderID, UInt32, [UInt8], then: Then<ReaderAnswer>)
    case attribute(ReaderID, PCSCAttribute, then: Then<[UInt8]?>)
}

enum PowerChange: Hashable, Sendable {
    /// Power it up, or reset it.
    case reset
    case down
    /// Power it down and up again.
    case cycle
}

/// A reader, from plugging to unplugging; never reused.
typealias ReaderID = Int

/// A connection to the service, from its beginning to its end; never reused.
typealias ClientID = Int

extension ResourceManager {
    /// The valid scopes; they all mean the same.
    private static let scopes: ClosedRange<UInt32> = 0...3

    /// Adds a connection to the service.
    mutating func admit(_ client: ClientID) {
        clients[client] = Client()
    }

    /// Gives a client a context; the readers look for cards once there is a first context.
    mutating func establish(_ message: EstablishMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        guard Self.scopes.contains(message.scope) else {
            answer.context = 0
            return .answer(answer.answered(.invalidValue))
        }
        return .start { manager in
            answer.context = UInt32(manager.newHandle())
            manager.clients[client]?.context = answer.context
            return .answer(answer.answered(.success))
        }
    }

    /// Releases a context with all its connections to cards.
    mutating func release(_ message: ContextMessage, _ client: ClientID) -> ServiceStep {
        let context = clients[client]?.context ?? 0
        guard context == message.context, context != 0 else {
            return .answer(message.answered(context == 0 ? .invalidHandle : .invalidValue))
        }
        countOpen(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client]?.context = 0
            return .answer(message.answered(.success))
        }
    }

    /// Removes a connection to the service that has ended.
    mutating func dismiss(_ client: ClientID) -> ServiceStep {
        if clients[client]?.waiting.isUnderWay == true { usage.waits += 1 }
        clients[client]?.waiting = .idle
        countContext(of: client)
        countOpen(of: client)
        settleWatch(of: client)
        return disconnectAll(client) { manager in
            manager.clients[client] = nil
            return .close
        }
    }

    /// Ends all connections to cards; a connection that has locked its reader resets the card.
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
    /// The maximum length of a model's name: two numbers and a zero byte follow it.
    private static let maximumModelName = ReaderState.nameSize - " 00 00".utf8.count - 1

    /// Adds a reader at the first free position, whose number is appended to the reader's name.
    ///
    /// - Returns: `true` if there was a free position.
    mutating func plug(_ id: ReaderID, model: String) -> Bool {
        let taken = Set(readers.values.map(\.place))
        guard let place = (0..<ReaderState.places).first(where: { !taken.contains($0) }) else { return false }
        let name = String(decoding: model.utf8.prefix(Self.maximumModelName), as: UTF8.self)
        readers[id] = ManagedReader(
            name: "\(name) \(Hex.digits(place, width: 2)) 00", place: place, eventCounter: eventCounters[place])
        countReaderEvent()
        return true
    }

    /// Removes a reader with all connections to it.
    mutating func unplug(_ id: ReaderID) {
        guard let reader = readers.removeValue(forKey: id) else { return }
        eventCounters[reader.place] = reader.state.eventCounter
        for (handle, card) in cards where card.reader == id { cards[handle] = nil }
        countReaderEvent()
        reportChange(ofReaders: true)
    }

    private mutating func countReaderEvent() {
        readerEvents = readerEvents == .max ? 1 : readerEvents + 1
    }

    /// Takes over the state of a reader's slot; the first state does not count as an event of a card.
    mutating func follow(_ id: ReaderID, _ slot: ReaderSlot.State) {
        guard let isFirst = readers[id].map({ !$0.isStarted }) else { return }
        if readers[id]?.follow(slot) == true { raise(.removed, on: id) }
        reportChange(ofReaders: isFirst)
    }

    /// The states of all positions; a position without a reader is all zeros.
    var readerStates: [UInt8] {
        var states = [UInt8](repeating: 0, count: ReaderState.places * ReaderState.size)
        for reader in readers.values {
            let start = reader.place * ReaderState.size
            states.replaceSubrange(start..<start + ReaderState.size, with: reader.state.bytes)
        }
        return states
    }
}

extension ResourceManager {
    /// The last version in which the request to wait is answered with the states.
    private static let lastMinorWithStates: Int32 = 5

    /// Notes that a client waits for the next change.
    ///
    /// The states go out as a notice, so that no notice of a change can precede them.
    mutating func wait(_ client: ClientID) -> ServiceStep {
        let minor = clients[client]?.minor ?? 0
        advance(client, .begin(hasToAsk: minor > Self.lastMinorWithStates))
        return .answer([])
    }

    /// Returns the states of all positions, followed by the notice held back until now.
    mutating func readerArray(_ client: ClientID) -> ServiceStep {
        .answer(advance(client, .ask) ? [] : readerStates)
    }

    /// Ends the waiting; a client that received a notice of a change meanwhile treats it as the answer.
    ///
    /// The library cancels a wait that was refused, even if it has cancelled it before (pcsc-lite 1.9.9,
    /// `SCardGetStatusChange`).
    mutating func stopWaiting(_ client: ClientID) -> ServiceStep {
        advance(client, .goOn)
        if !endWaiting(of: client, with: .success), let refusal = clients[client]?.refusal {
            notices.append((client, CountMessage(result: refusal).bytes))
        }
        return .answer([])
    }

    /// Advances the state of a client's waiting, and sends the due notices.
    ///
    /// - Returns: `true` if the event is valid in the client's state.
    @discardableResult
    mutating func advance(_ client: ClientID, _ event: Client.Waiting.Event) -> Bool {
        guard let (next, due) = clients[client]?.waiting.after(event) else { return false }
        clients[client]?.waiting = next
        let bytes = due.flatMap { notice in
            switch notice {
            case .states: readerStates
            case .end(let code): CountMessage(result: code).bytes
            }
        }
        if !bytes.isEmpty { notices.append((client, bytes)) }
        return true
    }

    /// Returns `true` if a client waits and a fault rejects its waiting.
    func isToRefuseWaiting(of client: ClientID) -> Bool {
        clients[client].map { $0.waiting.isUnderWay && $0.refusal != nil } ?? false
    }

    mutating func refuseWaiting(of client: ClientID) {
        endWaiting(of: client, with: clients[client]?.refusal ?? .success)
    }

    /// Ends the waiting of another connection's client.
    mutating func cancel(_ message: ContextMessage) -> ServiceStep {
        let target = clients.first { $0.value.context == message.context && message.context != 0 }?.key
        let isCancelled = target.map { endWaiting(of: $0, with: .cancelled) } == true
        return .answer(message.answered(isCancelled ? .success : .invalidHandle))
    }

    /// Reports a change to waiting clients, except clients whose waiting a fault rejects.
    ///
    /// Such a client, if it has just cancelled its wait, would mistake the notice for the answer, and the answer for that of
    /// its next call.
    mutating func reportChange(ofReaders: Bool = false) {
        guard !losesNextEvent else { return losesNextEvent = false }
        for client in waiting where clients[client]?.refusal == nil {
            endWaiting(of: client, with: .success)
            settleWatch(of: client, hasReaderChange: ofReaders)
        }
    }

    /// - Returns: `true` if the client waited.
    @discardableResult
    mutating func endWaiting(of client: ClientID, with code: PCSCReturnCode) -> Bool {
        let result = clients[client]?.refusal ?? code
        guard advance(client, .end(result)) else { return false }
        if result != .success { clients[client]?.isInsideWait = false }
        return true
    }
}

/// Distinguishes clients that use a card from clients that only wait for cards to come or go.
///
/// `SCardGetStatusChange`, `SCardStatus` and a command repeated with the same bytes and the same answer tell a client only
/// whether the card is present. Connecting and disconnecting count as neither: polling clients do both between two looks.
struct Idling {
    /// The number of consecutive requests that only asked whether a card is present.
    private(set) var checks = 0
    /// The number of other requests.
    private(set) var actions = 0
    private var command: [UInt8]?
    private var answer: [UInt8]?

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

    mutating func take(answer bytes: [UInt8]) {
        if bytes == answer { checks += 1 } else { begin(command) }
        answer = bytes
    }

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
    var transportActivity: TransportActivity {
        TransportActivity(
            isWaiting: !waiting.isEmpty, awaitsArrival: !readers.values.contains(where: \.hasCard),
            checks: idling.checks, actions: idling.actions)
    }
}
