import TapHost
import TapSystem
import TapReaders
import TapWire

/// The transport for programs that need the system's PC/SC service: the card's side of pcscd's vpcd driver.
///
/// The driver listens and the transport connects: a connection is a card in the driver's slot. pcscd polls every 400 ms, so a
/// client sees a card arrive or leave up to 400 ms late. The transport does not check whether pcscd runs; it keeps trying to
/// connect.
public final class VpcdTransport: Transport {
    public let name = "vpcd"

    private let host: FieldHost
    /// The port at which the driver listens for the slot.
    public let port: UInt16
    private let session: VpcdSession
    private let thread: BlockingThread
    private let watcher: Int

    /// Opens the transport; the slot looks for cards from now on, since pcscd does.
    ///
    /// - Parameter slot: The reader; clients see it under the name of pcscd's own entry.
    /// - Throws: ``SystemError`` if the system provides no thread.
    public init(_ slot: ReaderSlot, on host: FieldHost, port: UInt16) throws(SystemError) {
        let session = VpcdSession(slot, port: port)
        self.host = host
        self.port = port
        self.session = session
        let thread = try BlockingThread { session.run() }
        self.thread = thread
        do {
            watcher = try host.watch { slot.refresh() }
        } catch {
            session.close()
            thread.join()
            throw error
        }
    }

    /// Empty: clients find pcscd by themselves.
    public var environment: [(name: String, value: String)] { [] }

    /// A Boolean value that indicates whether pcscd has powered a card; a client that has sent no command is invisible here.
    public var wasUsed: Bool { session.wasUsed }

    /// A Boolean value that indicates whether the driver listens, as far as known: the transport connects only for a card in
    /// the slot.
    public var isReachable: Bool { !session.isRefused }

    /// Waits until pcscd has powered the card in the slot, if there is one.
    public func settle(within limit: Duration) { session.settle(within: limit) }

    public func close() {
        host.forget(watcher)
        session.close()
        thread.join()
    }
}

/// The thread of the vpcd transport: it waits for a card, connects, and answers for the card until the card has left.
final class VpcdSession: Sendable {
    private static let retryInterval = Duration.milliseconds(100)
    private static let connectLimit = Duration.seconds(1)
    /// The driver's silence in seconds after which the connection is closed.
    ///
    /// The driver polls every 400 ms, unless it waits for an answer that will never come.
    private static let patience = 5
    /// The number of bytes to read from the driver at once.
    private static let chunk = 4096

    private struct State {
        /// The last reported state of the slot.
        var slot = ReaderSlot.State()
        var connection: TCPConnection?
        var isClosed = false
        var wasUsed = false
        /// A Boolean value that indicates whether the driver knows the card: it has powered the card and asked for its ATR.
        var isKnown = false
        /// A Boolean value that indicates whether the last connection was refused.
        var isRefused = false
    }

    private let slot: ReaderSlot
    private let port: UInt16
    private let state = Condition(State())

    init(_ slot: ReaderSlot, port: UInt16) {
        self.slot = slot
        self.port = port
        slot.follow { [state] slot in
            state.withLock { current in
                current.slot = slot
                state.wakeAll()
            }
        }
    }

