import TapReaders

/// The door for programs that insist on the system's PC/SC service: the card's side of the vpcd driver of pcscd.
///
/// The driver listens and we connect: a connection is a card in its slot. pcscd looks every 400 ms, so that is how long
/// a client waits for a card to come or go. The door does not ask whether pcscd runs; it tries again and again.
public final class VpcdDoor: Door {
    /// The word by which scenario files and reports speak of the door.
    public let name = "vpcd"
    /// The port of the entry that the Debian package of the driver installs.
    public static let defaultPort: UInt16 = 35963

    private let host: FieldHost
    /// Where the driver listens for the slot.
    public let port: UInt16
    private let slot: ReaderSlot
    private let session: VpcdSession
    private let thread: BlockingThread
    private let watcher: Int

    /// Opens the door; the slot looks for cards from now on, since pcscd does.
    ///
    /// - Parameters:
    ///   - slot: What pcscd finds behind it; the name is that of pcscd's own entry.
    ///   - host: The field of the slot.
    ///   - machine: Where pcscd runs.
    ///   - port: Where the driver listens for its slot.
    /// - Throws: ``SystemError`` if there is no such machine or the system gives no thread.
    public init(
        _ slot: ReaderSlot, on host: FieldHost, machine: String = "127.0.0.1", port: UInt16 = defaultPort
    ) throws(SystemError) {
        let session = VpcdSession(slot, address: try InternetAddress(host: machine, port: port))
        self.host = host
        self.port = port
        self.slot = slot
        self.session = session
        slot.onChange { session.wake() }
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

    /// Nothing: clients find pcscd by themselves.
    public var environment: [(name: String, value: String)] { [] }

    /// Whether pcscd has given a card power: no client is visible before it sends a command.
    public var wasUsed: Bool { session.wasUsed }

    /// Whether the driver listens, as far as was tried: nobody connects before a card lies in the slot.
    public var isReachable: Bool { !session.isRefused }

    /// Waits until pcscd has given power to the card that lies in the slot, if one does.
    public func settle(within limit: Duration) { session.settle(within: limit) }

    /// Closes the door and ends its thread.
    public func close() {
        host.forget(watcher)
        session.close()
        thread.join()
        slot.onChange {}
    }
}

/// The thread of the vpcd door: waits for a card, connects, and speaks for the card until it has gone.
final class VpcdSession: Sendable {
    /// How long after a refused connection the next is tried.
    private static let retryInterval = Duration.milliseconds(100)
    /// How long the driver may take for a connection.
    private static let connectLimit = Duration.seconds(1)
    /// Seconds after which a driver that has not looked is set free by the end of the connection.
    ///
    /// It looks every 400 ms, unless it waits for an answer nobody owes it: it never sends an empty command.
    private static let patience = 5
    /// Bytes taken from the driver at once.
    private static let chunk = 4096

    private struct State {
        var connection: TCPConnection?
        var isClosed = false
        var wasUsed = false
        /// Whether the driver has asked for the ATR of a card it gave power, and so knows it.
        var isKnown = false
        /// Whether nothing listened when a connection was last tried.
        var isRefused = false
    }

    private let slot: ReaderSlot
    private let address: InternetAddress
    private let state = Condition(State())

    init(_ slot: ReaderSlot, address: InternetAddress) {
        self.slot = slot
        self.address = address
    }

    /// Whether a card was given power.
    var wasUsed: Bool { state.withLock { $0.wasUsed } }

    /// Whether nothing listened when a connection was last tried.
    var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Says that a card may have come.
    func wake() {
        // With the lock held no thread is between its look at the slot and its sleep.
        state.withLock { _ in state.wakeAll() }
    }

