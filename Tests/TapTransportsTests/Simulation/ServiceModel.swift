import TapReaders
import TapWire

@testable import TapTransports

/// The expected behaviour of the PC/SC service, implemented a second time: which client holds which reader, the result of each
/// call, and which changes each client must be notified of.
///
/// It follows the pcsc-lite manual, and pcscd 1.9.9 where the manual leaves details open.
///
/// A call that needs a reader has two halves, since others act in between.
struct ServiceModel {
    /// The preliminary result of a call.
    enum Outcome: Hashable {
        /// An answer with a return code; without a code if the answer has none.
        case answer(PCSCReturnCode?)
        /// The client waits for a reader.
        case waits
        /// A reader works.
        case works
        /// The connection is closed.
        case closes
    }

    /// The pending notices of an open handle.
    enum Event { case none, reset, removal }

    struct Handle {
        let client: ClientID
        let reader: ReaderID
        var event = Event.none
    }

    struct Reader {
        let name: String
        let place: Int
        var changes: Int
        var hasCard: Bool
        var isPowered: Bool
        var shares = 0
        var isExclusive = false
        var holder: Int32 = 0
        var locks = 0
        /// Changes of power in progress, which new clients would not be notified of.
        var powerings = 0

        /// The actions beyond the lock of exclusive use.
        var transactions: Int { locks - (isExclusive ? 1 : 0) }

        mutating func free() { (holder, locks) = (0, 0) }
    }

    struct Client {
        var minor: Int32 = 4
        var context: UInt32 = 0
        /// In the order of connecting, including the handles of removed readers.
        var handles: [Int32] = []
        var isWaiting = false
        /// A Boolean value that indicates whether the client must still request the states, and the notice held back until
        /// then.
        var isToAsk = false
        var held: PCSCReturnCode?
        /// The handle that is being released because the context is released or the client is gone.
        var leaving: Int32?
        /// The reader that the handle connects to.
        var reached: ReaderID?
    }

    private(set) var readers: [ReaderID: Reader] = [:]
    private(set) var clients: [ClientID: Client] = [:]
    private(set) var handles: [Int32: Handle] = [:]
    /// The due notices, as return codes; `nil` for the states of all readers.
    private(set) var notices: [ClientID: [PCSCReturnCode?]] = [:]

    mutating func takeNotices() -> [ClientID: [PCSCReturnCode?]] {
        defer { notices = [:] }
        return notices
    }

    mutating func admit(_ client: ClientID) { clients[client] = Client() }

    /// The clients that hold a reader.
    var holders: Set<ClientID> { Set(readers.values.compactMap { handles[$0.holder]?.client }) }

    /// Returns whether a handle may send data to its card.
    func mayUse(_ handle: Int32) -> Bool {
        guard let reader = handles[handle].flatMap({ readers[$0.reader] }) else { return true }
        return reader.holder == 0 || reader.holder == handle
    }
}

/// Readers and cards.
extension ServiceModel {
    /// Adds a reader after the first look at it.
    mutating func plug(_ id: ReaderID, _ name: String, _ place: Int, _ slot: ReaderSlot.State) {
        let hasCard = slot.content != .empty
        readers[id] = Reader(name: name, place: place, changes: slot.changes, hasCard: hasCard, isPowered: hasCard)
        change()
    }

    mutating func unplug(_ id: ReaderID) {
        guard readers.removeValue(forKey: id) != nil else { return }
        handles = handles.filter { $0.value.reader != id }
        change()
    }

    /// Updates the service's knowledge of a slot.
    mutating func hear(_ id: ReaderID, _ slot: ReaderSlot.State) {
        guard let reader = readers[id], slot.changes > reader.changes else { return }
        let wasRemoved = reader.hasCard || slot.changes > reader.changes + 1
        readers[id]?.changes = slot.changes
        readers[id]?.hasCard = slot.content != .empty
        readers[id]?.isPowered = slot.content != .empty
        if wasRemoved {
            readers[id]?.free()
            raise(.removal, on: id)
        }
        change()
    }

    private mutating func raise(_ event: Event, on id: ReaderID) {
        for (number, handle) in handles where handle.reader == id { handles[number]?.event = event }
    }

