import TapHost
import TapSystem
import TapField
import TapReaders

/// A byte stream between a reader and its host.
protocol StreamConnection {
    /// The descriptors to wait for: one becomes readable when bytes have arrived or the connection has ended.
    var signals: [Descriptor] { get }

    var hasEnded: Bool { get }

    /// Waits for bytes.
    ///
    /// - Returns: The range of the bytes in the buffer; `nil` once the connection has ended.
    func awaitBytes(into buffer: inout [UInt8]) -> Range<Int>?

    /// Sends bytes; waits while the host has left too many unread.
    ///
    /// - Returns: `true` if the host is still connected.
    func send(_ bytes: [UInt8]) -> Bool
}

extension SocketStream: StreamConnection {
    var signals: [Descriptor] { [descriptor] }
    var hasEnded: Bool { isAbandoned }

    func awaitBytes(into buffer: inout [UInt8]) -> Range<Int>? {
        let count = receive(into: &buffer, from: 0)
        return count > 0 ? 0..<count : nil
    }
}

extension TerminalClient: StreamConnection {}

/// A reader at its end of a connection, on a thread that waits for the host, for cards and for the end of a search.
struct StreamSession<Reader: StreamReader, Connection: StreamConnection> {
    private let connection: Connection
    private let state: StreamState
    private let host: FieldHost
    private let number: Int
    private var reader: Reader
    private var input = [UInt8](repeating: 0, count: streamChunk)
    /// The bytes to send before the thread waits.
    private var output: [UInt8] = []
    /// The time to give up an open command.
    private var deadline: ContinuousClock.Instant?
    /// The presence count of the field when the reader last worked.
    private var seen = 0
    private var isUsed = false

    init(
        _ reader: Reader, over connection: Connection, sharing state: StreamState, on host: FieldHost, at number: Int
    ) {
        self.reader = reader
        self.connection = connection
        self.state = state
        self.host = host
        self.number = number
    }

    /// Serves the host until one of the two ends the connection, or the transport is closed.
    mutating func run() {
        var isConnected = true
        while isConnected, !state.isClosed {
            isConnected = (reader.isOpen ? awaitCards() : receive()) && serve()
        }
    }

    /// Waits only for the host, which costs less than waiting for several descriptors.
    ///
    /// - Returns: `true` if the connection is still open.
    private mutating func receive() -> Bool {
        guard let place = connection.awaitBytes(into: &input) else { return false }
        reader.receive(input[place])
        return true
    }

    /// Waits for cards, for the deadline of an open command, or for the host.
    ///
    /// - Returns: `true` if the connection is still open.
    private mutating func awaitCards() -> Bool {
        state.isWaiting = true
        defer { state.isWaiting = false }
        let ready = Readiness.wait(
            for: ([state.bell.rung] + connection.signals).map { ($0, .reading) },
            timeout: deadline.map { $0 - .now })
        if ready.dropFirst().contains(true) { return receive() }
        if ready[0] {
            state.bell.still()
            if host.perform(plansAhead: false, at: number, { $0.presenceCount }) != seen { reader.rescan() }
        }
        if let deadline, deadline <= .now { reader.giveUp() }
        return true
    }

    /// Performs the reader's actions, and sends the output in one piece.
    ///
    /// If the host has disconnected, the first command that has arrived is carried out, but not the ones after it.
    ///
    /// - Returns: `true` if the connection is still open.
    private mutating func serve() -> Bool {
        var hasWorked = false
        while let action = reader.next() {
            switch action {
            case .send(let bytes): output += bytes
            case .work:
                if hasWorked, connection.hasEnded { return false }
                hasWorked = true
                noteUse()
                // A host waits for the ACK for a shorter time than for the answer.
                if !host.isPrompt, !flush() { return false }
                host.perform(plansAhead: false, at: number) { world in
                    defer { seen = world.presenceCount }
                    reader.work(in: &world)
                }
            case .wait(let limit): deadline = limit.map { .now + $0 }
            case .hangUp:
                _ = flush()
                return false
            }
            guard output.count < streamOutputLimit || flush() else { return false }
        }
        return flush()
    }

    /// - Returns: `true` if the host is still connected.
    private mutating func flush() -> Bool {
        guard !output.isEmpty else { return true }
        defer { output.removeAll(keepingCapacity: true) }
        return connection.send(output)
    }

    private mutating func noteUse() {
        guard !isUsed else { return }
        isUsed = true
        state.noteUse()
    }
}

/// The number of bytes to read from a connection at once, as many as the system buffers for a terminal.
private let streamChunk = 4096
/// The number of answer bytes after which the session sends before it carries out more commands.
private let streamOutputLimit = 1 << 14

/// The state shared by the thread of a ``StreamSession`` and its transport.
final class StreamState: Sendable {
    /// Rung when cards have arrived or left.
    let bell: Bell
    private let flags = Lock((wasUsed: false, isWaiting: false, isClosed: false))

    init() throws(SystemError) {
        bell = try Bell()
    }

    /// A Boolean value that indicates whether a host has sent a command.
    var wasUsed: Bool { flags.withLock { $0.wasUsed } }
    /// A Boolean value that indicates whether a search stays open until a card comes.
    var isWaiting: Bool {
        get { flags.withLock { $0.isWaiting } }
        set { flags.withLock { $0.isWaiting = newValue } }
    }
    var isClosed: Bool { flags.withLock { $0.isClosed } }

    func noteUse() {
        flags.withLock { $0.wasUsed = true }
    }

    func close() {
        flags.withLock { $0.isClosed = true }
    }
}

/// A server's current connection, which another thread may break.
final class ServedConnection: Sendable {
    private let state = Lock<(stream: SocketStream?, hasEnded: Bool)>((nil, false))

    func serve(_ client: Descriptor, _ body: (SocketStream) -> Void) {
        let stream = SocketStream(client)
        let hasEnded = state.withLock { state in
            state.stream = stream
            return state.hasEnded
        }
        if !hasEnded { body(stream) }
        state.withLock { $0.stream = nil }
    }

    /// A Boolean value that indicates whether a client is connected and has not hung up.
    var isOpen: Bool { state.withLock { $0.stream.map { !$0.isAbandoned } ?? false } }

    /// Breaks the current connection and all later ones.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.stream?.shutDown()
        }
    }
}
