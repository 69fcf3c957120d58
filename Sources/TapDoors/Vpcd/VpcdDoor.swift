import TapReaders

/// The door for programs that insist on the system's PC/SC service: the card's side of the vpcd driver of pcscd.
///
/// The driver listens and we connect: a connection is a card in its slot. pcscd looks every 400 ms, so that is how long
/// a client waits for a card to come or go. Whether pcscd runs is nobody's business here; it is tried again and again.
public final class VpcdDoor: Door {
    /// The word by which scenario files and reports speak of the door.
    public let name = "vpcd"
    /// The port of the entry that the Debian package of the driver installs.
    public static let usualPort: UInt16 = 35963

    private let host: FieldHost
    /// Where the driver listens for the slot.
    public let port: UInt16
    private let slot: ReaderSlot
    private let session: VpcdSession
    private let thread: BlockingThread
    private let watcher: Int

    /// Opens the door; the slot looks for cards from now on, since pcscd does.
    ///
    /// - Parameters:
    ///   - slot: What pcscd finds behind it; the name is that of pcscd's own entry.
    ///   - host: The field of the slot.
    ///   - machine: Where pcscd runs.
    ///   - port: Where the driver listens for its slot.
    /// - Throws: ``SystemError`` if there is no such machine or the system gives no thread.
    public init(
        _ slot: ReaderSlot, on host: FieldHost, machine: String = "127.0.0.1", port: UInt16 = usualPort
    ) throws(SystemError) {
        let session = VpcdSession(slot, address: try InternetAddress(host: machine, port: port))
        self.host = host
        self.port = port
        self.slot = slot
        self.session = session
        slot.onChange { session.wake() }
        let thread = try BlockingThread { session.run() }
        self.thread = thread
        do {
            watcher = try host.watch { slot.refresh() }
        } catch {
            session.close()
            thread.join()
            throw error
        }
    }

    /// Nothing: clients find pcscd by themselves.
    public var environment: [(name: String, value: String)] { [] }

    /// Whether pcscd has given a card power: no client is visible before it sends a command.
    public var wasUsed: Bool { session.wasUsed }

    /// Whether the driver listens, as far as was tried: nobody connects before a card lies in the slot.
    public var isReachable: Bool { !session.isRefused }

    /// Waits until pcscd has given power to the card that lies in the slot, if one does.
    public func settle(within limit: Duration) { session.settle(within: limit) }

    /// Closes the door and ends its thread.
    public func close() {
        host.forget(watcher)
        session.close()
        thread.join()
        slot.onChange {}
    }
}
