import TapSystem

/// The clients of a TCP port that wait to be served, one after another.
///
/// Every user of the machine may connect to a port. While the port is open, a thread accepts clients even while another is
/// being served, and disconnects strangers at once: they do not count and keep none of this user's clients waiting.
final class WaitingClients: Sendable {
    /// The maximum number of waiting clients of this user; one more is disconnected.
    static let maximum = 128

    private struct State {
        var clients: [Descriptor] = []
        var hasEnded = false

        /// Returns `true` if one more client may wait; clients that have hung up make room.
        mutating func hasRoom() -> Bool {
            if clients.count >= maximum { clients.removeAll { SocketStream($0).isAbandoned } }
            return clients.count < maximum
        }
    }

    private let state = Condition(State())
    private let accepting: ServingThread

    /// Accepts clients from now on, and closes the listener at the end.
    ///
    /// - Parameter admits: Returns `true` for a client that is not a stranger.
    /// - Throws: ``SystemError`` if the system provides no thread.
    init(
        of listener: TCPListener, admits: @escaping @Sendable (Descriptor) -> Bool
    ) throws(SystemError) {
        accepting = try ServingThread { [state] stopped in
            listener.takeClients(until: stopped) { client in
                let isTaken =
                    admits(client)
                    && state.withLock { state in
                        guard state.hasRoom() else { return false }
                        state.clients.append(client)
                        return true
                    }
                if isTaken { state.wakeAll() } else { SocketStream(client).reset() }
            }
            listener.close()
        }
    }

    /// Waits for the next client; returns `nil` once ended.
    func next() -> Descriptor? {
        state.waitUntilDone { state in
            if state.hasEnded { return .done(nil) }
            return state.clients.isEmpty ? .wait(until: nil) : .done(state.clients.removeFirst())
        }
    }

    /// Closes the port and disconnects the waiting clients; a second call does nothing.
    func end() {
        accepting.end()
        state.withLock { state in
            state.hasEnded = true
            state.clients = []
            self.state.wakeAll()
        }
    }
}
