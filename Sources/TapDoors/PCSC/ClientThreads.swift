/// The threads that serve clients: one for all of them, and another one while that one waits for something.
///
/// One thread at a time has the turn: it waits for what clients send and serves who has sent something. What may take
/// its time, it does after it has stepped aside, and another thread has the turn meanwhile. So who serves a client that
/// asks and asks changes between no threads, however many clients there are, and none of them waits for another.
final class ClientThreads: Sendable {
    /// Connections in all; above what pcscd has, so that one process that takes all it may leaves room for others.
    static let maximum = 512
    /// Connections of one process: as many as pcscd gives to all together.
    ///
    /// Source: pcsc-lite, PCSC_MAX_CONTEXT_THREADS.
    static let maximumOfProcess = 200
    /// Bytes of the stack of a thread.
    private static let stackSize = 1 << 19
    /// The number of the bell among what arrives; clients have others.
    private static let bellNumber = -1

    /// Who has the turn.
    fileprivate enum Turn: Equatable {
        /// Nobody: a thread that is idle is to take it.
        case free
        /// A thread that waits for what clients send.
        case waiting
        /// A thread that serves a client and has not stepped aside.
        case serving(ClientID)
    }

    fileprivate final class Client {
        let session: PCSCSession
        let process: Int32?
        /// Whether a thread serves it.
        var isServed = false
        /// Whether it has sent something since it was looked at last.
        var hasNews = false
        /// Whether it sends nothing more.
        var hasEnded = false

        init(_ session: PCSCSession, process: Int32?) {
            self.session = session
            self.process = process
        }
    }

    fileprivate struct State {
        var clients: [ClientID: Client] = [:]
        var turn = Turn.free
        /// What was told of clients and not looked at yet, the last first; for whoever has the turn.
        var arrived: [ArrivalQueue.Arrival] = []
        var threads: [BlockingThread] = []
        /// Threads that serve nobody and do not have the turn.
        var idleCount = 0
        /// Whether no more clients come.
        var isClosing = false

        /// Whether there is nothing left to do.
        var isOver: Bool { isClosing && clients.isEmpty }

        /// Whether a process may have one client more.
        func hasRoom(for process: Int32?) -> Bool {
            guard clients.count < maximum else { return false }
            guard let process else { return true }
            return clients.values.count { $0.process == process } < maximumOfProcess
        }
    }

    private let state = Condition(State())
    private let arrivals: ArrivalQueue
    /// Rung to end the thread that has the turn.
    private let bell: Bell

    /// Prepares for clients; there is no thread before the first one comes.
    ///
    /// - Throws: ``SystemError`` if the system gives no queue or pipe.
    init() throws(SystemError) {
        arrivals = try ArrivalQueue()
        bell = try Bell()
        try arrivals.add(bell.rung, number: Self.bellNumber)
    }

    /// How many clients there are.
    var count: Int { state.withLock { $0.clients.count } }

    /// Serves a client from now on; one too many is turned away.
    ///
    /// One thread takes clients in.
    ///
    /// - Parameters:
    ///   - descriptor: The connection.
    ///   - begin: Begins its session; nothing turns it away.
    func start(for descriptor: Descriptor, _ begin: (SocketStream) -> PCSCSession?) {
        let process = descriptor.peerProcess
        guard state.withLock({ $0.hasRoom(for: process) && offerTurn(&$0) }),
            let session = begin(SocketStream(descriptor))
        else { return }
        state.withLock { $0.clients[session.client] = Client(session, process: process) }
        do {
            try arrivals.add(descriptor, number: session.client)
        } catch {
            session.end()
            state.withLock { $0.clients[session.client] = nil }
        }
    }

    /// Lets another thread have the turn, before the one that serves a client does what may take its time.
    ///
    /// Where the system gives no other thread, the first one that becomes idle has it, which may be this one.
    func stepAside(from client: ClientID) {
        state.withLock { state in
            guard state.turn == .serving(client) else { return }
            state.turn = .free
            _ = offerTurn(&state)
        }
    }

