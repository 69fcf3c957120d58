import TapReaders

/// The door for programs that use pcsc-lite's library: a service of our own in the place of pcscd.
///
/// The library connects to the socket that `PCSCLITE_CSOCK_NAME` names. A private door makes it in a folder that only
/// this user may enter, so that the system lets no other user come near; whoever may connect sees the readers of this
/// door and no others.
public final class PCSCDoor: Door {
    /// Where the socket of a door is.
    public enum Place: Hashable, Sendable {
        /// In a folder of its own that goes away with the door.
        case ownFolder
        /// At a path, for containers and programs with a fixed path.
        ///
        /// - Parameters:
        ///   - path: The path.
        ///   - mode: Who may connect, as the mode bits of a file.
        case path(String, mode: UInt16)
    }

    /// The name of the socket in a folder of its own.
    public static let socketName = "pcscd.comm"

    /// The word by which scenario files and reports speak of the door.
    public let name = "pcsc"
    /// The numbers of the readers that were plugged in when it was opened, by which ``unplug(_:)`` takes them away.
    public let readers: [Int]
    private let folder: PrivateDirectory?
    private let listener: UnixListener
    private let service: PCSCService
    private let serving: ServingThread

    /// Opens the door on a field; no reader looks for cards before a client has established a context.
    ///
    /// - Parameters:
    ///   - host: The field.
    ///   - readers: The readers clients see, in this order, at most sixteen; their numbers go from 0 on. They come and
    ///     go as readers of the world are plugged in and unplugged.
    ///   - numbers: The number of each in the world of the host; without them they count from 0.
    ///   - tellsConnections: Whether the world is told when clients connect to readers and let go, as triggers want it.
    ///   - place: Where the socket is.
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

    /// Whether a client has established a context.
    public var wasUsed: Bool { service.wasUsed }

    /// How many connections clients have now: one for each context.
    public var clientCount: Int { service.threads.count }

    /// What clients left open, of those that have ended, and calls that no sound client makes.
    ///
    /// Complete once the door is closed: then every client has ended.
    public var usage: ServiceUsage { service.usage }

    /// Whether clients wait in SCardGetStatusChange or ask again and again whether a card is there.
    public var activity: DoorActivity { service.activity }

    /// Plugs a reader in.
    ///
    /// - Returns: A number by which ``unplug(_:)`` takes it away, or `nil` if there are sixteen.
    @discardableResult
    public func plug(_ reader: any PCSCReader) -> Int? { service.plug(reader) }

    /// Unplugs a reader; what clients do with it fails from now on.
    public func unplug(_ reader: Int) { service.unplug(reader) }

    /// The name of a reader as clients see it: that of the model with two numbers.
    public func readerName(_ reader: Int) -> String? { service.name(of: reader) }

    /// The name of a reader of the world as clients see it; `nil` while it is unplugged.
    public func name(ofReader number: Int) -> String? { service.name(ofReader: number) }

    /// Plugs readers in and unplugs them now, as the world says, and lets them look for cards.
    ///
    /// Clients see what has changed once this returns; without it they do so a moment later. A reader that works is
    /// waited for.
    public func follow() { service.refresh() }

    /// Breaks all connections, ends the threads and removes the socket; a second call does nothing.
    public func close() {
        serving.end()
        listener.close()
        service.close()
        service.threads.joinAll()
        folder?.remove()
    }
}