    /// Ends the thread at its next step, and the connection at once.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection?.shutDown()
            self.state.wakeAll()
        }
    }

    /// Waits until the driver knows the card in the slot, or there is none.
    func settle(within limit: Duration) {
        let deadline = ContinuousClock.now + limit
        slot.refresh()
        state.waitUntilDone { state in
            let isSettled = state.isKnown || state.isClosed || VpcdCore(slot.current.content) == nil
            return isSettled || ContinuousClock.now >= deadline ? .done(()) : .wait(until: deadline)
        }
    }

    /// The loop of the thread.
    func run() {
        slot.refresh()
        while let (core, changes) = awaitCard() {
            let connection = connect()
            state.withLock { $0.isRefused = connection == nil }
            guard let connection else {
                rest()
                continue
            }
            serve(core, after: changes, over: connection)
            leave(connection)
        }
    }

    /// Waits until a card lies in the slot; `nil` once closed.
    private func awaitCard() -> (core: VpcdCore, changes: Int)? {
        state.waitUntilDone { state in
            guard !state.isClosed else { return .done(nil) }
            let current = slot.current
            guard let core = VpcdCore(current.content) else { return .wait(until: nil) }
            return .done((core, current.changes))
        }
    }

    /// Connects, if the driver is there.
    private func connect() -> TCPConnection? {
        guard let connection = try? TCPConnection(to: address) else { return nil }
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

    /// Waits before the next try; the end of the door cuts it short.
    private func rest() {
        let end = ContinuousClock.now + Self.retryInterval
        state.waitUntilDone { $0.isClosed || ContinuousClock.now >= end ? .done(()) : .wait(until: end) }
    }

    /// Speaks for a card until it has gone, or the driver.
    private func serve(_ card: VpcdCore, after changes: Int, over connection: TCPConnection) {
        var core = card
        var wasPowered = false
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = connection.receive(into: &buffer)
            guard count > 0 else { return }
            core.receive(buffer[..<count])
            var isAnswered = false
            while let action = core.next() {
                switch action {
                case .look:
                    slot.refresh()
                    core.finish(slot.current.content)
                case .powerDown: slot.powerDown()
                case .reset:
                    wasPowered = true
                    slot.reset()
                case .transmit(let command):
                    core.finish(slot.transmit(command, afterChanges: changes), slot.current.content)
                case .send(let bytes):
                    guard connection.send(bytes) else { return }
                    isAnswered = true
                    if wasPowered { noteKnown() }
                    wasPowered = false
                case .hangUp: return
                case .breakOff:
                    _ = connection.send([0x00, 0x02])
                    connection.reset()
                    return
                }
            }
            // The driver sends a length and its message apart, the second when the first is acknowledged.
            if !isAnswered { connection.acknowledge() }
        }
    }

    /// Notes that the driver knows the card, and wakes who waits for that.
    private func noteKnown() {
        state.withLock { state in
            state.wasUsed = true
            state.isKnown = true
            self.state.wakeAll()
        }
    }
}

/// The card's side of one connection with the vpcd driver, from the insertion of a card to its removal, without any
/// input or output.
///
/// A card is taken away by not answering the next request for its ATR: the driver then ends the connection, and pcscd
/// has seen a slot without a card before another comes in. A command before that breaks the connection off.
public struct VpcdCore: Sendable {
    /// How often pcscd may ask for the ATR of a card it has just found before it gives it power: twice, and once more
    /// while it starts.
    public static let requestsBeforePower = 3
    /// The longest ATR.
    ///
    /// Source: ISO/IEC 7816-3, section 8.2.1.
    public static let maximumATRLength = 33

    private let card: SlotCard
    private var input: [UInt8] = []
    private var position = 0
    private var reaction: VpcdAction?
    private var requests = 0
    private var wasPowered = false

    /// Begins a connection for a card; `nil` if its ATR is one no driver can carry.
    public init?(_ content: SlotContent) {
        guard case .card(let card) = content, (1...Self.maximumATRLength).contains(card.atr.count) else { return nil }
        self.card = card
    }

    /// Takes bytes from the driver.
    public mutating func receive(_ bytes: ArraySlice<UInt8>) {
        input.append(contentsOf: bytes)
    }

