import TapField
import TapReaders
import TapWire

/// The thread of the libnfc door: a PN532 on one side of a pseudo-terminal.
struct LibnfcSession {
    /// What the thread and its door share.
    final class State: Sendable {
        /// Rung when cards have come or gone.
        let bell: Bell
        private let flags = Lock((wasUsed: false, isWaiting: false, isClosed: false, hasEnded: false))

        init(bell: Bell) {
            self.bell = bell
        }

        var wasUsed: Bool { flags.withLock { $0.wasUsed } }
        /// Whether a search stays open until a card comes.
        var isWaiting: Bool {
            get { flags.withLock { $0.isWaiting } }
            set { flags.withLock { $0.isWaiting = newValue } }
        }
        var isClosed: Bool { flags.withLock { $0.isClosed } }
        /// Whether the thread waits for nothing any more.
        var hasEnded: Bool { flags.withLock { $0.hasEnded } }

        func noteUse() {
            flags.withLock { $0.wasUsed = true }
        }

        func close() {
            flags.withLock { $0.isClosed = true }
        }

        fileprivate func end() {
            flags.withLock { $0.hasEnded = true }
        }
    }

    /// Bytes taken from the line at once; the system keeps as many for a terminal.
    private static let chunk = 4096

    private let terminal: PseudoTerminal
    private let state: State
    private let host: FieldHost
    private let reader: Int
    private var chip = PN532()
    private var core = SerialCore()
    private var input = [UInt8](repeating: 0, count: chunk)
    /// What goes out before the thread waits for anything.
    private var output: [UInt8] = []
    /// When an open command is to be given up.
    private var deadline: ContinuousClock.Instant?
    /// How often cards had come or gone when the chip last worked.
    private var seen = 0
    private var isUsed = false

    init(_ terminal: PseudoTerminal, _ state: State, on host: FieldHost, at reader: Int) {
        self.terminal = terminal
        self.state = state
        self.host = host
        self.reader = reader
    }

    /// The loop of the thread.
    mutating func run() {
        defer { state.end() }
        var isConnected = true
        while isConnected, !state.isClosed {
            isConnected = core.isOpen ? awaitCards() : receive()
            serve()
        }
    }

    /// Waits for the host alone: nothing else is due, and a wait for several things costs more.
    ///
    /// - Returns: Whether the line is still there.
    private mutating func receive() -> Bool {
        guard let place = terminal.receive(into: &input) else { return false }
        core.receive(input[place])
        return true
    }

    /// Waits until something becomes of an open command, or the host sends.
    ///
    /// - Returns: Whether the line is still there.
    private mutating func awaitCards() -> Bool {
        state.isWaiting = true
        defer { state.isWaiting = false }
        let ready = Readiness.wait(
            for: [(terminal.descriptor, .reading), (state.bell.rung, .reading)], timeout: deadline.map { $0 - .now })
        if ready[0] { return receive() }
        if ready[1] {
            state.bell.still()
            if host.perform(plansAhead: false, at: reader, { $0.presenceCount }) != seen { core.lookAgain() }
        }
        if let deadline, deadline <= .now { core.giveUp() }
        return true
    }

    /// Does what the core wants, and sends what comes of it in one piece.
    private mutating func serve() {
        while let action = core.next() {
            switch action {
            case .send(let frame): frame.append(to: &output)
            case .carry(let command):
                noteUse()
                // A host waits for the ACK less long than for the answer.
                if !host.isPrompt { flush() }
                let answer = host.perform(plansAhead: false, at: reader) { world in
                    defer { seen = world.presenceCount }
                    return chip.carry(command, in: &world)
                }
                core.finish(answer)
            case .wait(let limit): deadline = limit.map { .now + $0 }
            }
        }
        flush()
    }

    private mutating func flush() {
        guard !output.isEmpty else { return }
        terminal.send(output)
        output.removeAll(keepingCapacity: true)
    }

    private mutating func noteUse() {
        guard !isUsed else { return }
        isUsed = true
        state.noteUse()
    }
}
