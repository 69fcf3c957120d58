import TapField
import TapReaders

/// The resource manager shared by the threads of its clients, and the readers it manages.
///
/// The lock of the manager is never held while a reader works.
final class PCSCService: Sendable {
    /// How long a client is kept waiting for a reader before it is looked after.
    ///
    /// Source: pcsc-lite, PCSCLITE_LOCK_POLL_RATE.
    static let pollPeriod = Duration.milliseconds(100)
    /// How long a client that waits for a change may take to ask for the states; the library does so at once.
    private static let statesPatience = Duration.seconds(1)

    struct State {
        var manager = ResourceManager()
        var slots: [ReaderID: ReaderSlot] = [:]
        var streams: [ClientID: SocketStream] = [:]
        var nextNumber = 0
        var waitingCount = 0
        var isClosed = false
        var wasUsed = false

        mutating func takeNumber() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    let host: FieldHost
    let state = Condition(State())
    /// The readers that come and go as the world says; held while they do.
    let followed = Lock<[FollowedReader]>([])
    /// The number by which the host knows the service, once its readers look for cards; held while they begin to.
    let watcher = Lock<Int?>(nil)

    /// Whether the world is told of connections to its readers.
    let tellsConnections: Bool

    init(host: FieldHost, tellsConnections: Bool = false) {
        self.host = host
        self.tellsConnections = tellsConnections
        if tellsConnections { state.withLock { $0.manager.connections = [] } }
    }

    /// Whether a client has established a context.
    var wasUsed: Bool { state.withLock { $0.wasUsed } }

    /// What clients left open and misused.
    var usage: ServiceUsage { state.withLock { $0.manager.usage } }

    /// Serves a client until it is gone or the service is closed.
    func serve(_ stream: SocketStream) {
        guard let client = admit(stream) else { return }
        var requests = RequestReader(stream)
        let isDisturbed = host.isDisturbed
        while let request = requests.next(),
            let answer = isDisturbed
                ? disturbedAnswer(to: request, from: client, stream) : answer(to: request, from: client, stream),
            answer.isEmpty || stream.send(answer)
        {
            guard request == .waitForChange, !requests.isReady(within: Self.statesPatience) else { continue }
            withManager { $0.stopHolding(client) }
        }
        // What it sends from now on is nobody's.
        stream.shutDown()
        _ = run(withManager { $0.dismiss(client) })
        tellOfConnections()
        state.withLock { $0.streams[client] = nil }
    }

    private func admit(_ stream: SocketStream) -> ClientID? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let client = state.takeNumber()
            state.streams[client] = stream
            state.manager.admit(client)
            return client
        }
    }

    /// Breaks all connections and takes no new ones.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for stream in state.streams.values { stream.shutDown() }
            self.state.wakeAll()
        }
        if let watcher = watcher.withLock({ $0 }) { host.forget(watcher) }
    }

    /// Uses the manager alone, sends the notices that come of it and wakes who waits.
    func withManager<Result>(_ body: (inout ResourceManager) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state.manager)
            deliver(&state)
            return result
        }
    }

    /// Notices go out while the lock is held, so that they keep their order; none of them waits.
    func deliver(_ state: inout State) {
        if !state.manager.notices.isEmpty {
            for (client, bytes) in state.manager.notices { state.streams[client]?.offer(bytes) }
            state.manager.notices = []
        }
        if state.waitingCount > 0 { self.state.wakeAll() }
    }
}
