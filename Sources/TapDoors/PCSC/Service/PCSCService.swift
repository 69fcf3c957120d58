import TapField
import TapReaders

/// The resource manager shared by the sessions of its clients, and the readers it manages.
///
/// The lock of the manager is never held while a reader works.
final class PCSCService: Sendable {
    /// How long a client is kept waiting for a reader before it is looked after.
    ///
    /// Source: pcsc-lite, PCSCLITE_LOCK_POLL_RATE.
    static let pollPeriod = Duration.milliseconds(100)
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
    /// The threads that serve the clients.
    let threads: ClientThreads
    /// The readers that come and go as the world says; held while they do.
    let followed = Lock<[FollowedReader]>([])
    /// The number by which the host knows the service, once its readers look for cards; held while they begin to.
    let watcher = Lock<Int?>(nil)

    /// Whether the world is told of connections to its readers.
    let tellsConnections: Bool

    /// Prepares for clients.
    ///
    /// - Throws: ``SystemError`` if the system gives no queue or pipe for the threads.
    init(host: FieldHost, tellsConnections: Bool = false) throws(SystemError) {
        self.host = host
        threads = try ClientThreads()
        self.tellsConnections = tellsConnections
        if tellsConnections { state.withLock { $0.manager.connections = [] } }
    }

    /// Whether a client has established a context.
    var wasUsed: Bool { state.withLock { $0.wasUsed } }

    /// What clients left open and misused.
    var usage: ServiceUsage { state.withLock { $0.manager.usage } }

    /// What clients do while they do nothing with cards.
    var activity: DoorActivity { state.withLock { $0.manager.doorActivity } }

    /// Serves a client from now on, until it is gone or the service is closed.
    func serve(_ descriptor: Descriptor) {
        threads.start(for: descriptor) { stream in admit(stream).map { PCSCSession($0, stream, of: self) } }
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

    /// Lets a client go that is served no more.
    func dismiss(_ client: ClientID) {
        _ = run(withManager { $0.dismiss(client) })
        tellOfConnections()
        state.withLock { $0.streams[client] = nil }
    }

    /// Breaks all connections and takes no new ones; the threads go on until they have let all clients go.
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
