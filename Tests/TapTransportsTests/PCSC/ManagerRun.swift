import TapReaders
import TapWire

@testable import TapTransports

/// A resource manager with readers that the test plays: no thread, no socket, no field.
struct ManagerRun {
    /// The outcome of a request.
    enum Outcome: Hashable {
        case answer([UInt8])
        case closed
        /// The client waits for a reader; the answer is used if the wait takes too long.
        case waits(orAnswer: [UInt8]?)
    }

    /// A reader that the test plays.
    struct Player {
        var slot = ReaderSlot.State()
        /// The requests to the reader.
        var log: [String] = []
        var answer = ReaderAnswer.answer([0x90, 0x00])
        var attribute: [UInt8]?
        /// A Boolean value that indicates whether the card does not answer a reset.
        var isMute = false
        /// An action that takes place before the reader works.
        var meanwhile: (@Sendable (inout ManagerRun) -> Void)?
        /// An action that takes place after the reader has worked, before the manager knows about it.
        var afterwards: (@Sendable (inout ManagerRun) -> Void)?
    }

    var manager = ResourceManager()
    var players: [ReaderID: Player] = [:]
    /// The contexts of the clients that have one.
    var contexts: [ClientID: UInt32] = [:]

    /// A manager with clients 0 to 3, each with a context, and one reader, number 0, with or without a card.
    init(card: Bool = true, readers: Int = 1) {
        for id in 0..<readers { _ = plug(id, "Reader") }
        if card { insert() }
        for client in 0..<4 {
            manager.admit(client)
            contexts[client] = establish(client)
        }
    }

    /// Plugs a reader in.
    mutating func plug(_ id: ReaderID, _ model: String) -> Bool {
        players[id] = Player()
        return manager.plug(id, model: model)
    }

    /// The name of a reader.
    func name(_ id: ReaderID = 0) -> String { manager.readers[id]?.state.name ?? "" }

    /// The state of a reader as clients see it.
    func state(_ id: ReaderID = 0) -> ReaderState { manager.readers[id]?.state ?? ReaderState() }

    private mutating func establish(_ client: ClientID) -> UInt32 {
        EstablishMessage(parsing: bytes(.establish(EstablishMessage(scope: 2)), client)[...]).context
    }

    /// Sends a request.
    mutating func ask(_ request: ServiceRequest, from client: ClientID = 0) -> Outcome {
        run(manager.perform(request, for: client))
    }

    /// Sends a request that is answered; returns no bytes for any other outcome.
    mutating func bytes(_ request: ServiceRequest, _ client: ClientID) -> [UInt8] {
        guard case .answer(let bytes) = ask(request, from: client) else { return [] }
        return bytes
    }

    /// Ends a client's connection to the service.
    mutating func leave(_ client: ClientID) {
        _ = run(manager.dismiss(client))
    }

    private mutating func run(_ first: ServiceStep) -> Outcome {
        var step = first
        while true {
            switch step {
            case .answer(let bytes): return .answer(bytes)
            case .close: return .closed
            case .wait(let bytes): return .waits(orAnswer: bytes)
            case .start(let then):
                for (id, player) in players where manager.readers[id]?.isStarted == false {
                    manager.follow(id, player.slot)
                }
                step = then(&manager)
            case .power(let id, let change, let then):
                step = then(&manager, power(id, change))
            case .transmit(let id, let command, let changes, let then):
                work(id, "transmit \(Hex.text(command))")
                let isSame = players[id]?.slot.changes == changes
                step = then(&manager, isSame ? players[id]?.answer ?? .failed : .noCard)
            case .control(let id, let code, let data, let then):
                work(id, "control \(code) \(Hex.text(data))")
                step = then(&manager, players[id]?.answer ?? .failed)
            case .attribute(let id, let attribute, let then):
                step = then(&manager, attribute.rawValue == 1 ? players[id]?.attribute : nil)
            }
        }
    }

    private mutating func power(_ id: ReaderID, _ change: PowerChange) -> ReaderSlot.State {
        work(id, "\(change)")
        guard let player = players[id] else { return .init(content: .empty, changes: 0) }
        players[id]?.afterwards = nil
        player.afterwards?(&self)
        return .init(content: player.isMute ? .empty : player.slot.content, changes: player.slot.changes)
    }

    private mutating func work(_ id: ReaderID, _ what: String) {
        players[id]?.log.append(what)
        let meanwhile = players[id]?.meanwhile
        players[id]?.meanwhile = nil
        meanwhile?(&self)
    }

    /// Inserts a card into a reader.
    mutating func insert(_ atr: [UInt8] = StorageCardATR.ntag, into id: ReaderID = 0) {
        change(id, to: .card(SlotCard(card: 0, visit: 1, atr: atr)), by: 1)
    }

    /// Removes the card.
    mutating func remove(from id: ReaderID = 0) {
        change(id, to: .empty, by: 1)
    }

    /// Replaces the card with another before anybody looks.
    mutating func swap(_ id: ReaderID = 0) {
        change(id, to: .card(SlotCard(card: 1, visit: 1, atr: StorageCardATR.felica)), by: 2)
    }

