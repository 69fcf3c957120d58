#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A TCP connection we opened, for small messages that must not wait for one another.
final class TCPConnection: Sendable {
    let stream: SocketStream
    private let address: InternetAddress

    /// Makes a socket that is not connected.
    ///
    /// - Throws: ``SystemError``.
    init(to address: InternetAddress) throws(SystemError) {
        #if canImport(Darwin)
            let number = socket(address.family, SOCK_STREAM, 0)
        #else
            let number = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard number >= 0 else { throw SystemError("open a TCP socket") }
        let descriptor = Descriptor(owning: number)
        descriptor.dropSignalOfBrokenPipe()
        stream = SocketStream(descriptor)
        stream.sendAtOnce()
        self.address = address
    }

    /// Connects.
    ///
    /// - Parameter limit: How long the other side may take.
    /// - Returns: Whether it took the connection.
    func connect(within limit: Duration) -> Bool {
        let descriptor = stream.descriptor
        let flags = fcntl(descriptor.number, F_GETFL)
        descriptor.setNonBlocking()
        defer { _ = fcntl(descriptor.number, F_SETFL, flags) }
        if unsafe address.withPointer({ unsafe connectSocket(descriptor.number, $0, $1) }) == 0 { return true }
        guard SystemError.currentErrno() == EINPROGRESS,
            Readiness.wait(for: [(descriptor, .writing)], timeout: limit)[0]
        else { return false }
        var error: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        let status = unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &error, &length)
        return status == 0 && error == 0
    }

    /// Lets a receive that meets silence for so long count as the end of the connection.
    func setPatience(_ seconds: Int) {
        stream.setOption(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
    }

    /// Waits for bytes.
    ///
    /// - Returns: How many bytes there are at the front of the buffer; 0 at the end of the connection.
    func receive(into buffer: inout [UInt8]) -> Int {
        stream.receive(into: &buffer)
    }

    /// Lets a sender go on that waits until what was received is acknowledged; an answer does so by itself.
    func acknowledge() {
        stream.acknowledge()
    }

    /// Sends bytes, in one piece where the system takes them so.
    ///
    /// - Returns: Whether the other side is still there.
    func send(_ bytes: [UInt8]) -> Bool {
        stream.send(bytes)
    }

    /// Ends the connection, and with it a call that waits on another thread.
    func shutDown() {
        stream.shutDown()
    }

    /// Closes the socket so that the other side's calls fail, as after a crash; nobody may be waiting in a call.
    func reset() {
        stream.setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    /// Closes the socket; nobody may be waiting in a call.
    func close() {
        stream.descriptor.shut()
    }
}

private func connectSocket(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
    unsafe connect(socket, address, length)
}