    var wasUsed: Bool { state.withLock { $0.wasUsed } }
    var isRefused: Bool { state.withLock { $0.isRefused } }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection?.stream.shutDown()
            self.state.wakeAll()
        }
    }

    /// Waits until the driver knows the card in the slot, or the slot is empty.
    func settle(within limit: Duration) {
        let deadline = ContinuousClock.now + limit
        slot.refresh()
        state.waitUntilDone { state in
            let isSettled = state.isKnown || state.isClosed || VpcdCore(state.slot.content) == nil
            return isSettled || ContinuousClock.now >= deadline ? .done(()) : .wait(until: deadline)
        }
    }

    func run() {
        while let (core, changes) = awaitCard() {
            let connection = connect()
            state.withLock { $0.isRefused = connection == nil }
            if let connection {
                serve(core, after: changes, over: connection)
                leave(connection)
            } else {
                rest()
            }
        }
    }

    /// Waits for a card in the slot; returns `nil` once closed.
    private func awaitCard() -> (core: VpcdCore, changes: Int)? {
        state.waitUntilDone { state in
            guard !state.isClosed else { return .done(nil) }
            guard let core = VpcdCore(state.slot.content) else { return .wait(until: nil) }
            return .done((core, state.slot.changes))
        }
    }

    /// Connects if the driver listens.
    private func connect() -> TCPConnection? {
        guard let connection = try? TCPConnection(to: port) else { return nil }
        let isClosed = state.withLock { state in
            state.connection = connection
            return state.isClosed
        }
        guard !isClosed, connection.connect(within: Self.connectLimit) else {
            leave(connection)
            return nil
        }
        connection.setPatience(Self.patience)
        return connection
    }

    private func leave(_ connection: TCPConnection) {
        state.withLock { state in
            state.connection = nil
            state.isKnown = false
        }
        connection.close()
    }

    /// Waits before the next attempt, or until the transport is closed.
    private func rest() {
        let end = ContinuousClock.now + Self.retryInterval
        state.waitUntilDone { $0.isClosed || ContinuousClock.now >= end ? .done(()) : .wait(until: end) }
    }

    /// Answers for a card until it or the driver has left.
    private func serve(_ card: VpcdCore, after changes: Int, over connection: TCPConnection) {
        var core = card
        var wasPowered = false
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = connection.stream.receive(into: &buffer)
            guard count > 0 else { return }
            core.receive(buffer[..<count])
            var isAnswered = false
            while let action = core.next() {
                switch action {
                case .look: core.finish(slot.refresh().content)
                case .powerDown: slot.powerDown()
                case .reset:
                    wasPowered = true
                    slot.reset()
                case .transmit(let command):
                    core.finish(slot.transmit(command, afterChanges: changes), slot.refresh().content)
                case .send(let bytes):
                    guard connection.stream.send(bytes) else { return }
                    isAnswered = true
                    if wasPowered { noteKnown() }
                    wasPowered = false
                case .hangUp: return
                case .breakOff:
                    _ = connection.stream.send([0x00, 0x02])
                    connection.reset()
                    return
                }
            }
            // The driver sends a length and its message separately, the message once the length is acknowledged.
            if !isAnswered { connection.stream.acknowledge() }
        }
    }

    /// Notes that the driver knows the card, and wakes ``settle(within:)``.
    private func noteKnown() {
        slot.noteATR()
        state.withLock { state in
            state.wasUsed = true
            state.isKnown = true
            self.state.wakeAll()
        }
    }
}

/// The card's side of one connection with the vpcd driver, from insertion to removal, without input or output.
///
/// A removed card does not answer the next request for its ATR. The driver then closes the connection, so that pcscd sees an
/// empty slot before the next card. A command before that breaks the connection.
struct VpcdCore: Sendable {
    /// The number of times pcscd asks for the ATR of a new card before it powers the card: twice, and once more during startup.
    static let requestsBeforePower = 3
    /// The maximum length of an ATR in bytes (ISO/IEC 7816-3, section 8.2.1).
    static let maximumATRLength = 33

    private let card: SlotCard
    private var input: [UInt8] = []
    private var position = 0
    private var reaction: VpcdAction?
    private var requests = 0
    private var wasPowered = false

    /// Returns `nil` without a card whose ATR the driver can carry.
    init?(_ content: SlotContent) {
        guard case .card(let card) = content, (1...Self.maximumATRLength).contains(card.atr.count) else { return nil }
        self.card = card
    }

    /// Takes bytes from the driver.
    mutating func receive(_ bytes: ArraySlice<UInt8>) {
        input.append(contentsOf: bytes)
    }

    /// Returns the next action, once a look or a command is finished; `nil` until more bytes arrive.
    mutating func next() -> VpcdAction? {
        if let action = reaction {
            reaction = nil
            return action
        }
        switch nextMessage() {
        case nil: return nil
        case .powerOff: return .powerDown
        case .powerOn, .reset:
            wasPowered = true
            return .reset
        case .sendATR: return .look
        case .command(let command): return .transmit(command)
        }
    }