    /// Notifies all clients that wait for a change.
    private mutating func change() {
        for client in clients.keys { tell(client, .success) }
    }

    @discardableResult
    private mutating func tell(_ client: ClientID, _ code: PCSCReturnCode) -> Bool {
        guard clients[client]?.isWaiting == true else { return false }
        clients[client]?.isWaiting = false
        if clients[client]?.isToAsk == true {
            clients[client]?.held = code
        } else {
            notices[client, default: []].append(code)
        }
        return true
    }
}

/// Calls.
extension ServiceModel {
    /// Returns the result of a call, up to the work of a reader.
    mutating func begin(_ request: ServiceRequest, of client: ClientID) -> Outcome {
        if let card = request.card, clients[client]?.handles.contains(card) != true || clients[client]?.context == 0 {
            return .closes
        }
        switch request {
        case .version(let message):
            if 4...6 ~= message.minor { clients[client]?.minor = message.minor }
            return .answer(4...6 ~= message.minor ? .success : .serviceStopped)
        case .establish: return .answer(.success)
        case .release(let message):
            let context = clients[client]?.context ?? 0
            guard context == message.context, context != 0 else {
                return .answer(context == 0 ? .invalidHandle : .invalidValue)
            }
            return leave(client)
        case .connect(let message): return connect(message, of: client)
        case .reconnect(let message): return reconnect(message)
        case .disconnect(let message): return disconnect(message, of: client)
        case .beginTransaction(let message): return beginTransaction(message.card)
        case .endTransaction(let message): return endTransaction(message)
        case .transmit(let message, _): return refusal(message.card).map(Outcome.answer) ?? .works
        case .control(let message, _):
            guard handles[message.card] != nil else { return .answer(.invalidValue) }
            return mayUse(message.card) ? .works : .answer(.sharingViolation)
        case .status(let message): return .answer(refusal(message.card) ?? .success)
        case .getAttribute(let message): return .answer(refusal(message.card) ?? .success)
        case .setAttribute(let message): return .answer(refusal(message.card) ?? .notTransacted)
        case .cancel(let message):
            let target = clients.first { $0.value.context == message.context && message.context != 0 }?.key
            return .answer(target.map { tell($0, .cancelled) } == true ? .success : .invalidHandle)
        case .waitForChange, .stopWaiting, .readerArray:
            wait(request, client)
            return .answer(nil)
        case .readerStates, .readerEvents, .readerCount: return .answer(nil)
        }
    }

    /// Returns the reason why a handle cannot be used.
    private func refusal(_ card: Int32) -> PCSCReturnCode? {
        guard handles[card] != nil else { return .invalidValue }
        guard mayUse(card) else { return .sharingViolation }
        return eventCode(card)
    }

    private func eventCode(_ card: Int32) -> PCSCReturnCode? {
        switch handles[card]?.event {
        case nil, .some(.none): nil
        case .reset: .resetCard
        case .removal: .removedCard
        }
    }

    private mutating func wait(_ request: ServiceRequest, _ client: ClientID) {
        switch request {
        case .waitForChange:
            clients[client]?.isWaiting = true
            if clients[client]?.minor == 6 {
                clients[client]?.isToAsk = true
                clients[client]?.held = nil
            } else {
                notices[client, default: []].append(nil)
            }
        case .readerArray where clients[client]?.isToAsk == true:
            notices[client, default: []].append(nil)
            stopHolding(client)
        case .stopWaiting:
            stopHolding(client)
            tell(client, .success)
        default: break
        }
    }

    /// Ends the delay of notices because the client has requested the states or takes too long.
    mutating func stopHolding(_ client: ClientID) {
        guard clients[client]?.isToAsk == true else { return }
        if let held = clients[client]?.held { notices[client, default: []].append(held) }
        clients[client]?.isToAsk = false
        clients[client]?.held = nil
    }

    private mutating func beginTransaction(_ card: Int32) -> Outcome {
        guard let id = handles[card]?.reader else { return .answer(.invalidValue) }
        if let code = eventCode(card) { return .answer(code) }
        guard mayUse(card) else { return .waits }
        readers[id]?.holder = card
        readers[id]?.locks += 1
        return .answer(.success)
    }

