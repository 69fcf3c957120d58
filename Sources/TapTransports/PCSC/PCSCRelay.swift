import TapSystem
import TapWire

/// A transport that forwards everything to another PC/SC service and reports the exchanges with cards.
///
/// Bytes pass unchanged in both directions, so programs see the readers, the timing and the errors of that service. If a
/// program uses a newer protocol than ``ProtocolVersion`` knows, its bytes are forwarded but not interpreted.
public final class PCSCRelay: Transport {
    /// A card in a reader of the service.
    public struct Slot: Hashable, Sendable {
        /// The name of the reader with its two numbers.
        public let reader: String
        /// Empty without a card.
        public let atr: [UInt8]
        /// The number of times a card has come to the reader or left it, which distinguishes one visit from the next.
        public let visit: UInt32
    }

    /// A command to a card or a reader.
    public struct Exchange: Hashable, Sendable {
        public let slot: Slot
        public let command: [UInt8]
        /// The code of an `SCardControl`; `nil` for `SCardTransmit`.
        public let controlCode: UInt32?
        /// `nil` if the call failed.
        public let answer: [UInt8]?
        /// A Boolean value that indicates whether the call failed because the card was removed.
        public let isCardGone: Bool
        /// The start time, measured by the clock from the opening of the transport.
        public let began: Duration
        public let ended: Duration
    }

    /// The sockets at which pcscd listens.
    public static let systemPaths = ["/run/pcscd/pcscd.comm", "/var/run/pcscd/pcscd.comm"]

    public let name = "pcsc"
    private let folder: PrivateDirectory
    private let listener: UnixListener
    private let serving: ServingThread
    private let clients: RelayClients

    /// Returns the socket of the service that programs would reach now, from `PCSCLITE_CSOCK_NAME` or pcscd's own; `nil` if
    /// none answers.
    public static func usualService(in surroundings: Surroundings) -> String? {
        let named = surroundings["PCSCLITE_CSOCK_NAME"].map { [surroundings.folder.path(to: $0)] }
        return (named ?? systemPaths).first { (try? UnixSocket.connect(to: $0)) != nil }
    }

    /// - Parameters:
    ///   - service: The path of the service's socket.
    ///   - hear: Called for each exchange before the program gets its answer, on the thread of its connection.
    /// - Throws: ``SystemError`` if the system provides no socket or thread.
    public init(to service: String, hear: @escaping @Sendable (Exchange) -> Void) throws(SystemError) {
        let folder = try PrivateDirectory(forSocket: PCSCTransport.socketName)
        let listener = try UnixListener(at: "\(folder.path)/\(PCSCTransport.socketName)", mode: 0o600)
        let clients = RelayClients(service, hear)
        (self.folder, self.listener, self.clients) = (folder, listener, clients)
        do throws(SystemError) {
            serving = try ServingThread { stopped in listener.takeClients(until: stopped) { clients.serve($0) } }
        } catch {
            listener.close()
            folder.remove()
            throw error
        }
    }

    deinit {
        close()
    }

    public var environment: [(name: String, value: String)] { [("PCSCLITE_CSOCK_NAME", listener.path)] }
    public var address: String? { listener.path }
    public var wasUsed: Bool { clients.wereThere }
    public var clientCount: Int { clients.threads.count }

    /// Returns `true` if the card has left since; `false` if the service no longer reports it.
    public func hasLeft(_ slot: Slot) -> Bool {
        guard let now = clients.slot(of: slot.reader) else { return false }
        return now.visit != slot.visit
    }

    public func close() {
        serving.end()
        listener.close()
        clients.close()
        folder.remove()
    }
}

/// The connections of programs to a relay, each with its own connection to the service.
private final class RelayClients: Sendable {
    private struct State {
        var streams: [ClientID: [SocketStream]] = [:]
        var next: ClientID = 0
        var isClosed = false
    }

    let threads = ClientThreads()
    private let service: String
    private let hear: @Sendable (PCSCRelay.Exchange) -> Void
    private let began = ContinuousClock.now
    private let state = Lock(State())

    init(_ service: String, _ hear: @escaping @Sendable (PCSCRelay.Exchange) -> Void) {
        self.service = service
        self.hear = hear
    }

    var wereThere: Bool { state.withLock { $0.next > 0 } }

    /// Forwards a program's bytes; disconnects a program if the service cannot be reached, as happens without the relay.
    func serve(_ program: Descriptor) {
        let program = SocketStream(program)
        guard let descriptor = try? UnixSocket.connect(to: service) else { return program.shutDown() }
        let service = SocketStream(descriptor)
        let client: ClientID? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.streams[state.next] = [program, service]
            return state.next
        }
        guard let client else { return program.shutDown() }
        let isServed = threads.start(client, of: program.descriptor.peerProcess) { [self] in
            var session = RelaySession(program, service, of: self.service, since: began, hear)
            session.serve()
            end(client)
        }
        if !isServed { end(client) }
    }

    func slot(of reader: String) -> PCSCRelay.Slot? {
        PCSCRelay.Slot(of: reader, at: service, speaking: ProtocolVersion(minor: ProtocolVersion.minors.lowerBound))
    }

    private func end(_ client: ClientID) {
        for stream in state.withLock({ $0.streams.removeValue(forKey: client) }) ?? [] { stream.shutDown() }
    }

    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.flatMap(\.self)
        }
        for stream in streams { stream.shutDown() }
        threads.joinAll()
    }
}

/// One connection through a relay, on its own thread.
private struct RelaySession {
    private static let room = 1 << 14