    /// Takes the content of the slot after a look.
    mutating func finish(_ content: SlotContent) {
        reaction = isHere(content) && isWanted() ? .send(Self.message(card.atr)) : .hangUp
    }

    /// Takes the answer to a command and, if needed, the content of the slot after it.
    ///
    /// The protocol cannot report a failed exchange. While the card is present, the status word 6F00, "no precise diagnosis",
    /// represents it.
    mutating func finish(_ answer: ReaderAnswer, _ content: @autoclosure () -> SlotContent) {
        // The driver treats an empty answer as a removed card.
        if case .answer(let response) = answer, !response.isEmpty, let message = VpcdMessage.framed(response) {
            reaction = .send(message)
        } else {
            reaction = isHere(content()) ? .send(Self.message([0x6F, 0x00])) : .breakOff
        }
    }

    /// Takes the next whole message from the input.
    private mutating func nextMessage() -> VpcdMessage? {
        let header = VpcdMessage.headerLength
        while input.count - position >= header {
            let length = Int(input[position]) << 8 | Int(input[position + 1])
            let end = position + header + length
            guard input.count >= end else { break }
            let payload = input[position + header..<end]
            position = end
            // The driver sends no empty messages, and none needs an answer.
            if !payload.isEmpty { return VpcdMessage(payload: payload) }
        }
        if position == input.count {
            input.removeAll(keepingCapacity: true)
        } else {
            input.removeFirst(position)
        }
        position = 0
        return nil
    }

    /// Returns `true` if the slot contains the card of this connection, in the same visit.
    private func isHere(_ content: SlotContent) -> Bool {
        guard case .card(let found) = content else { return false }
        return found.card == card.card && found.visit == card.visit
    }

    /// Returns `true` if pcscd has noticed that this is a new card.
    ///
    /// If a client asked for a reset just after the last card was removed, the driver reported the removal only to that client.
    /// pcscd then mistakes this card for the last one and never powers it. It must see an empty slot once.
    private mutating func isWanted() -> Bool {
        requests += 1
        return wasPowered || requests <= Self.requestsBeforePower
    }

    private static func message(_ payload: [UInt8]) -> [UInt8] {
        VpcdMessage.framed(payload) ?? []
    }
}

enum VpcdAction: Hashable, Sendable {
    /// Look at the slot and finish with its content.
    case look
    case powerDown
    /// Power the slot up or reset it.
    case reset
    /// Send a command to the card of this connection; finish with the answer and the content of the slot.
    case transmit([UInt8])
    /// Send bytes to the driver.
    case send([UInt8])
    /// Close the connection: the card has left.
    case hangUp
    /// Begin an answer and reset the connection, so that the driver reports a failed exchange to its client; after an orderly
    /// close it would report an empty answer.
    case breakOff
}

/// A message from pcscd's vpcd driver to a card.
///
/// In both directions a message consists of its length in two bytes, high byte first, and that many bytes. A single byte with
/// one of the four values below is a control; everything else is a command APDU. Source: vsmartcard, virtualsmartcard 0.8,
/// observed on the wire.
enum VpcdMessage: Hashable, Sendable {
    /// `00`: power the card down; not answered.
    case powerOff
    /// `01`: power the card up; not answered.
    case powerOn
    /// `02`: reset the card; not answered.
    case reset
    /// `04`: answer with the ATR; the driver's only way to check for a card.
    case sendATR
    /// A command APDU; the answer is a response APDU.
    case command([UInt8])

    /// The number of bytes in the length field.
    static let headerLength = 2
    /// The maximum length of a message, given by its length field of 16 bits.
    static let maximumLength = 0xFFFF

    /// Parses the bytes after the length.
    init(payload: ArraySlice<UInt8>) {
        switch payload.count == 1 ? payload.first : nil {
        case 0x00: self = .powerOff
        case 0x01: self = .powerOn
        case 0x02: self = .reset
        case 0x04: self = .sendATR
        default: self = .command(Array(payload))
        }
    }

    /// Returns a payload after its length; `nil` if the payload is too long.
    static func framed(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count <= maximumLength else { return nil }
        return UInt16(payload.count).bigEndianBytes + payload
    }
}
