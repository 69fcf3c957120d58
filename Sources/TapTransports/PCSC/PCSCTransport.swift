import TapHost
import TapSystem
import TapReaders

/// The transport for programs that use pcsc-lite's library: a service that replaces pcscd.
///
/// The library connects to the socket named by `PCSCLITE_CSOCK_NAME`. A private transport puts the socket in a folder that only
/// this user may enter. Clients see only the readers of this transport.
public final class PCSCTransport: Transport {
    /// The place of the socket.
    public enum Place: Sendable {
        /// In a private folder that is removed with the transport.
        case ownFolder
        /// At a path, for containers and programs with a fixed path, with the mode bits of a file.
        case path(String, mode: UInt16)
        /// That of an entrance, which stays open when the transport is closed.
        case entrance(PCSCEntrance)
    }

    /// The name of the socket in a private folder.
    public static let socketName = "pcscd.comm"

    public let name = "pcsc"
    private let entrance: PCSCEntrance
    private let ownsEntrance: Bool
    private let service: PCSCService

    /// Opens the transport; no reader looks for cards before a client has established a context.
    ///
    /// - Parameters:
    ///   - readers: The readers that clients see, in order, at most sixteen; each appears while its reader of the world is
    ///     plugged in.
    ///   - numbers: The readers' numbers in the host's world; by default from 0.
    ///   - reportsConnections: A Boolean value that indicates whether connections to readers are reported to the world, for
    ///     triggers.
    /// - Throws: ``SystemError`` if the system provides no socket or thread.
    public init(
        host: FieldHost, readers: [any PCSCReader], numbers: [Int]? = nil, reportsConnections: Bool = false,
        at place: Place = .ownFolder
    ) throws(SystemError) {
        service = PCSCService(host: host, reportsConnections: reportsConnections)
        switch place {
        case .ownFolder: (entrance, ownsEntrance) = (try PCSCEntrance(isShared: false), true)
        case .path(let path, let mode): (entrance, ownsEntrance) = (try PCSCEntrance(at: path, mode: mode), true)
        case .entrance(let entrance): (self.entrance, ownsEntrance) = (entrance, false)
        }
        service.follow(zip(numbers ?? Array(readers.indices), readers).map { ($0, $1) })
        entrance.open(to: service)
    }

    deinit {
        close()
    }

    /// `PCSCLITE_CSOCK_NAME`, the path of the socket.
    public var environment: [(name: String, value: String)] { [("PCSCLITE_CSOCK_NAME", entrance.path)] }

    public var address: String? { entrance.path }

    /// A Boolean value that indicates whether a client has established a context.
    public var wasUsed: Bool { service.wasUsed }

    /// The number of client connections now: one per context.
    public var clientCount: Int { service.connectionCount }

    /// Resources that clients left open when they ended, and misuses; complete once the transport is closed.
    public var usage: ServiceUsage { service.usage }

    /// The clients' activity: waiting in `SCardGetStatusChange`, or repeatedly asking whether a card is present.
    public var activity: TransportActivity { service.activity }

    /// Plugs in a reader.
    ///
    /// - Returns: Its number for ``unplug(_:)``; `nil` if there are sixteen readers.
    @discardableResult
    public func plug(_ reader: any PCSCReader) -> Int? { service.plug(reader) }

    /// Unplugs a reader; calls to it fail from now on.
    public func unplug(_ reader: Int) { service.unplug(reader) }

    /// Returns the name of a reader as clients see it: the name of the model with two numbers.
    public func readerName(_ reader: Int) -> String? { service.name(of: reader) }

    public func name(ofReader number: Int) -> String? { service.name(ofReader: number) }

    /// Waits while a reader works.
    public func follow() { service.refresh() }

    /// Removes the socket.
    ///
    /// Calls of connected clients fail with "no service", as after closing, but clients may still disconnect from cards and
    /// release their contexts: a finalizer that fails there disturbs its program.
    public func retire() {
        leave()
        service.retire()
    }

    /// Closes all connections, ends the threads and removes the socket; a second call does nothing.
    public func close() {
        leave()
        service.close()
        service.threads.joinAll()
    }

    private func leave() {
        if ownsEntrance { entrance.close() } else { entrance.leave(service) }
    }
}
