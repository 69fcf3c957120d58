#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A Unix socket through which programs control a service: each line gets one line in answer.
///
/// One thread serves all connections; a client that does not read its answer is ignored until it does.
public final class ControlServer: Sendable {
    /// The maximum length of a line in bytes: that of the largest scenario file.
    public static let maximumLineLength = 1 << 20
    /// The maximum number of connections; one more closes the connection that has been silent longest.
    public static let maximumConnections = 32

    /// The maximum length of a socket path in bytes.
    public static let maximumPathLength = UnixSocket.maximumPathLength

    /// Answers a line with a line, without its end; called on the thread of the server.
    public typealias Answerer = @Sendable (LineBuffer.Line) -> String

    public let path: String
    private let serving: ServingThread

    /// Listens at a path, for this user alone.
    ///
    /// - Throws: ``SystemError`` if the system provides no socket or thread.
    public init(at path: String, answer: @escaping Answerer) throws(SystemError) {
        self.path = path
        let listener = try UnixListener(at: path)
        do throws(SystemError) {
            serving = try ServingThread { stopped in
                var loop = ControlLoop(listener: listener, stop: stopped, answer: answer)
                loop.run()
            }
        } catch {
            listener.close()
            throw error
        }
    }

    /// Closes all connections and removes the socket; earlier answers have been sent, and a second call does nothing.
    public func close() {
        serving.end()
    }
}

private struct ControlLoop {
    let listener: UnixListener
    let stop: Descriptor
    let answer: ControlServer.Answerer
    /// The open connections, the longest-silent first.
    var connections: [ControlConnection] = []

    mutating func run() {
        defer { listener.close() }
        while true {
            let ends = connections.map { ($0.descriptor, $0.isAnswering ? Readiness.Interest.writing : .reading) }
            let ready = Readiness.wait(for: [(stop, .reading), (listener.descriptor, .reading)] + ends, timeout: nil)
            if ready[0] { return }
            serve(ready.dropFirst(2))
            if ready[1] { accept() }
        }
    }

    /// Serves the connections that are ready, and moves them after the silent ones.
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

/// One client of a ``ControlServer``: its lines and the unsent rest of its answers.
struct ControlConnection {
    private static let chunk = 1 << 16

    let descriptor: Descriptor
    private var lines = LineBuffer(maximumLength: ControlServer.maximumLineLength)
    private var output: ArraySlice<UInt8> = []

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        descriptor.setNonBlocking()
    }

    /// A Boolean value that indicates whether an answer waits for the client to read it.
    var isAnswering: Bool { !output.isEmpty }

    /// Reads from the client, answers line by line, and sends as much as the client accepts.
    ///
    /// - Returns: `true` if the client is still connected.
    mutating func moveOn(_ answer: ControlServer.Answerer) -> Bool {
        guard !isAnswering else { return send(answer) }
        switch descriptor.receive(upTo: Self.chunk) {
        case .end: return false
        case .nothingYet: return true
        case .bytes(let bytes):
            lines.append(bytes[...])
            return send(answer)
        }
    }

    /// Sends output, and answers the next line only once the previous answer is on its way.
    private mutating func send(_ answer: ControlServer.Answerer) -> Bool {
        while true {
            if !isAnswering {
                guard let line = lines.next() else { return true }
                output = Array((answer(line) + "\n").utf8)[...]
            }
            guard let count = descriptor.sendToSocket(output) else { return false }
            output = output.dropFirst(count)
            if isAnswering { return true }
        }
    }
}

/// The unanswered requests to the control sockets of this process.
///
/// A request may end the process: an app may exit when its session is cancelled. The request still gets an answer.
public enum RequestsUnderWay {
    /// The time exiting waits for answers.
    private static let patience = Duration.seconds(2)

    private static let number = Condition(0)

    /// Delays the exit of this process until pending requests are answered or time out; a second call does nothing.
    public static func answerAtExit() {
        _ = exitHandler
    }

    // A forked child that has not exec'd has no thread that answers.
    private static let exitHandler: Void = {
        _ = owner
        atexit {
            if getpid() == owner { awaitAnswers() }
        }
    }()

    private static let owner = getpid()

    /// Counts a request as pending while `body` answers it.
    static func count<Result>(_ body: () -> Result) -> Result {
        number.withLock { $0 += 1 }
        defer {
            number.withLock { $0 -= 1 }
            number.wakeAll()
        }
        return body()
    }

    private static func awaitAnswers() {
        let deadline = ContinuousClock.now + patience
        number.waitUntilDone { number in
            number == 0 || ContinuousClock.now >= deadline ? .done(()) : .wait(until: deadline)
        }
    }
}

/// The client's end of a ``ControlServer``'s socket.
public struct ControlClient: ~Copyable {
    /// The maximum length of an answer in bytes: far above a full journal.
    public static let maximumAnswerLength = 1 << 28
    /// The time an answer may take; a slower service has hung.
    public static let patience = Duration.seconds(60)
    private static let chunk = 1 << 16

    private let descriptor: Descriptor

    /// - Throws: ``SystemError`` if no service listens at the path.
    public init(to path: String) throws(SystemError) {
        descriptor = try UnixSocket.connect(to: path)
        descriptor.setNonBlocking()
    }

    /// Returns `true` if a service listens on the socket at a path.
    public static func isAnswered(_ path: String) -> Bool {
        (try? UnixSocket.connect(to: path)) != nil
    }

    /// Sends a line and waits for the answer.
    ///
    /// - Returns: The answer; `nil` if the service ended or did not answer in time.
    public func ask(_ line: String) -> String? {
        let deadline = ContinuousClock.now + Self.patience
        var output = Array((line + "\n").utf8)[...]
        while !output.isEmpty {
            guard isReady(for: .writing, until: deadline), let count = descriptor.sendToSocket(output) else {
                return nil
            }
            output = output.dropFirst(count)
        }
        var lines = LineBuffer(maximumLength: Self.maximumAnswerLength)
        while true {
            if let answer = lines.next()?.text { return answer }
            guard isReady(for: .reading, until: deadline) else { return nil }
            switch descriptor.receive(upTo: Self.chunk) {
            case .bytes(let bytes): lines.append(bytes[...])
            case .nothingYet: continue
            case .end: return nil
            }
        }
    }

    private func isReady(for interest: Readiness.Interest, until deadline: ContinuousClock.Instant) -> Bool {
        Readiness.wait(for: [(descriptor, interest)], timeout: deadline - ContinuousClock.now)[0]
    }
}
