/// The threads that serve clients, each client with one of its own.
final class ClientThreads: Sendable {
    /// Connections in all; above what pcscd has, so that one process that takes all it may leaves room for others.
    static let maximum = 512
    /// Connections of one process: as many as pcscd gives to all together.
    ///
    /// Source: pcsc-lite, PCSC_MAX_CONTEXT_THREADS.
    static let maximumOfProcess = 200
    /// Bytes of the stack of a thread.
    static let stackSize = 1 << 19

    private struct State {
        var running: [Int: BlockingThread] = [:]
        var finished: [BlockingThread] = []
        var processes: [Int: Int32] = [:]
        var next = 0
    }

    private let state = Lock(State())

    /// Serves a client on a thread of its own; one too many is turned away.
    func start(for client: Descriptor, _ serve: @escaping @Sendable (SocketStream) -> Void) {
        reap()
        let process = client.peerProcess
        state.withLock { state in
            guard state.running.count < Self.maximum,
                process.map({ process in state.processes.values.count { $0 == process } < Self.maximumOfProcess })
                    ?? true
            else { return }
            let number = state.next
            state.next += 1
            state.processes[number] = process
            let stream = SocketStream(client)
            // The thread waits for this lock before it takes itself off the list.
            state.running[number] = try? BlockingThread(stackSize: Self.stackSize) { [self] in
                serve(stream)
                finish(number)
            }
            if state.running[number] == nil { state.processes[number] = nil }
        }
    }

    private func finish(_ number: Int) {
        state.withLock { state in
            state.processes[number] = nil
            if let thread = state.running.removeValue(forKey: number) { state.finished.append(thread) }
        }
    }

    /// How many clients are served.
    var count: Int { state.withLock { $0.running.count } }

    /// Lets go of threads that have ended.
    private func reap() {
        let finished = state.withLock { state in
            defer { state.finished.removeAll() }
            return state.finished
        }
        for thread in finished { thread.join() }
    }

    /// Waits for the end of all threads.
    func joinAll() {
        let running = state.withLock { Array($0.running.values) }
        for thread in running { thread.join() }
        reap()
    }
}
