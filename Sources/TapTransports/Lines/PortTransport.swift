import TapHost
import TapSystem
import TapField
import TapReaders

/// A transport at a port of the loopback address: a reader at the other end of a TCP connection, for one client after another.
///
/// Every user of the machine may connect to the port, and so may a page in the user's own browser. The transport serves only
/// sockets of this user and of root, and no HTTP requests. Each client finds the reader in its power-up state.
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
    ///   - variable: The environment variable that contains the address for clients.
    ///   - prefix: The text before the address and port in the variable.
    ///   - makeReader: Creates the reader in its power-up state.
    /// - Throws: ``SystemError`` if the system provides no socket or thread, or does not report the owners of sockets.
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
    /// - Parameter chip: The chip in its power-up state.
    public static func pn532(
        host: FieldHost, reader: Int = 0, chip: PN532 = PN532()
    ) throws(SystemError) -> PortTransport {
        try PortTransport("pn532-tcp", variable: "TAPSIM_PN532_TCP", on: host, at: reader) { WiredPN532(chip) }
    }

    /// The transport for felica-rs' remote driver.
    public static func felicaRS(host: FieldHost, reader: Int = 0) throws(SystemError) -> PortTransport {
        try PortTransport("felica-rs", variable: "TAPSIM_FELICA_RS", on: host, at: reader) { FelicaRemote() }
    }

    /// The transport for the Proxmark3 client.
    public static func proxmark3(host: FieldHost, reader: Int = 0) throws(SystemError) -> PortTransport {
        try PortTransport("proxmark3", variable: "TAPSIM_PROXMARK3", prefix: "tcp:", on: host, at: reader) {
            Proxmark3()
        }
    }

    /// A Boolean value that indicates whether a command for the reader has arrived.
    public var wasUsed: Bool { state.wasUsed }

    /// The open search of the reader, if any; the field shows everything else.
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

/// A request from a web browser, which pages can send to any port of this machine.
enum HTTPRequest {
    /// The methods a page may use on another origin without permission: those of simple requests, and OPTIONS for preflights.
    ///
    /// Source: Fetch Standard, "CORS-safelisted method" and "CORS-preflight fetch".
    private static let methods = ["GET ", "HEAD ", "POST ", "OPTIONS "].map { Array($0.utf8) }

    /// The number of bytes that distinguish a request from other protocols.
    static let beginningLength = 4

    static func isBegun(by bytes: [UInt8]) -> Bool {
        bytes.count >= beginningLength && methods.contains { $0.starts(with: bytes.prefix(beginningLength)) }
    }
}
