#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A UDP socket on the loopback address, at a port chosen by the system.
package final class LoopbackSocket: Sendable {
    /// The sender of a datagram.
    package struct Peer: Hashable {
        fileprivate let address: sockaddr_in

        package static func == (first: Peer, second: Peer) -> Bool {
            first.address.sin_port == second.address.sin_port
                && first.address.sin_addr.s_addr == second.address.sin_addr.s_addr
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(address.sin_port)
            hasher.combine(address.sin_addr.s_addr)
        }
    }

    /// The maximum number of ports to try.
    private static let attempts = 16

    package let descriptor: Descriptor
    package let port: UInt16

    /// Binds to a port without a name in `/etc/services`.
    ///
    /// nfcpy looks its port up there and fails on a name, as on 57000, which Debian calls `dircproxy`.
    ///
    /// - Parameter isNamed: Returns `true` if a port has a name.
    /// - Throws: ``SystemError``, also if the system offers only ports with names.
    package init(avoiding isNamed: (UInt16) -> Bool = ServiceNames.contains) throws(SystemError) {
        // Sockets at ports with names stay open until another port is found, or the system could offer the same port again.
        var sockets: [Descriptor] = []
        for _ in 0..<Self.attempts {
            let descriptor = try Descriptor.makeSocket(AF_INET, .datagrams, "UDP socket")
            let port = try descriptor.bindToLoopback()
            guard isNamed(port) else {
                (self.descriptor, self.port) = (descriptor, port)
                return
            }
            sockets.append(descriptor)
        }
        throw SystemError("find a UDP port without a name in /etc/services", errno: EADDRINUSE)
    }

    /// Receives a datagram, truncated to a length; `nil` if there is none.
    package func receive(upTo count: Int) -> (bytes: [UInt8], peer: Peer)? {
        var buffer = [UInt8](repeating: 0, count: count)
        var address = sockaddr_in()
        let received = unsafe withSocketAddress(&address) { pointer, length in
            unsafe recvfrom(descriptor.number, &buffer, count, 0, pointer, length)
        }
        guard received >= 0 else { return nil }
        return (Array(buffer.prefix(received)), Peer(address: address))
    }

    /// Returns the method to find the owner of a peer's socket, tested on this socket.
    ///
    /// - Throws: ``SystemError`` if the system does not report owners on Linux.
    package func makeOwners() throws(SystemError) -> SocketOwners {
        try SocketOwners(checking: .sender(.loopback(port), to: .loopback(port)))
    }

    /// Returns the sockets that can have sent the datagrams of a peer.
    package func question(about peer: Peer) -> SocketQuestion { .sender(peer.address, to: .loopback(port)) }

    /// Sends a datagram; if the system does not accept it, it is lost, as datagrams may be.
    package func send(_ bytes: [UInt8], to peer: Peer) {
        var address = peer.address
        _ = unsafe withSocketAddress(&address) { pointer, length in
            unsafe sendto(descriptor.number, bytes, bytes.count, 0, pointer, length.pointee)
        }
    }
}

/// The names of ports in `/etc/services`.
package enum ServiceNames {
    /// The maximum length of a name in bytes, with its final zero byte.
    private static let maximumLength = 256

    /// Returns `true` if a TCP port has a name; `getnameinfo` looks up TCP names unless a flag requests UDP.
    static func contains(_ port: UInt16) -> Bool {
        var address = sockaddr_in.loopback(port)
        var name = [CChar](repeating: 0, count: maximumLength)
        let status = unsafe withSocketAddress(&address) {
            unsafe getnameinfo($0, $1.pointee, nil, 0, &name, socklen_t(name.count), 0)
        }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return status == 0 && UInt16(text) == nil
    }
}

