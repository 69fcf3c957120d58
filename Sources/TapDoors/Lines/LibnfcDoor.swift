import TapField
import TapReaders
import TapWire

/// The door for programs that drive a PN532 on a serial port, as libnfc does: a pseudo-terminal with a chip behind it.
///
/// The speed of the line has no effect; answers go out at once. A pseudo-terminal has no modem lines.
public final class LibnfcDoor: Door {
    public let name = "libnfc"
    private let host: FieldHost
    private let terminal: PseudoTerminal
    private let state: LibnfcSession.State
    private let thread: BlockingThread
    private let watcher: Int
    private let link: FixedLink?
    /// The pause between interrupts of the thread.
    private static let interruptPause = Duration.milliseconds(1)

    /// - Parameters:
    ///   - chip: The chip on the line, in its state after power-up.
    ///   - link: A path that leads to the pseudo-terminal, for programs with a fixed one; removed with the door.
    /// - Throws: ``SystemError`` if the system gives no pseudo-terminal or thread, or something is at the path of the link.
    public init(
        host: FieldHost, reader: Int = 0, chip: PN532 = PN532(), link: String? = nil
    ) throws(SystemError) {
        let terminal = try PseudoTerminal()
        self.link = try link.map { path throws(SystemError) in try FixedLink.make(path, to: terminal.path) }
        let state = LibnfcSession.State(bell: try Bell())
        let thread = try BlockingThread {
            var session = LibnfcSession(chip, terminal, state, on: host, at: reader)
            session.run()
        }
        self.host = host
        self.terminal = terminal
        self.state = state
        self.thread = thread
        do {
            watcher = try host.watch { state.bell.ring() }
        } catch {
            state.close()
            Self.end(thread, state, terminal)
            throw error
        }
    }

    /// `LIBNFC_DEVICE` for libnfc, and `TAPSIM_TTY`, the path, for programs that open a serial port themselves.
    public var environment: [(name: String, value: String)] {
        // libnfc asks for a speed.
        [("LIBNFC_DEVICE", "pn532_uart:\(path):115200"), ("TAPSIM_TTY", path)]
    }

    private var path: String { link?.path ?? terminal.path }

    /// Whether a command for the chip has arrived.
    public var wasUsed: Bool { state.wasUsed }

    /// Whether a search of the chip stays open; the field shows everything else.
    public var activity: DoorActivity { DoorActivity(isWaiting: state.isWaiting) }

    public func close() {
        host.forget(watcher)
        state.close()
        Self.end(thread, state, terminal)
        terminal.close()
        link?.remove()
    }

    /// Ends the thread; one that is sending more than a terminal buffers needs several interrupts.
    private static func end(_ thread: BlockingThread, _ state: LibnfcSession.State, _ terminal: PseudoTerminal) {
        while !state.hasEnded {
            terminal.interrupt()
            BlockingThread.sleep(until: .now + interruptPause)
        }
        thread.join()
    }
}

/// The thread of the libnfc door: a PN532 on one side of a pseudo-terminal.
struct LibnfcSession {
    /// What the thread and its door share.
    final class State: Sendable {
        /// Rung when cards have arrived or left.
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

    /// Bytes read from the line at once, as many as the system buffers for a terminal.
    private static let chunk = 4096

    private let terminal: PseudoTerminal
    private let state: State
    private let host: FieldHost
    private let reader: Int
    private var chip: PN532
    private var core = PN532Line()
    private var input = [UInt8](repeating: 0, count: chunk)
    /// Bytes to send before the thread waits.
    private var output: [UInt8] = []
    /// When to give up an open command.
    private var deadline: ContinuousClock.Instant?
    /// The presence count of the field when the chip last worked.
    private var seen = 0
    private var isUsed = false

    init(_ chip: PN532, _ terminal: PseudoTerminal, _ state: State, on host: FieldHost, at reader: Int) {
        self.chip = chip
        self.terminal = terminal
        self.state = state
        self.host = host
        self.reader = reader
    }

    mutating func run() {
        defer { state.end() }
        var isConnected = true
        while isConnected, !state.isClosed {
            isConnected = core.isOpen ? awaitCards() : receive()
            serve()
        }
    }

    /// Waits for the host only, which costs less than waiting for several descriptors.
    ///
    /// - Returns: Whether the line is still open.
    private mutating func receive() -> Bool {
        guard let place = terminal.receive(into: &input) else { return false }
        core.receive(input[place])
        return true
    }

    /// Waits for cards, for the deadline of an open command, or for the host.
    ///
    /// - Returns: Whether the line is still open.
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

    /// Performs the actions of the core, and sends the output in one piece.
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
