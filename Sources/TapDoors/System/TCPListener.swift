#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A TCP socket that waits for clients of this machine.
final class TCPListener: StreamListener {
    /// The socket; ready for reading when a client waits.
    let descriptor: Descriptor
    /// The port.
    let port: UInt16

    /// Listens at a port of the loopback address.
    ///
    /// - Parameter port: The port; 0 for one that the system chooses.
    /// - Throws: ``SystemError``, as where somebody else listens there.
    init(port: UInt16) throws(SystemError) {
        #if canImport(Darwin)
            let number = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard number >= 0 else { throw SystemError("open a TCP socket") }
        descriptor = Descriptor(owning: number)
        // Connections of a server before this one may still be fading away.
        SocketStream(descriptor).setOption(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        self.port = try descriptor.bindToLoopback(port: port)
        guard listen(number, Self.backlog) == 0 else { throw SystemError("listen at port \(self.port)") }
        descriptor.setNonBlocking()
    }

    /// Listens no more.
    func close() {
        descriptor.shut()
    }
}
