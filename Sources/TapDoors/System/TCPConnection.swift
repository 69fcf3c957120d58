#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A TCP connection we opened, for small messages that must not wait for one another.
final class TCPConnection: Sendable {
    private let descriptor: Descriptor
    /// The number of the descriptor, for the thread that alone may close it: asking it anew costs a lock for each call.
    private let number: Int32
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
        descriptor = Descriptor(owning: number)
        self.number = number
        self.address = address
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        descriptor.dropSignalOfBrokenPipe()
    }

    /// Connects.
    ///
    /// - Parameter limit: How long the other side may take.
    /// - Returns: Whether it took the connection.
    func connect(within limit: Duration) -> Bool {
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
        setOption(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
    }

    /// Waits for bytes; what came is acknowledged at once, so that a sender that waits for that goes on.
    ///
    /// - Returns: How many bytes there are at the front of the buffer; 0 at the end of the connection.
    func receive(into buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc) || canImport(Musl)
            // The system forgets this after every answer.
            setOption(Int32(IPPROTO_TCP), TCP_QUICKACK, Int32(1))
        #endif
        while true {
            let count = unsafe recv(number, &buffer, buffer.count, 0)
            if count >= 0 { return count }
            guard SystemError.currentErrno() == EINTR else { return 0 }
        }
    }

    /// Sends bytes, in one piece where the system takes them so.
    ///
    /// - Returns: Whether the other side is still there.
    func send(_ bytes: [UInt8]) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0) }
        return count == bytes.count || count >= 0 && send(Array(bytes.dropFirst(count)))
    }

    /// Ends the connection, and with it a call that waits on another thread.
    func shutDown() {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    /// Closes the socket so that the other side's calls fail, as after a crash; nobody may be waiting in a call.
    func reset() {
        setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    /// Closes the socket; nobody may be waiting in a call.
    func close() {
        descriptor.shut()
    }

    private func setOption<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

private func connectSocket(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
    unsafe connect(socket, address, length)
}

/// Writes to a socket once; a closed one raises no signal.
private func sendOnSocket(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    while true {
        #if canImport(Darwin)
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Musl)
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, MSG_NOSIGNAL)
        #else
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
        guard count < 0, SystemError.currentErrno() == EINTR else { return count }
    }
}