    /// What is to be done next, or `nil` until more bytes come; a look and a command are finished before that.
    public mutating func next() -> VpcdAction? {
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

    /// Takes what the slot holds after a look.
    public mutating func finish(_ content: SlotContent) {
        reaction = isHere(content) && isWanted() ? .send(Self.message(card.atr)) : .hangUp
    }

    /// Takes the answer to a command, and what the slot holds after it where that matters.
    ///
    /// The protocol has no word for an exchange that failed. While the card is there, the status word 6F00, "no precise
    /// diagnosis", stands for it.
    public mutating func finish(_ answer: ReaderAnswer, _ content: @autoclosure () -> SlotContent) {
        // To the driver an empty answer is a card that went.
        if case .answer(let response) = answer, !response.isEmpty, let message = VpcdMessage.framed(response) {
            reaction = .send(message)
        } else {
            reaction = isHere(content()) ? .send(Self.message([0x6F, 0x00])) : .breakOff
        }
    }

    /// The next whole message, taken from the input.
    private mutating func nextMessage() -> VpcdMessage? {
        let header = VpcdMessage.headerLength
        while input.count - position >= header {
            let length = Int(input[position]) << 8 | Int(input[position + 1])
            let end = position + header + length
            guard input.count >= end else { break }
            let payload = input[position + header..<end]
            position = end
            // The driver sends no empty message, and none is owed an answer.
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

    /// Whether the slot holds the card of this connection, in the same visit.
    private func isHere(_ content: SlotContent) -> Bool {
        guard case .card(let found) = content else { return false }
        return found.card == card.card && found.visit == card.visit
    }

    /// Whether pcscd knows that this card is a new one.
    ///
    /// When a client asked for a reset just after the card before was taken away, the driver spoke of that to the
    /// client alone: pcscd then takes this card for the other, and never gives it power. It has to miss it once.
    private mutating func isWanted() -> Bool {
        requests += 1
        return wasPowered || requests <= Self.requestsBeforePower
    }

    /// A message short enough to be one.
    private static func message(_ payload: [UInt8]) -> [UInt8] {
        VpcdMessage.framed(payload) ?? []
    }
}

/// What the core of the vpcd door wants done.
public enum VpcdAction: Hashable, Sendable {
    /// Look what the slot holds and finish with it.
    case look
    /// Take power from the slot.
    case powerDown
    /// Power the slot up or reset it.
    case reset
    /// Send a command to the card of this connection and finish with the answer and what the slot then holds.
    case transmit([UInt8])
    /// Send bytes to the driver.
    case send([UInt8])
    /// End the connection: the card is gone.
    case hangUp
    /// Begin an answer and end the connection as a crash would: the driver then tells its client that the exchange
    /// failed, while for an orderly end it would report an empty answer.
    case breakOff
}

/// What the vpcd driver of pcscd says to a card.
///
/// In both directions a message is its length in two bytes, high byte first, and that many bytes. Of a single byte the
/// four values below are controls; everything else is a command APDU. Source: vsmartcard, virtualsmartcard 0.8,
/// seen on the wire.
public enum VpcdMessage: Hashable, Sendable {
    /// `00`: take power from the card; not answered.
    case powerOff
    /// `01`: give the card power; not answered.
    case powerOn
    /// `02`: reset the card; not answered.
    case reset
    /// `04`: answer with the ATR; also the only way the driver sees whether a card is there.
    case sendATR
    /// A command APDU, answered with a response APDU.
    case command([UInt8])

    /// Length of the field that holds the length.
    public static let headerLength = 2
    /// Longest message, by its length field of 16 bits.
    public static let maximumLength = 0xFFFF

    /// Reads what follows the length.
    public init(payload: ArraySlice<UInt8>) {
        switch payload.count == 1 ? payload.first : nil {
        case 0x00: self = .powerOff
        case 0x01: self = .powerOn
        case 0x02: self = .reset
        case 0x04: self = .sendATR
        default: self = .command(Array(payload))
        }
    }

    /// Puts the length before a payload; `nil` if the payload is too long.
    public static func framed(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count <= maximumLength else { return nil }
        var message: [UInt8] = []
        message.reserveCapacity(headerLength + payload.count)
        message.append(UInt8(payload.count >> 8))
        message.append(UInt8(payload.count & 0xFF))
        message.append(contentsOf: payload)
        return message
    }
}
