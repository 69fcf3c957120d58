import TapHost
import TapSystem
import TapField
import TapReaders

/// A transport at a port of the loopback address: a reader behind a TCP connection, for one client after another.
///
/// Every user of the machine may connect there, and so may a page in the user's own browser. The transport serves only
/// sockets of this user and of root, and no HTTP request. Each client finds the reader as after power-up.
public final class PortTransport: Transport {
    public let name: String
    public let environment: [(name: String, value: String)]
    public let address: String?
    private let host: FieldHost
    private let state: StreamState
    private let connection = ServedConnection()
    private let clients: WaitingClients
    private let serving: BlockingThread
    private let watcher: Int

    /// Listens at a port that the system chooses.
    ///
    /// - Parameters:
    ///   - variable: The variable that tells a client where it is.
    ///   - prefix: What stands in it before the address and port.
    ///   - makeReader: The reader in its state after power-up.
    /// - Throws: ``SystemError`` if the system gives no socket or thread, or does not tell the owners of sockets.
    init<Reader: StreamReader>(
        _ name: String, variable: String, prefix: String = "", on host: FieldHost, at number: Int,
        _ makeReader: @escaping @Sendable () -> Reader
    ) throws(SystemError) {
        let listener = try TCPListener(port: 0)
        let owners = try listener.makeOwners()
        let state = try StreamState()
        self.name = name
        self.host = host
        self.state = state
        address = "\(listener.port)"
        environment = [(variable, "\(prefix)127.0.0.1:\(listener.port)")]
        clients = try WaitingClients(of: listener) { client in
            listener.question(about: client).map(owners.owner) == .user
        }
        serving = try BlockingThread { [clients, connection] in
            var served = 0
            while let client = clients.next() {
                connection.serve(client) { stream in
                    guard !HTTPRequest.isBegun(by: stream.peek(upTo: HTTPRequest.beginningLength)) else { return }
                    if served > 0 { host.perform(at: number) { $0.switchField(on: false) } }
                    served += 1
                    stream.sendAtOnce()
                    var session = StreamSession(
                        makeReader(), over: stream, sharing: state, on: host, at: number)
                    session.run()
                }
            }
        }
        do throws(SystemError) {
            watcher = try host.watch { state.bell.ring() }
        } catch {
            clients.end()
            serving.join()
            throw error
        }
    }

    /// The transport for programs that drive a PN532 over a TCP connection, as pyserial's `socket://` does.
    ///
    /// - Parameter chip: The chip in its state after power-up.
    public static func pn532(
        host: FieldHost, reader: Int = 0, chip: PN532 = PN532()
    ) throws(SystemError) -> PortTransport {
        try PortTransport("pn532-tcp", variable: "TAPSIM_PN532_TCP", on: host, at: reader) { WiredPN532(chip) }
    }

    /// The transport for felica-rs' remote driver.
    public static func felicaRS(host: FieldHost, reader: Int = 0) throws(SystemError) -> PortTransport {
        try PortTransport("felica-rs", variable: "TAPSIM_FELICA_RS", on: host, at: reader) { FelicaRemote() }
    }

    /// The transport for the client of the Proxmark3.
    public static func proxmark3(host: FieldHost, reader: Int = 0) throws(SystemError) -> PortTransport {
        try PortTransport("proxmark3", variable: "TAPSIM_PROXMARK3", prefix: "tcp:", on: host, at: reader) {
            Proxmark3()
        }
    }

    /// Whether a command for the reader has arrived.
    public var wasUsed: Bool { state.wasUsed }

    /// Whether a search of the reader stays open; the field shows everything else.
    public var activity: TransportActivity { TransportActivity(isSearching: state.isWaiting) }

    public var clientCount: Int { connection.isOpen ? 1 : 0 }

    public func close() {
        host.forget(watcher)
        state.close()
        connection.end()
        clients.end()
        serving.join()
    }
}

/// A request of a web browser, which pages may send to any port of this machine.
enum HTTPRequest {
    /// The methods that a page may use at another place without being let: simple requests, and the question for
    /// others.
    ///
    /// Source: Fetch Standard, "CORS-safelisted method" and "CORS-preflight fetch".
    private static let methods = ["GET ", "HEAD ", "POST ", "OPTIONS "].map { Array($0.utf8) }

    /// Bytes that tell a request from other protocols.
    static let beginningLength = 4

    static func isBegun(by bytes: [UInt8]) -> Bool {
        bytes.count >= beginningLength && methods.contains { $0.starts(with: bytes.prefix(beginningLength)) }
    }
}
