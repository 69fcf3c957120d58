import TapReaders

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

    /// Waits until a card lies in the slot; nothing once closed.
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
