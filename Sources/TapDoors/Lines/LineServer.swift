/// A ``LineExchange`` on a socket: what clients write is answered line by line, one client after another.
///
/// The cards and the field go on as one client has left them for the next. A client that breaks off in the middle of a
/// line has not sent that line. One that does not read its answers keeps those behind it waiting, and nothing else.
public final class LineServer: Sendable {
    /// What a client did wrong.
    public enum Complaint: Hashable, Sendable, CustomStringConvertible {
        /// A line of a client was not understood; clients count from 1, and so do the lines of each.
        case line(Int, client: Int, LineExchange.Problem)
        /// A client of a TCP port did not send the token first, and was not answered.
        case turnedAway

        /// The complaint in a line.
        public var description: String {
            switch self {
            case .line(let line, let client, let problem): "client \(client), line \(line): \(problem)"
            case .turnedAway: "a client was turned away: its first line was not \(LineGate.event) and the token"
            }
        }
    }

    /// Where it listens, with the port that the system chose.
    public let address: LineAddress
    /// The token that clients of a TCP port send first, in the line `@token TOKEN`; nil for a path, where the system
    /// lets this user through alone.
    public let token: String?
    private let stop: Descriptor
    private let thread = Lock<BlockingThread?>(nil)
    private let connection = ServedConnection()

    /// Listens and serves from now on.
    ///
    /// - Parameters:
    ///   - exchange: What answers the lines.
    ///   - address: Where clients find it.
    ///   - tell: Told of everything that clients do wrong, on the thread of the server.
    /// - Throws: ``SystemError`` if the address is taken, or the system gives no socket or thread.
    public init(
        _ exchange: LineExchange, at address: LineAddress, tell: @escaping @Sendable (Complaint) -> Void
    ) throws(SystemError) {
        let (stopped, stop) = try Descriptor.makePipe()
        self.stop = stop
        let listener: any StreamListener
        switch address {
        case .unix(let path):
            // Clients may start in other folders.
            let path = Folder.wholePath(of: path)
            listener = try UnixListener(at: path)
            self.address = .unix(path)
            token = nil
        case .tcp(let port):
            let tcp = try TCPListener(port: port)
            listener = tcp
            self.address = .tcp(tcp.port)
            token = LineGate.makeToken()
        }
        do throws(SystemError) {
            let serving = try BlockingThread { [connection, token] in
                var service = LineService(exchange: exchange, tell: tell)
                if let token {
                    var gate = LineGate(listener, token: token)
                    gate.takeClients(until: stopped, turnAway: { tell(.turnedAway) }) { client, lines in
                        connection.serve(client) { service.serve($0, afterToken: lines) }
                    }
                } else {
                    listener.takeClients(until: stopped) { client in
                        connection.serve(client) { service.serve($0) }
                    }
                }
                listener.close()
            }
            thread.withLock { $0 = serving }
        } catch {
            listener.close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Breaks the connection off and listens no more; a second call does nothing.
    public func close() {
        stop.shut()
        connection.end()
        thread.withLock { $0 }?.join()
    }
}

/// The connection that is served, which another thread may break off.
private final class ServedConnection: Sendable {
    private let state = Lock<(stream: SocketStream?, isOver: Bool)>((nil, false))

    /// Serves a client, unless all is over.
    func serve(_ client: Descriptor, _ body: (SocketStream) -> Void) {
        let stream = SocketStream(client)
        let isOver = state.withLock { state in
            state.stream = stream
            return state.isOver
        }
        if !isOver { body(stream) }
        state.withLock { $0.stream = nil }
    }

    /// Breaks off the connection there is, and those to come.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.stream?.shutDown()
        }
    }
}

/// The work of the server's thread.
private struct LineService {
    /// Bytes read at once.
    private static let chunk = 1 << 14
    /// Bytes of answers that are sent before the lines behind them are looked at.
    private static let usualOutput = 1 << 14

    private var exchange: LineExchange
    private let tell: @Sendable (LineServer.Complaint) -> Void
    private var clients = 0
    private var buffer = [UInt8](repeating: 0, count: chunk)

    init(exchange: LineExchange, tell: @escaping @Sendable (LineServer.Complaint) -> Void) {
        self.exchange = exchange
        self.tell = tell
    }

    /// Answers a client until it has gone: what it sent at once is answered at once.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - rest: What it has sent after its token, if it had to send one.
    mutating func serve(_ client: SocketStream, afterToken rest: LineBuffer? = nil) {
        client.sendAtOnce()
        clients += 1
        var number = rest == nil ? 0 : 1
        var lines = rest ?? LineBuffer(maximumLength: LineExchange.maximumLineLength)
        var output: [UInt8] = rest == nil ? [] : Array("-\n".utf8)
        while true {
            while let line = lines.next() {
                number += 1
                if let problem = exchange.answer(line, into: &output) {
                    tell(.line(number, client: clients, problem))
                }
                guard output.count < Self.usualOutput || send(&output, to: client) else { return }
            }
            guard send(&output, to: client) else { return }
            // Who writes a line in pieces may wait with the rest of it for the acknowledgement of its beginning.
            if lines.isInsideLine { client.acknowledge() }
            let count = client.receive(into: &buffer)
            guard count > 0 else { return }
            lines.append(buffer[..<count])
        }
    }

    /// Sends what there is.
    ///
    /// - Returns: Whether the client is still there.
    private func send(_ output: inout [UInt8], to client: SocketStream) -> Bool {
        defer { output.removeAll(keepingCapacity: true) }
        return output.isEmpty || client.send(output)
    }
}
