import TapSystem

/// The socket at which clients of a PC/SC service arrive, which several services can use one after another.
public final class PCSCEntrance: Sendable {
    private let folder: PrivateDirectory?
    private let listener: UnixListener
    private let serving: ServingThread
    private let isShared: Bool
    /// The service that clients reach; locked while a client is let in.
    private let current: Lock<PCSCService?>

    var path: String { listener.path }

    /// Makes a socket in a private folder, which is removed with it.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether several services use the socket. A client that connects
    ///   while there is no service is then dropped; otherwise it waits for the service.
    /// - Throws: ``SystemError`` if the system gives no folder, socket or thread.
    public convenience init(isShared: Bool = true) throws(SystemError) {
        let folder = try PrivateDirectory(forSocket: PCSCTransport.socketName)
        try self.init(at: "\(folder.path)/\(PCSCTransport.socketName)", mode: 0o600, in: folder, isShared: isShared)
    }

    /// - Parameter mode: Who may connect, as the mode bits of a file.
    init(
        at path: String, mode: UInt16, in folder: PrivateDirectory? = nil, isShared: Bool = false
    ) throws(SystemError) {
        let listener = try UnixListener(at: path, mode: .init(mode))
        let current = Lock<PCSCService?>(nil)
        do throws(SystemError) {
            serving = try ServingThread { stopped in
                listener.admitClients(until: stopped) {
                    current.withLock { service in
                        guard isShared || service != nil, let client = listener.accept() else { return false }
                        service?.serve(client)
                        return true
                    }
                }
            }
        } catch {
            listener.close()
            folder?.remove()
            throw error
        }
        (self.folder, self.listener, self.current, self.isShared) = (folder, listener, current, isShared)
    }

    deinit {
        close()
    }

    /// Lets clients in to a service from now on; a shared socket first drops the clients that came earlier.
    func open(to service: PCSCService) {
        current.withLock { current in
            if isShared { while listener.accept() != nil {} }
            current = service
        }
    }

    /// Lets no more clients in to a service.
    func leave(_ service: PCSCService) {
        current.withLock { if $0 === service { $0 = nil } }
    }

    /// Removes the socket; a second call does nothing.
    public func close() {
        serving.end()
        listener.close()
        folder?.remove()
    }
}