    private mutating func change(_ id: ReaderID, to content: SlotContent, by count: Int) {
        players[id]?.slot.content = content
        players[id]?.slot.changes += count
        if let slot = players[id]?.slot, manager.readers[id]?.isStarted == true { manager.follow(id, slot) }
    }

    /// The requests to a reader since the last call.
    mutating func takeLog(_ id: ReaderID = 0) -> [String] {
        defer { players[id]?.log = [] }
        return players[id]?.log ?? []
    }

    /// The notices to clients since the last call.
    mutating func takeNotices() -> [ClientID: [UInt8]] {
        defer { manager.notices = [] }
        return manager.notices.reduce(into: [:]) { $0[$1.to, default: []] += $1.bytes }
    }
}

/// Calls as a program makes them; an unanswered call has the code ``PCSCReturnCode/communicationError``.
extension ManagerRun {
    @discardableResult
    mutating func connect(
        _ client: ClientID = 0, _ mode: PCSCShareMode = .shared, _ protocols: PCSCProtocols = [.t0, .t1],
        reader: String? = nil
    ) -> ConnectMessage {
        let message = ConnectMessage(
            context: contexts[client] ?? 0, reader: reader ?? name(), shareMode: mode, protocols: protocols)
        return answer(.connect(message), client, unanswered: message) { $0.result = .communicationError }
    }

    mutating func reconnect(
        _ card: Int32, _ client: ClientID = 0, _ mode: PCSCShareMode = .shared,
        _ protocols: PCSCProtocols = [.t0, .t1],
        _ initialization: PCSCDisposition = .leave
    ) -> ReconnectMessage {
        let message = ReconnectMessage(
            card: card, shareMode: mode, protocols: protocols, initialization: initialization)
        return answer(.reconnect(message), client, unanswered: message) { $0.result = .communicationError }
    }

    @discardableResult
    mutating func disconnect(
        _ card: Int32, _ client: ClientID = 0, _ disposition: PCSCDisposition = .leave
    ) -> PCSCReturnCode {
        let message = DispositionMessage(card: card, disposition: disposition)
        return answer(.disconnect(message), client, unanswered: message) { $0.result = .communicationError }.result
    }

    @discardableResult
    mutating func begin(_ card: Int32, _ client: ClientID = 0) -> PCSCReturnCode {
        let message = CardMessage(card: card)
        return answer(.beginTransaction(message), client, unanswered: message) { $0.result = .communicationError }
            .result
    }

    @discardableResult
    mutating func end(
        _ card: Int32, _ client: ClientID = 0, _ disposition: PCSCDisposition = .leave
    ) -> PCSCReturnCode {
        let message = DispositionMessage(card: card, disposition: disposition)
        return answer(.endTransaction(message), client, unanswered: message) { $0.result = .communicationError }.result
    }

    mutating func status(_ card: Int32, _ client: ClientID = 0) -> PCSCReturnCode {
        let message = CardMessage(card: card)
        return answer(.status(message), client, unanswered: message) { $0.result = .communicationError }.result
    }

    mutating func transmit(
        _ card: Int32, _ client: ClientID = 0, _ sendProtocol: PCSCProtocols = .t1, room: Int = 258
    ) -> TransmitMessage {
        let message = TransmitMessage(
            card: card, sendProtocol: sendProtocol, sendLength: 1, receiveLength: UInt32(room))
        return answer(.transmit(message, [0xFF]), client, unanswered: message) { $0.result = .communicationError }
    }

    mutating func control(_ card: Int32, _ client: ClientID = 0, room: Int = 258) -> ControlMessage {
        let message = ControlMessage(card: card, code: 1, sendLength: 1, receiveLength: UInt32(room))
        return answer(.control(message, [0xFF]), client, unanswered: message) { $0.result = .communicationError }
    }

    mutating func attribute(_ card: Int32, _ attribute: PCSCAttribute, _ client: ClientID = 0) -> AttributeMessage {
        let message = AttributeMessage(card: card, attribute: attribute)
        return answer(.getAttribute(message), client, unanswered: message) { $0.result = .communicationError }
    }

    mutating func release(_ client: ClientID, _ context: UInt32? = nil) -> PCSCReturnCode {
        let message = ContextMessage(context: context ?? contexts[client] ?? 0)
        return answer(.release(message), client, unanswered: message) { $0.result = .communicationError }.result
    }

    mutating func cancel(_ context: UInt32, _ client: ClientID) -> PCSCReturnCode {
        let message = ContextMessage(context: context)
        return answer(.cancel(message), client, unanswered: message) { $0.result = .communicationError }.result
    }

    private mutating func answer<Message: ServiceMessage>(
        _ request: ServiceRequest, _ client: ClientID, unanswered: Message, _ mark: (inout Message) -> Void
    ) -> Message {
        let bytes = bytes(request, client)
        guard bytes.count < Message.size else { return Message(parsing: bytes[...]) }
        var message = unanswered
        mark(&message)
        return message
    }
}