    private mutating func endTransaction(_ message: DispositionMessage) -> Outcome {
        guard let id = handles[message.card]?.reader else { return .answer(.invalidValue) }
        if let code = eventCode(message.card) { return .answer(code) }
        guard message.disposition == .leave else {
            return mayUse(message.card) ? startPower(id) : .answer(.sharingViolation)
        }
        return .answer(unlock(message.card))
    }

    private mutating func unlock(_ card: Int32) -> PCSCReturnCode {
        guard let id = handles[card]?.reader, let reader = readers[id] else { return .success }
        guard mayUse(card) else { return .sharingViolation }
        guard reader.transactions > 0 else { return .notTransacted }
        readers[id]?.locks -= 1
        if reader.locks == 1 { readers[id]?.holder = 0 }
        return .success
    }
}

/// Connections.
extension ServiceModel {
    private mutating func connect(_ message: ConnectMessage, of client: ClientID) -> Outcome {
        guard let (id, reader) = readers.first(where: { $0.value.name == message.reader }) else {
            return .answer(.unknownReader)
        }
        if reader.isExclusive { return .answer(.sharingViolation) }
        if reader.holder != 0 || reader.powerings > 0 { return .waits }
        guard message.shareMode != .direct else { return .answer(join(message, id, client)) }
        guard reader.hasCard else { return .answer(.noSmartCard) }
        guard !reader.isPowered else { return .answer(join(message, id, client)) }
        clients[client]?.reached = id
        return startPower(id)
    }

    /// Completes a connect; the handle becomes known through ``open(_:of:message:)``.
    private func join(_ message: ConnectMessage, _ id: ReaderID, _ client: ClientID) -> PCSCReturnCode {
        guard let reader = readers[id] else { return .readerUnavailable }
        if message.shareMode != .direct, !reader.isPowered { return .unpoweredCard }
        if reader.isExclusive || message.shareMode == .exclusive && reader.shares > 0 { return .sharingViolation }
        let context = clients[client]?.context ?? 0
        return context == 0 ? .invalidHandle : context == message.context ? .success : .invalidValue
    }

    /// Records the handle that a client was given.
    mutating func open(_ card: Int32, of client: ClientID, _ message: ConnectMessage) {
        guard let id = readers.first(where: { $0.value.name == message.reader })?.key else { return }
        handles[card] = Handle(client: client, reader: id)
        clients[client]?.handles.append(card)
        if message.shareMode == .exclusive {
            readers[id]?.isExclusive = true
            readers[id]?.holder = card
            readers[id]?.locks += 1
        } else {
            readers[id]?.shares += 1
        }
        change()
    }

    /// Records the context that a client was given.
    mutating func open(_ context: UInt32, of client: ClientID) { clients[client]?.context = context }

    private mutating func reconnect(_ message: ReconnectMessage) -> Outcome {
        guard let id = handles[message.card]?.reader, let reader = readers[id] else { return .answer(.invalidValue) }
        guard mayUse(message.card) else { return .answer(.sharingViolation) }
        guard reader.powerings == 0 else { return .waits }
        guard message.initialization == .leave else {
            raise(.reset, on: id)
            return startPower(id)
        }
        guard reader.hasCard else { return .answer(.noSmartCard) }
        return .answer(shareAnew(message))
    }

    private mutating func shareAnew(_ message: ReconnectMessage) -> PCSCReturnCode {
        guard let id = handles[message.card]?.reader, var reader = readers[id] else { return .invalidValue }
        if message.shareMode == .exclusive, !reader.isExclusive {
            guard reader.shares == 1 else { return .sharingViolation }
            (reader.isExclusive, reader.shares, reader.holder) = (true, 0, message.card)
            reader.locks += 1
        } else if message.shareMode != .exclusive, reader.isExclusive {
            // The lock of exclusive use becomes a transaction of the client, unless it already has a transaction.
            if reader.locks > 1 { reader.locks -= 1 }
            (reader.isExclusive, reader.shares) = (false, 1)
        }
        readers[id] = reader
        handles[message.card]?.event = .none
        change()
        return .success
    }

