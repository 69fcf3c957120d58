/// A Unix socket on which programs steer a service: a line each way, one answer for each line.
///
/// One thread serves all connections; a client that does not read its answer is not listened to until it does.
public final class ControlServer: Sendable {
    /// Longest line taken, in bytes: that of the largest scenario file.
    public static let maximumLineLength = 1 << 20
    /// Most connections at once; one more ends the one that was silent longest.
    public static let maximumConnections = 32

    /// Longest path of a socket, in bytes.
    public static let maximumPathLength = UnixSocket.maximumPathLength

    /// Answers a line; called on the thread of the server.
    public typealias Answerer = @Sendable (LineBuffer.Line) -> String

    /// Where the socket is.
    public let path: String
    private let stop: Descriptor
    private let thread = Lock<BlockingThread?>(nil)

    /// Listens at a path, for this user alone.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - answer: Answers a line with a line, without its end.
    /// - Throws: ``SystemError`` if the system gives no socket or thread.
    public init(at path: String, answer: @escaping Answerer) throws(SystemError) {
        self.path = path
        let listener = try UnixListener(at: path)
        let (reading, writing) = try Descriptor.makePipe()
        stop = writing
        let serving = try BlockingThread {
            var loop = ControlLoop(listener: listener, stop: reading, answer: answer)
            loop.run()
        }
        thread.withLock { $0 = serving }
    }

    /// Ends all connections and removes the socket; what was answered before has been sent.
    ///
    /// A second call does nothing.
    public func close() {
        stop.shut()
        thread.withLock { $0 }?.join()
    }
}

/// The loop of the server's thread.
private struct ControlLoop {
    let listener: UnixListener
    let stop: Descriptor
    let answer: ControlServer.Answerer
    /// Open connections, the one that was silent longest first.
    private var connections: [ControlConnection] = []

    init(listener: UnixListener, stop: Descriptor, answer: @escaping ControlServer.Answerer) {
        self.listener = listener
        self.stop = stop
        self.answer = answer
    }

    mutating func run() {
        defer { listener.close() }
        while true {
            let ends = connections.map { ($0.descriptor, $0.isAnswering ? Readiness.Interest.writing : .reading) }
            let ready = Readiness.wait(
                for: [(stop, .reading), (listener.descriptor, .reading)] + ends, timeout: nil)
            if ready[0] { return }
            serve(ready.dropFirst(2))
            if ready[1] { accept() }
        }
    }

    /// Moves the connections that are ready on, behind those that are silent.
    private mutating func serve(_ ready: ArraySlice<Bool>) {
        var silent: [ControlConnection] = []
        var busy: [ControlConnection] = []
        for (connection, isReady) in zip(connections, ready) {
            var connection = connection
            if !isReady {
                silent.append(connection)
            } else if RequestsUnderWay.count({ connection.moveOn(answer) }) {
                busy.append(connection)
            }
        }
        connections = silent + busy
    }

    private mutating func accept() {
        guard let client = listener.accept() else { return }
        if connections.count >= ControlServer.maximumConnections { connections.removeFirst() }
        connections.append(ControlConnection(client))
    }
}
