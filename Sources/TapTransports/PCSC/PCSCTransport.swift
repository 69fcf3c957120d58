import TapHost
import TapSystem
import TapReaders

/// The transport for programs that use pcsc-lite's library: a service that replaces pcscd.
///
/// The library connects to the socket named by `PCSCLITE_CSOCK_NAME`. A private transport puts the socket in a folder that only
/// this user may enter. Clients see only the readers of this transport.
public final class PCSCTransport: Transport {
    public enum Place: Hashable, Sendable {
        /// In a private folder that is removed with the transport.
        case ownFolder
        /// At a path, for containers and programs with a fixed path, with the mode bits of a file.
        case path(String, mode: UInt16)
    }

    /// The name of the socket in a private folder.
    public static let socketName = "pcscd.comm"

    public let name = "pcsc"
    /// The numbers, for ``unplug(_:)``, of the readers that were plugged in when the transport was opened.
    public let readers: [Int]
    private let folder: PrivateDirectory?
    private let listener: UnixListener
    private let service: PCSCService
    private let serving: ServingThread

    /// Opens the transport; no reader looks for cards before a client has established a context.
    ///
    /// - Parameters:
    ///   - readers: The readers that clients see, in order, at most sixteen; each appears while its reader of the world is
    ///     plugged in.
    ///   - numbers: The readers' numbers in the host's world; by default from 0.
    ///   - tellsConnections: A Boolean value that indicates whether connections to readers are reported to the world, for
    ///     triggers.
    /// - Throws: ``SystemError`` if the system provides no socket or thread.
    public init(
        host: FieldHost, readers: [any PCSCReader], numbers: [Int]? = nil, tellsConnections: Bool = false,
        at place: Place = .ownFolder
    ) throws(SystemError) {
        service = PCSCService(host: host, tellsConnections: tellsConnections)
        switch place {
        case .ownFolder:
            let folder = try PrivateDirectory(forSocket: Self.socketName)
            self.folder = folder
            listener = try UnixListener(at: "\(folder.path)/\(Self.socketName)", mode: 0o600)
        case .path(let path, let mode):
            folder = nil
            listener = try UnixListener(at: path, mode: .init(mode))
        }
        self.readers = service.follow(zip(numbers ?? Array(readers.indices), readers).map { ($0, $1) })
        do throws(SystemError) {
            serving = try ServingThread { [listener, service] stopped in
                listener.takeClients(until: stopped) { service.serve($0) }
            }
        } catch {
            listener.close()
            folder?.remove()
            throw error
        }
    }

    deinit {
        close()
    }

    /// `PCSCLITE_CSOCK_NAME`, the path of the socket.
    public var environment: [(name: String, value: String)] { [("PCSCLITE_CSOCK_NAME", listener.path)] }

    public var address: String? { listener.path }

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
        serving.end()
        listener.close()
        service.retire()
        folder?.remove()
    }

    /// Closes all connections, ends the threads and removes the socket; a second call does nothing.
    public func close() {
        serving.end()
        listener.close()
        service.close()
        service.threads.joinAll()
        folder?.remove()
    }
}
