import TapSystem

/// The socket at which clients of a PC/SC service arrive, which several services can use one after another.
public final class PCSCEntrance: Sendable {
    private let folder: PrivateDirectory?
    private let listener: UnixListener
    private let serving: ServingThread
    /// The service that clients reach; locked while a client is let in.
    private let current: Lock<PCSCService?>

    var path: String { listener.path }

    /// Makes a socket in a private folder, which is removed with it.
    ///
    /// - Throws: ``SystemError`` if the system gives no folder, socket or thread.
    public convenience init() throws(SystemError) {
        let folder = try PrivateDirectory(forSocket: PCSCTransport.socketName)
        try self.init(at: "\(folder.path)/\(PCSCTransport.socketName)", mode: 0o600, in: folder)
    }

    /// - Parameter mode: Who may connect, as the mode bits of a file.
    init(at path: String, mode: UInt16, in folder: PrivateDirectory? = nil) throws(SystemError) {
        let listener = try UnixListener(at: path, mode: .init(mode))
        let current = Lock<PCSCService?>(nil)
        do throws(SystemError) {
            serving = try ServingThread { stopped in
                listener.admitClients(until: stopped) {
                    current.withLock { service in
                        guard let client = listener.accept() else { return false }
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
        (self.folder, self.listener, self.current) = (folder, listener, current)
    }

    deinit {
        close()
    }

    /// Lets clients in to a service from now on, but none that has come before.
    func open(to service: PCSCService) {
        current.withLock { current in
            while listener.accept() != nil {}
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
