import TapSystem
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A server for a ``LineExchange`` on a socket; it answers line by line, one client after another.
///
/// Each client finds the cards and the field as the previous client left them. An unfinished line at the end of a connection is
/// ignored. A client that does not read its answers keeps the next clients waiting.
public final class LineServer: Sendable {
    /// A client's mistake.
    public enum Complaint: Hashable, Sendable, CustomStringConvertible {
        /// A line is invalid; clients and their lines count from 1.
        case line(Int, client: Int, LineExchange.Problem)
        /// A client of a TCP port did not send the token first, and got no answer.
        case turnedAway

        public var description: String {
            switch self {
            case .line(let line, let client, let problem): "client \(client), line \(line): \(problem)"
            case .turnedAway: "rejected a client: expected `\(LineGate.event) TOKEN` as its first line"
            }
        }
    }

    /// The address of the server, with the port that the system chose.
    public let address: LineAddress
    /// The token that clients of a TCP port send first, in the line `@token TOKEN`; `nil` for a path, which only this user can
    /// open.
    public let token: String?
    private let serving: ServingThread
    private let connection = ServedConnection()

    /// Starts listening and serving.
    ///
    /// - Parameter report: Called for each complaint, on the server's thread.
    /// - Throws: ``SystemError`` if the address is taken, or the system provides no socket or thread.
    public init(
        _ exchange: LineExchange, at address: LineAddress, report: @escaping @Sendable (Complaint) -> Void
    ) throws(SystemError) {
        let listener: any StreamListener
        let gate: LineGate?
        switch address {
        case .unix(let path):
            // Clients may start in other folders.
            let path = Folder.wholePath(of: path)
            listener = try UnixListener(at: path)
            self.address = .unix(path)
            (token, gate) = (nil, nil)
        case .tcp(let port):
            let tcp = try TCPListener(port: port)
            listener = tcp
            self.address = .tcp(tcp.port)
            let token = LineGate.makeToken()
            (self.token, gate) = (token, LineGate(tcp, token: token))
        }
        do throws(SystemError) {
            serving = try ServingThread { [connection] stopped in
                var service = LineService(exchange: exchange, report: report)
                if var gate {
                    gate.takeClients(until: stopped, turnAway: { report(.turnedAway) }) { client, lines in
                        connection.serve(client) { service.serve($0, afterToken: lines) }
                    }
                } else {
                    listener.takeClients(until: stopped) { client in
                        connection.serve(client) { service.serve($0) }
                    }
                }
                listener.close()
            }
        } catch {
            listener.close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Breaks the connection and stops listening; a second call does nothing.
    public func close() {
        connection.end()
        serving.end()
    }
}

private struct LineService {
    /// The number of bytes to read at once.
    private static let chunk = 1 << 14
    /// The number of answer bytes after which the server sends before it answers more lines.
    private static let outputLimit = 1 << 14

    private var exchange: LineExchange
    private let report: @Sendable (LineServer.Complaint) -> Void
    private var clients = 0
    private var buffer = [UInt8](repeating: 0, count: chunk)

    init(exchange: LineExchange, report: @escaping @Sendable (LineServer.Complaint) -> Void) {
        self.exchange = exchange
        self.report = report
    }

    /// Answers a client until it disconnects; lines that arrive together are answered together.
    ///
    /// - Parameter rest: The bytes after the token, for a client that had to send one.
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
                    report(.line(number, client: clients, problem))
                }
                guard output.count < Self.outputLimit || send(&output, to: client) else { return }
            }
            guard send(&output, to: client) else { return }
            // A client that writes a line in pieces may hold back the rest until the beginning is acknowledged.
            if lines.isInsideLine { client.acknowledge() }
            let count = client.receive(into: &buffer)
            guard count > 0 else { return }
            lines.append(buffer[..<count])
        }
    }

    /// - Returns: `true` if the client is still connected.
    private func send(_ output: inout [UInt8], to client: SocketStream) -> Bool {
        defer { output.removeAll(keepingCapacity: true) }
        return output.isEmpty || client.send(output)
    }
}

