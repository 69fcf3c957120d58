#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A connected stream socket that one thread uses, until it or another thread ends the connection.
///
/// The descriptor is closed at the latest when nobody holds it any more.
struct SocketStream: Sendable {
    let descriptor: Descriptor
    /// The number of the descriptor: asking it anew costs a lock for each call.
    ///
    /// Who shuts the descriptor uses the stream no more.
    private let number: Int32

    /// Takes a socket whose calls wait.
    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        number = descriptor.number
    }

    /// Waits for bytes.
    ///
    /// - Parameters:
    ///   - buffer: Where they go.
    ///   - offset: Where in there they begin; the bytes before stay.
    /// - Returns: How many bytes have come; 0 at the end of the connection.
    func receive(into buffer: inout [UInt8], from offset: Int = 0) -> Int {
        max(0, receiveOnce(&buffer, from: offset, flags: 0))
    }

    /// Takes bytes that have come, without waiting for any.
    ///
    /// - Parameters:
    ///   - buffer: Where they go.
    ///   - offset: Where in there they begin; the bytes before stay.
    /// - Returns: How many bytes there were; 0 at the end of the connection, nothing if none have come yet.
    func receiveAtOnce(into buffer: inout [UInt8], from offset: Int = 0) -> Int? {
        let count = receiveOnce(&buffer, from: offset, flags: Int32(MSG_DONTWAIT))
        if count >= 0 { return count }
        return SystemError.currentErrno() == EAGAIN ? nil : 0
    }

    private func receiveOnce(_ buffer: inout [UInt8], from offset: Int, flags: Int32) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                return unsafe recv(number, room.baseAddress, room.count, flags)
            }
            if count >= 0 || SystemError.currentErrno() != EINTR { return count }
        }
    }

    /// Sends bytes, in one piece where the system takes them so.
    ///
    /// - Returns: Whether the other side is still there.
    func send(_ bytes: [UInt8]) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0) }
        return count == bytes.count || count >= 0 && send(Array(bytes.dropFirst(count)))
    }

    /// Sends bytes as ``send(_:)`` does, and says so before it waits for the other side to read.
    ///
    /// - Returns: Whether the other side is still there.
    func send(_ bytes: [UInt8], beforeWaiting: () -> Void) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0, flags: Int32(MSG_DONTWAIT)) }
        if count == bytes.count { return true }
        guard count >= 0 || SystemError.currentErrno() == EAGAIN else { return false }
        beforeWaiting()
        return send(Array(bytes.dropFirst(max(0, count))))
    }

    /// Sends a few bytes at once; a peer that has not read what it got before is cut off.
    func offer(_ bytes: [UInt8]) {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0, flags: Int32(MSG_DONTWAIT)) }
        if count != bytes.count { shutDown() }
    }

    /// Whether the other side has hung up, or says that it sends nothing more and all of it was read.
    ///
    /// What it sent before it hung up hides the end from who reads, but not from who asks for it.
    var isAbandoned: Bool {
        // Linux tells of it unasked, macOS does not.
        var entry = pollfd(fd: number, events: Int16(POLLHUP), revents: 0)
        if unsafe poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLHUP) != 0 { return true }
        var byte: UInt8 = 0
        return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Lets a TCP connection send small messages without waiting for the acknowledgement of those before.
    func sendAtOnce() {
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    /// Acknowledges what was read from a TCP connection, for a sender that goes on only then.
    ///
    /// An answer does that by itself, so this is for what is not answered yet: a message in pieces, or one that needs no
    /// answer. Nothing on other sockets, and where there is no such option.
    func acknowledge() {
        #if canImport(Glibc) || canImport(Musl)
            // With 1, what comes next would also be acknowledged in a packet of its own, before its answer; with an even
            // number above 0 the system acknowledges once. Source: Linux, net/ipv4/tcp.c, __tcp_sock_set_quickack.
            setOption(Int32(IPPROTO_TCP), TCP_QUICKACK, Int32(2))
        #endif
    }

    /// Ends the connection, and with it a call that waits on another thread.
    func shutDown() {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    /// Sets an option of the socket.
    func setOption<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// Writes to a socket once; a closed one raises no signal.
private func sendOnSocket(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, flags: Int32 = 0) -> Int {
    while true {
        #if canImport(Darwin)
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, flags)
        #else
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
        #endif
        guard count < 0, SystemError.currentErrno() == EINTR else { return count }
    }
}