    private let program: SocketStream
    private let service: SocketStream
    private let path: String
    private let started: ContinuousClock.Instant
    private let hear: (PCSCRelay.Exchange) -> Void
    private var version = ProtocolVersion(minor: ProtocolVersion.minors.lowerBound)
    /// Bytes from the program that do not form a whole request yet; `nil` once a request was not understood.
    private var asked: [UInt8]? = []
    /// The request whose answer is incomplete, and the bytes of the answer so far.
    private var request: ServiceRequest?
    private var answer: [UInt8] = []
    private var began: Duration = .zero
    private var slots: [Int32: PCSCRelay.Slot] = [:]

    init(
        _ program: SocketStream, _ service: SocketStream, of path: String, since started: ContinuousClock.Instant,
        _ hear: @escaping (PCSCRelay.Exchange) -> Void
    ) {
        self.program = program
        self.service = service
        self.path = path
        self.started = started
        self.hear = hear
    }

    /// Forwards bytes until one side has disconnected.
    mutating func serve() {
        var buffer = [UInt8](repeating: 0, count: Self.room)
        while true {
            let ready = Readiness.wait(
                for: [(program.descriptor, .reading), (service.descriptor, .reading)], timeout: nil)
            if ready[0] {
                let count = program.receive(into: &buffer)
                guard count > 0 else { return }
                note(asked: buffer.prefix(count))
                guard service.send(Array(buffer.prefix(count))) else { return }
            }
            if ready[1] {
                let count = service.receive(into: &buffer)
                guard count > 0 else { return }
                note(answered: buffer.prefix(count))
                guard program.send(Array(buffer.prefix(count))) else { return }
            }
        }
    }

    private mutating func note(asked bytes: ArraySlice<UInt8>) {
        guard var asked else { return }
        asked += bytes
        do {
            while let found = try ServiceRequest.first(in: asked[...]) {
                // A program waits for the answer to a request before it sends the next.
                (request, answer, began) = (found.request, [], .now - started)
                if case .version(let version) = found.request { self.version = version }
                asked.removeFirst(found.length)
            }
            self.asked = asked
        } catch {
            self.asked = nil
        }
    }

    private mutating func note(answered bytes: ArraySlice<UInt8>) {
        guard let request else { return }
        answer += bytes
        switch request {
        case .connect:
            guard answer.count >= ConnectMessage.size else { return }
            let message = ConnectMessage(parsing: answer[...])
            if message.result == .success { slots[message.card] = slot(of: message.reader) }
        case .reconnect:
            guard answer.count >= ReconnectMessage.size else { return }
            let message = ReconnectMessage(parsing: answer[...])
            if let reader = slots[message.card]?.reader { slots[message.card] = slot(of: reader) }
        case .transmit(_, let command):
            guard let message = whole(TransmitMessage.self) else { return }
            record(command, answeredBy: message)
        case .control(let sent, let command):
            guard let message = whole(ControlMessage.self) else { return }
            record(command, controlCode: sent.code, answeredBy: message)
        default: break
        }
        self.request = nil
    }

    /// Returns the structure of an answer, once the data after it has arrived too.
    private func whole<Message: ExchangeMessage>(_: Message.Type) -> Message? {
        guard answer.count >= Message.size else { return nil }
        let message = Message(parsing: answer[...])
        let isEmpty = message.result != .success
        return isEmpty || answer.count >= Message.size + Int(message.returnedLength) ? message : nil
    }

    private func record<Message: ExchangeMessage>(
        _ command: [UInt8], controlCode: UInt32? = nil, answeredBy message: Message
    ) {
        guard let slot = slots[message.card] else { return }
        let data = answer.dropFirst(Message.size).prefix(Int(message.returnedLength))
        hear(
            PCSCRelay.Exchange(
                slot: slot, command: command, controlCode: controlCode,
                answer: message.result == .success ? Array(data) : nil,
                isCardGone: [.removedCard, .noSmartCard].contains(message.result), began: began, ended: .now - started))
    }

    private func slot(of reader: String) -> PCSCRelay.Slot {
        PCSCRelay.Slot(of: reader, at: path, speaking: version) ?? PCSCRelay.Slot(reader: reader, atr: [], visit: 0)
    }
}

extension PCSCRelay.Slot {
    /// Asks a service for the card in a reader over a separate connection, since the program's may be in the middle of an
    /// answer.
    fileprivate init?(of reader: String, at path: String, speaking version: ProtocolVersion) {
        guard let descriptor = try? UnixSocket.connect(to: path) else { return nil }
        let stream = SocketStream(descriptor)
        defer { stream.shutDown() }
        let greeting = MessageHeader(length: UInt32(ProtocolVersion.size), command: .version)
        guard stream.send(greeting.bytes(followedBy: version.bytes)), stream.bytes(ProtocolVersion.size) != nil,
            stream.send(MessageHeader(length: 0, command: .readerStates).bytes),
            let bytes = stream.bytes(ReaderState.places * ReaderState.size)
        else { return nil }
        let states = stride(from: 0, to: bytes.count, by: ReaderState.size).map { ReaderState(parsing: bytes[$0...]) }
        guard let state = states.first(where: { $0.name == reader }) else { return nil }
        self.init(reader: reader, atr: state.atr, visit: state.eventCounter)
    }
}

extension SocketStream {
    /// Waits for exactly `count` bytes; returns `nil` if the connection ends before.
    fileprivate func bytes(_ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let more = receive(into: &buffer, from: received)
            guard more > 0 else { return nil }
            received += more
        }
        return buffer
    }
}