    /// Waits for the end of all clients, whose connections are broken by now, and of the threads.
    ///
    /// No client may come any more. A second call does nothing.
    func joinAll() {
        state.withLock { state in
            state.isClosing = true
            tellIfOver(state)
        }
        while let thread = state.withLock({ $0.threads.popLast() }) { thread.join() }
    }

    /// Wakes all threads once there is nothing left to do.
    private func tellIfOver(_ state: State) {
        guard state.isOver else { return }
        self.state.wakeAll()
        bell.ring()
    }

    /// Sees to it that a thread takes the turn if nobody has it.
    ///
    /// - Returns: Whether some thread has it or will.
    private func offerTurn(_ state: inout State) -> Bool {
        guard state.turn == .free else { return true }
        if state.idleCount > 0 {
            // All of them: some releases of glibc may lose the waking of one (its bug 25847).
            self.state.wakeAll()
            return true
        }
        guard let thread = try? BlockingThread(stackSize: Self.stackSize, { [self] in run() }) else { return false }
        state.threads.append(thread)
        // It is idle until it has come to life, so that no second one is started in its place.
        state.idleCount += 1
        return true
    }

    /// What a thread does: it waits for the turn, and keeps it until it has stepped aside.
    private func run() {
        while takeTurn() {
            while let (client, hasEnded) = awaitClient() {
                guard serve(client, hasEnded) else { break }
            }
        }
    }

    /// Waits for the turn; false once there is nothing left to do.
    private func takeTurn() -> Bool {
        state.waitUntilDone { state in
            guard !state.isOver else { return .done(false) }
            guard state.turn == .free else { return .wait(until: nil) }
            state.turn = .waiting
            state.idleCount -= 1
            return .done(true)
        }
    }

    /// Waits for a client that has sent something and that nobody serves; nothing once there is nothing left to do.
    private func awaitClient() -> (Client, hasEnded: Bool)? {
        while true {
            let (found, isOver) = state.withLock { ($0.takeNext(), $0.isOver) }
            guard found == nil, !isOver else { return found }
            let arrived = arrivals.next()
            state.withLock { $0.arrived = arrived.reversed() }
        }
    }

    /// Serves a client until it is gone or has sent nothing more.
    ///
    /// - Returns: Whether this thread still has the turn.
    private func serve(_ client: Client, _ hasEnded: Bool) -> Bool {
        var hasEnded = hasEnded
        while true {
            let isThere = client.session.goOn(hasEnded: hasEnded)
            if !isThere { client.session.end() }
            let hasTurn: Bool? = state.withLock { state in
                if isThere, client.hasNews {
                    client.hasNews = false
                    hasEnded = client.hasEnded
                    return nil
                }
                client.isServed = false
                if !isThere {
                    state.clients[client.session.client] = nil
                    tellIfOver(state)
                }
                return state.keepTurn(of: client.session.client)
            }
            if let hasTurn { return hasTurn }
        }
    }
}

extension ClientThreads.State {
    /// Notes which clients have sent something, up to one that nobody serves, and takes that to serve it.
    fileprivate mutating func takeNext() -> (ClientThreads.Client, hasEnded: Bool)? {
        while let arrival = arrived.popLast() {
            // The bell, and a client that is gone by now, are no clients.
            guard let client = clients[arrival.number] else { continue }
            if arrival.isLast { client.hasEnded = true }
            client.hasNews = client.isServed
            guard !client.isServed else { continue }
            client.isServed = true
            turn = .serving(arrival.number)
            return (client, client.hasEnded)
        }
        return nil
    }

    /// Ends the serving of a client.
    ///
    /// - Returns: Whether the thread that has served it has the turn; otherwise it is idle.
    fileprivate mutating func keepTurn(of client: ClientID) -> Bool {
        guard turn == .serving(client) else {
            idleCount += 1
            return false
        }
        turn = .waiting
        return true
    }
}