/// A TCP socket that waits for clients on this machine.
package final class TCPListener: StreamListener {
    /// The length of the queue, the most that Linux allows by default: any user may connect, and a full queue would reject this
    /// user.
    private static let longBacklog: Int32 = 4096

    /// Readable when a client waits.
    package let descriptor: Descriptor
    package let port: UInt16

    /// Listens at a port of the loopback address; 0 lets the system choose one.
    ///
    /// - Throws: ``SystemError``, for example if another process listens there.
    package init(port: UInt16) throws(SystemError) {
        descriptor = try Descriptor.makeSocket(AF_INET, .stream, "TCP socket")
        // Connections of an earlier server may still be in TIME_WAIT.
        SocketStream(descriptor).setOption(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        self.port = try descriptor.bindToLoopback(port: port)
        guard listen(descriptor.number, Self.longBacklog) == 0 else { throw SystemError("listen at port \(self.port)") }
        descriptor.setNonBlocking()
    }

    /// Returns the method to find the owners of clients, tested on this socket.
    ///
    /// - Throws: ``SystemError`` if the system does not report owners on Linux.
    package func makeOwners() throws(SystemError) -> SocketOwners {
        try SocketOwners(checking: .listener(.loopback(port)))
    }

    /// Returns the other end of a connection; `nil` once it has ended.
    package func question(about client: Descriptor) -> SocketQuestion? {
        var peer = sockaddr_in()
        let status = unsafe withSocketAddress(&peer) { unsafe getpeername(client.number, $0, $1) }
        return status == 0 ? .client(peer, of: .loopback(port)) : nil
    }

    package func close() {
        descriptor.shut()
    }
}

/// An outgoing TCP connection to a port of this machine, for small messages that are sent at once.
package final class TCPConnection: Sendable {
    package let stream: SocketStream
    private let port: UInt16

    /// Creates a socket that is not connected.
    package init(to port: UInt16) throws(SystemError) {
        stream = SocketStream(try Descriptor.makeSocket(AF_INET, .stream, "TCP socket"))
        stream.sendAtOnce()
        self.port = port
    }

    /// - Returns: `true` if the other side accepted the connection.
    package func connect(within limit: Duration) -> Bool {
        let descriptor = stream.descriptor
        let flags = fcntl(descriptor.number, F_GETFL)
        descriptor.setNonBlocking()
        defer { _ = fcntl(descriptor.number, F_SETFL, flags) }
        var address = sockaddr_in.loopback(port)
        let begun = unsafe withSocketAddress(&address) { unsafe connectSocket(descriptor.number, $0, $1.pointee) }
        guard begun != 0 else { return true }
        guard SystemError.currentErrno() == EINPROGRESS,
            Readiness.wait(for: [(descriptor, .writing)], timeout: limit)[0]
        else { return false }
        var error: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        let status = unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &error, &length)
        return status == 0 && error == 0
    }

    /// Makes receiving treat this many seconds of silence as the end of the connection.
    package func setPatience(_ seconds: Int) {
        stream.setOption(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
    }

    /// Closes the socket so that the other side's calls fail, as after a crash; no thread may be waiting in a call.
    package func reset() { stream.reset() }

    /// Closes the socket; no thread may be waiting in a call.
    package func close() {
        stream.descriptor.shut()
    }
}

/// `connect`, for use where a method of the same name hides it.
func connectSocket(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(socket, address, length)
}

extension Descriptor {
    /// Binds an internet socket to a port of the loopback address; 0 lets the system choose one.
    ///
    /// - Returns: The port.
    /// - Throws: ``SystemError``, for example if the port is taken.
    func bindToLoopback(port: UInt16 = 0) throws(SystemError) -> UInt16 {
        var address = sockaddr_in.loopback(port)
        let bound = unsafe withSocketAddress(&address) { unsafe bind(number, $0, $1.pointee) }
        guard bound == 0 else { throw SystemError("bind a socket to port \(port) of the loopback address") }
        let named = unsafe withSocketAddress(&address) { unsafe getsockname(number, $0, $1) }
        guard named == 0 else { throw SystemError("read the port of a socket") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// Passes an address in the form that system calls expect.
func withSocketAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
    }
}

extension sockaddr_in {
    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }
}
