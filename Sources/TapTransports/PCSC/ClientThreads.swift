import TapSystem

/// The threads that serve clients, one per connection.
final class ClientThreads: Sendable {
    /// The maximum number of connections; more than pcscd allows, so that a process at its own maximum leaves room for others.
    static let maximum = 512
    /// The maximum number of connections of one process; pcscd's limit for all of them (pcsc-lite, PCSC_MAX_CONTEXT_THREADS).
    static let maximumOfProcess = 200
    /// The stack size of a thread in bytes.
    private static let stackSize = 1 << 19

    private struct State {
        /// The clients with their process, if the system reports it.
        var clients: [ClientID: (process: Int32?, thread: BlockingThread)] = [:]
        /// Threads that have finished with their client and are about to return.
        var ended: [BlockingThread] = []

        /// Returns `true` if a process may have one more client.
        func hasRoom(for process: Int32?) -> Bool {
            guard clients.count < maximum else { return false }
            guard let process else { return true }
            return clients.values.count { $0.process == process } < maximumOfProcess
        }
    }

    private let state = Condition(State())

    var count: Int { state.withLock { $0.clients.count } }

    /// Serves a client on its own thread, unless there are too many.
    ///
    /// - Parameters:
    ///   - process: The client's process, if the system reports it.
    ///   - serve: Serves the client until it disconnects.
    /// - Returns: `true` if the client is served.
    func start(_ client: ClientID, of process: Int32?, _ serve: @escaping @Sendable () -> Void) -> Bool {
        joinEnded()
        // The thread ends under the same lock, so it cannot end before it is recorded.
        return state.withLock { state in
            guard state.hasRoom(for: process),
                let thread = try? BlockingThread(
                    stackSize: Self.stackSize,
                    { [self] in
                        serve()
                        end(client)
                    })
            else { return false }
            state.clients[client] = (process, thread)
            return true
        }
    }

    /// Waits for all threads, once all connections are closed and no client can connect; a second call does nothing.
    func joinAll() {
        state.waitUntilDone { $0.clients.isEmpty ? .done(()) : .wait(until: nil) }
        joinEnded()
    }

    private func end(_ client: ClientID) {
        state.withLock { state in
            if let thread = state.clients.removeValue(forKey: client)?.thread { state.ended.append(thread) }
            if state.clients.isEmpty { self.state.wakeAll() }
        }
    }

    private func joinEnded() {
        let ended = state.withLock { state in
            defer { state.ended = [] }
            return state.ended
        }
        for thread in ended { thread.join() }
    }
}
