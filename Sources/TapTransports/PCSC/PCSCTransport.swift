import TapHost
import TapSystem
import TapReaders

/// The transport for programs that use pcsc-lite's library: a service that replaces pcscd.
///
/// The library connects to the socket that `PCSCLITE_CSOCK_NAME` names. A private transport puts it in a folder that
/// only this user may enter. Clients see the readers of this transport and no others.
public final class PCSCTransport: Transport {
    /// The place of the socket.
    public enum Place: Hashable, Sendable {
        /// In a private folder that is removed with the transport.
        case ownFolder
        /// At a path, for containers and programs with a fixed path, with the mode bits of a file.
        case path(String, mode: UInt16)
    }

    /// The name of the socket in a private folder.
    public static let socketName = "pcscd.comm"

    public let name = "pcsc"
    /// The numbers, for ``unplug(_:)``, of the readers that were plugged in when it was opened.
    public let readers: [Int]
    private let folder: PrivateDirectory?
    private let listener: UnixListener
    private let service: PCSCService
    private let serving: ServingThread

    /// Opens the transport; no reader looks for cards before a client has established a context.
    ///
    /// - Parameters:
    ///   - readers: The readers clients see, in order, at most sixteen; each appears while its reader of the world is
    ///     plugged in.
    ///   - numbers: Their numbers in the world of the host; by default from 0.
    ///   - tellsConnections: Whether the world is told when clients connect to readers and disconnect, for triggers.
    /// - Throws: ``SystemError`` if the system gives no socket or thread.
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

    /// Whether a client has established a context.
    public var wasUsed: Bool { service.wasUsed }

    /// How many connections clients have now: one for each context.
    public var clientCount: Int { service.connectionCount }

    /// Resources that ended clients left open, and misuses; complete once the transport is closed.
    public var usage: ServiceUsage { service.usage }

    /// Whether clients wait in SCardGetStatusChange or keep asking whether a card is present.
    public var activity: TransportActivity { service.activity }

    /// Plugs in a reader.
    ///
    /// - Returns: Its number for ``unplug(_:)``; `nil` if there are sixteen readers.
    @discardableResult
    public func plug(_ reader: any PCSCReader) -> Int? { service.plug(reader) }

    /// Unplugs a reader; calls to it fail from now on.
    public func unplug(_ reader: Int) { service.unplug(reader) }

    /// The name of a reader as clients see it: that of the model with two numbers.
    public func readerName(_ reader: Int) -> String? { service.name(of: reader) }

    public func name(ofReader number: Int) -> String? { service.name(ofReader: number) }

    /// Waits for a reader that is working.
    public func follow() { service.refresh() }

    /// Removes the socket.
    ///
    /// A client that is connected is told that there is no service, as it is once the transport is closed,
    /// but it may disconnect from cards and release its contexts: a finalizer that fails at that disturbs its program.
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