/// Admits to a ``LineServer`` the clients of a TCP port whose first line is `@token TOKEN`.
///
/// Every user of the machine may connect to a port, and so may a page in the user's own browser with an HTTP request. Neither
/// knows the token, so neither gets an answer. A silent client does not delay the others, and one user's clients do not
/// displace another's.
struct LineGate {
    /// The first keyword a client sends.
    static let event = "@token"
    /// The maximum number of clients that have not sent the token yet.
    ///
    /// One more disconnects the longest-waiting client of the user with the most such clients.
    private static let maximumWaiting = 32
    /// The number of bytes to read at once.
    private static let chunk = 1 << 10

    /// A client that has not sent its first line.
    private struct Candidate {
        let descriptor: Descriptor
        /// The owner of the client's socket; `nil` if the system does not report it.
        let users: Set<uid_t>?
        var lines = LineBuffer(maximumLength: LineExchange.maximumLineLength)
    }

    private let line: String
    private let listener: TCPListener
    private let owners: SocketOwners?
    private var waiting: [Candidate] = []

    init(_ listener: TCPListener, token: String) {
        line = "\(Self.event) \(token)"
        self.listener = listener
        owners = try? listener.makeOwners()
    }

    /// A random token of 128 bits.
    static func makeToken() -> String {
        Hex.digits(UInt64.random(in: 0...(.max)), width: 16) + Hex.digits(UInt64.random(in: 0...(.max)), width: 16)
    }

    /// Admits clients one after another until `stopped` becomes readable or its other end is closed.
    ///
    /// - Parameters:
    ///   - turnAway: Called for a client with another first line.
    ///   - take: Serves a client, given the lines after the first.
    mutating func takeClients(
        until stopped: Descriptor, turnAway: () -> Void, _ take: (Descriptor, LineBuffer) -> Void
    ) {
        while true {
            let places = [stopped, listener.descriptor] + waiting.map(\.descriptor)
            let ready = Readiness.wait(for: places.map { ($0, .reading) }, timeout: nil)
            if ready[0] { return }
            for (candidate, isReady) in zip(takeWaiting(), ready.dropFirst(2)) {
                guard isReady else {
                    waiting.append(candidate)
                    continue
                }
                hear(candidate, turnAway, take)
            }
            if ready[1], let client = listener.accept() {
                let users = listener.question(about: client).flatMap { owners?.users($0) }
                waiting.append(Candidate(descriptor: client, users: users))
                if waiting.count > Self.maximumWaiting {
                    waiting.remove(at: Self.indexToDisplace(among: waiting.map(\.users)))
                }
            }
        }
    }

    /// Returns the index of the longest-waiting client of the user with the most clients, given each client's user in arrival
    /// order.
    static func indexToDisplace(among users: [Set<uid_t>?]) -> Int {
        let counts = users.map { user in users.count { $0 == user } }
        return counts.firstIndex(of: counts.max() ?? 0) ?? 0
    }

    private mutating func takeWaiting() -> [Candidate] {
        defer { waiting = [] }
        return waiting
    }

    /// Reads the first line of a client.
    private mutating func hear(
        _ candidate: Candidate, _ turnAway: () -> Void, _ take: (Descriptor, LineBuffer) -> Void
    ) {
        var candidate = candidate
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        switch SocketStream(candidate.descriptor).receiveAtOnce(into: &bytes) {
        case nil: waiting.append(candidate)
        case 0?: break
        case let count?:
            candidate.lines.append(bytes[..<count])
            guard let first = candidate.lines.next() else { return waiting.append(candidate) }
            let words = (first.text ?? "").split(whereSeparator: \.isWhitespace)
            words.joined(separator: " ") == line ? take(candidate.descriptor, candidate.lines) : turnAway()
        }
    }
}

/// The address of a line server.
public enum LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// A Unix socket at a file system path, for this user alone.
    case unix(String)
    /// A port of the loopback address, or 0 to let the system choose one; clients must send the server's token first.
    case tcp(UInt16)

    /// Parses ``description``; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.last) {
        case ("unix", let path?) where parts.count == 2 && !path.isEmpty: self = .unix(path)
        case ("tcp", let port?):
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(port) else { return nil }
            self = .tcp(port)
        default: return nil
        }
    }

    /// `unix:PATH` or `tcp:PORT`.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let port): "tcp:\(port)"
        }
    }
}