    private mutating func disconnect(_ message: DispositionMessage, of client: ClientID) -> Outcome {
        guard let id = handles[message.card]?.reader else {
            clients[client]?.handles.removeAll { $0 == message.card }
            return .answer(.success)
        }
        guard message.disposition != .leave else {
            close(message.card, of: client)
            return .answer(.success)
        }
        guard mayUse(message.card) else { return .waits }
        raise(.reset, on: id)
        return startPower(id)
    }

    private mutating func close(_ card: Int32, of client: ClientID) {
        clients[client]?.handles.removeAll { $0 == card }
        if let id = handles.removeValue(forKey: card)?.reader, let reader = readers[id] {
            if reader.holder == 0 || reader.holder == card { readers[id]?.free() }
            if reader.isExclusive { readers[id]?.isExclusive = false } else { readers[id]?.shares -= 1 }
        }
        change()
    }

    /// Releases all handles of a client, and its context last; a handle inside a transaction has its card reset.
    mutating func leave(_ client: ClientID) -> Outcome {
        while let card = clients[client]?.handles.first {
            clients[client]?.handles.removeFirst()
            guard let handle = handles[card] else { continue }
            if readers[handle.reader]?.holder == card, handle.event == .none {
                raise(.reset, on: handle.reader)
                clients[client]?.leaving = card
                return startPower(handle.reader)
            }
            close(card, of: client)
        }
        clients[client]?.context = 0
        return .answer(.success)
    }

    mutating func dismiss(_ client: ClientID) -> Outcome {
        clients[client]?.isWaiting = false
        if case .works = leave(client) { return .works }
        clients[client] = nil
        return .closes
    }
}

/// Applies the work of a reader.
extension ServiceModel {
    /// - Parameters:
    ///   - request: The call; `nil` for the end of the client.
    ///   - outcome: The reader's state, if its power was changed.
    ///   - transmitted: The outcome of a command.
    mutating func end(
        _ request: ServiceRequest?, of client: ClientID, _ outcome: ReaderSlot.State?, isDown: Bool,
        transmitted: PCSCReturnCode?
    ) -> Outcome {
        switch request {
        case nil, .release:
            if let card = clients[client]?.leaving {
                clients[client]?.leaving = nil
                _ = power(card, outcome, isDown: false)
                close(card, of: client)
            }
            return request == nil ? dismiss(client) : leave(client)
        case .connect(let message):
            guard let id = clients[client]?.reached else { return .answer(.readerUnavailable) }
            _ = power(of: id, outcome, isDown: false)
            return .answer(join(message, id, client))
        case .reconnect(let message):
            let code = power(message.card, outcome, isDown: false)
            guard code == .success else { return .answer(code == .removedCard ? .noSmartCard : code) }
            return .answer(shareAnew(message))
        case .disconnect(let message):
            _ = power(message.card, outcome, isDown: isDown)
            close(message.card, of: client)
            return .answer(.success)
        case .endTransaction(let message):
            let code = power(message.card, outcome, isDown: false)
            if let id = handles[message.card]?.reader { raise(.reset, on: id) }
            let unlocked = unlock(message.card)
            return .answer(code == .success ? unlocked : code)
        case .transmit(let message, _):
            guard transmitted == .noSmartCard else { return .answer(transmitted) }
            guard handles[message.card] != nil else { return .answer(.invalidHandle) }
            return .answer(eventCode(message.card) ?? .noSmartCard)
        default: return .answer(transmitted)
        }
    }

    private mutating func startPower(_ id: ReaderID) -> Outcome {
        readers[id]?.powerings += 1
        return .works
    }

    private mutating func power(
        _ card: Int32, _ outcome: ReaderSlot.State?, isDown: Bool
    ) -> PCSCReturnCode {
        guard let id = handles[card]?.reader else { return .success }
        return power(of: id, outcome, isDown: isDown)
    }

    private mutating func power(
        of id: ReaderID, _ outcome: ReaderSlot.State?, isDown: Bool
    ) -> PCSCReturnCode {
        guard let reader = readers[id], let outcome else { return .success }
        readers[id]?.powerings -= 1
        guard outcome.changes == reader.changes else { return reader.hasCard ? .success : .removedCard }
        guard reader.hasCard else { return isDown ? .success : .removedCard }
        readers[id]?.isPowered = !isDown && outcome.content != .empty
        return outcome.content == .empty && !isDown ? .unresponsiveCard : .success
    }
}
