#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A UDP socket on the loopback address, at a port the system chose.
final class LoopbackSocket: Sendable {
    /// Where a datagram came from.
    struct Peer: Equatable {
        fileprivate let address: sockaddr_in

        static func == (first: Peer, second: Peer) -> Bool {
            first.address.sin_port == second.address.sin_port
                && first.address.sin_addr.s_addr == second.address.sin_addr.s_addr
        }
    }

    /// Whose a peer is.
    enum Owner {
        /// This user's, or root's, who may do everything anyway.
        case user
        /// Somebody else's, or it cannot be told whose.
        case stranger
        /// Nobody's any more: its socket is closed.
        case gone
    }

    /// The socket.
    let descriptor: Descriptor
    /// The port.
    let port: UInt16

    /// Opens a socket that nobody outside this machine can reach.
    ///
    /// - Throws: ``SystemError``.
    init() throws(SystemError) {
        descriptor = try Descriptor.makeSocket(AF_INET, .datagrams, "UDP socket")
        port = try descriptor.bindToLoopback()
    }

    /// Receives a datagram, cut to a length; `nil` if none is there.
    func receive(upTo count: Int) -> (bytes: [UInt8], peer: Peer)? {
        var buffer = [UInt8](repeating: 0, count: count)
        var address = sockaddr_in()
        let received = unsafe withSocketAddress(&address) { pointer, length in
            unsafe recvfrom(descriptor.number, &buffer, count, 0, pointer, length)
        }
        guard received >= 0 else { return nil }
        return (Array(buffer.prefix(received)), Peer(address: address))
    }

    /// Whose a peer is.
    ///
    /// Where the system does not tell, as on macOS, everybody on this machine counts as the user.
    func owner(of peer: Peer) -> Owner {
        #if os(Linux)
            guard let users = try? SocketTable.users(sendingFrom: peer.address) else { return .stranger }
            if users.isEmpty { return .gone }
            return users.isSubset(of: [geteuid(), 0]) ? .user : .stranger
        #else
            return .user
        #endif
    }

    /// Makes sure that ``owner(of:)`` can tell, by this socket.
    ///
    /// - Throws: ``SystemError`` where the system does not tell, though it is one that does.
    func checkOwners() throws(SystemError) {
        #if os(Linux)
            var address = sockaddr_in()
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let action = "see in \(SocketTable.path) whose datagrams come"
            let users: Set<uid_t>
            do { users = try SocketTable.users(sendingFrom: address) } catch {
                throw SystemError(action, errno: error.errno)
            }
            guard users == [geteuid()] else { throw SystemError(action, errno: ENOENT) }
        #endif
    }

    /// Sends a datagram; one that the system does not take is lost, as datagrams may be.
    func send(_ bytes: [UInt8], to peer: Peer) {
        var address = peer.address
        _ = unsafe withSocketAddress(&address) { pointer, length in
            unsafe sendto(descriptor.number, bytes, bytes.count, 0, pointer, length.pointee)
        }
    }
}

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
        descriptor = try Descriptor.makeSocket(AF_INET, .stream, "TCP socket")
        // Connections of a server before this one may still be fading away.
        SocketStream(descriptor).setOption(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        self.port = try descriptor.bindToLoopback(port: port)
        guard listen(descriptor.number, Self.backlog) == 0 else { throw SystemError("listen at port \(self.port)") }
        descriptor.setNonBlocking()
    }

    /// Listens no more.
    func close() {
        descriptor.shut()
    }
}

/// A TCP connection we opened, for small messages that must not wait for one another.
final class TCPConnection: Sendable {
    let stream: SocketStream
    private let address: InternetAddress

    /// Makes a socket that is not connected.
    ///
    /// - Throws: ``SystemError``.
    init(to address: InternetAddress) throws(SystemError) {
        stream = SocketStream(try Descriptor.makeSocket(address.family, .stream, "TCP socket"))
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

extension Descriptor {
    /// Binds an internet socket to the loopback address, where nobody outside this machine can reach it.
    ///
    /// - Parameter port: The port; 0 for one that the system chooses.
    /// - Returns: The port.
    /// - Throws: ``SystemError``, as where somebody else has the port.
    func bindToLoopback(port: UInt16 = 0) throws(SystemError) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let bound = unsafe withSocketAddress(&address) { unsafe bind(number, $0, $1.pointee) }
        guard bound == 0 else { throw SystemError("bind a socket to port \(port) of the loopback address") }
        let named = unsafe withSocketAddress(&address) { unsafe getsockname(number, $0, $1) }
        guard named == 0 else { throw SystemError("ask for the port of a socket") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// Lends an address in the shape the system takes.
func withSocketAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
    }
}

/// Where a TCP connection leads: a machine and a port.
struct InternetAddress: Sendable {
    /// The address family, such as `AF_INET`.
    let family: Int32
    private let bytes: [UInt8]

    /// Looks a machine up by name or number.
    ///
    /// - Throws: ``SystemError`` if there is no such machine.
    init(host: String, port: UInt16) throws(SystemError) {
        var hints = unsafe addrinfo()
        #if canImport(Darwin)
            unsafe hints.ai_socktype = SOCK_STREAM
        #else
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard status == 0, let first = unsafe found else {
            throw SystemError("find the machine `\(host)`", errno: EHOSTUNREACH)
        }
        defer { unsafe freeaddrinfo(first) }
        family = unsafe first.pointee.ai_family
        bytes = unsafe Array(
            UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }

    /// Lends the address in the shape the system takes.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { buffer in
            // An address has bytes, so there is a base address; an array of bytes is aligned for any of its fields.
            let start = unsafe buffer.baseAddress.unsafelyUnwrapped
            return unsafe body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
        }
    }
}

#if os(Linux)
    import TapWire

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The UDP sockets of this machine and whose they are, as Linux lists them in `/proc/net`.
    ///
    /// Source: Linux, Documentation/networking/proc_net_tcp.rst; the tables of UDP have the same columns.
    struct SocketTable {
        /// Where the table of sockets that speak IPv4 alone is; that of the others has a 6 behind it.
        static let path = "/proc/net/udp"
        /// Most bytes read of a table: some 30,000 sockets.
        private static let maximumLength = 1 << 22
        /// Which columns say where a socket is bound and whose it is.
        private static let (addressColumn, userColumn) = (1, 7)

        private let rows: [ArraySlice<UInt8>]

        /// Takes a table as the system writes it.
        init(_ text: [UInt8]) {
            rows = text.split(separator: UInt8(ascii: "\n")).dropFirst().map { $0 }
        }

        /// Whose sockets can have sent a datagram; nobody's if what sent it is closed by now.
        ///
        /// A socket of IPv6 may send by IPv4 too, but not beside one of IPv4 at the same port.
        ///
        /// - Throws: ``SystemError`` where the system shows no table.
        static func users(sendingFrom address: sockaddr_in) throws(SystemError) -> Set<uid_t> {
            let narrow = SocketTable(try FileContent.bytes(of: path, upTo: maximumLength))
            let users = narrow.users(sendingFrom: address)
            guard users.isEmpty, let wide = try? FileContent.bytes(of: path + "6", upTo: maximumLength) else {
                return users
            }
            return SocketTable(wide).users(sendingFrom: address)
        }

        /// Whose sockets of the table can have sent a datagram.
        func users(sendingFrom address: sockaddr_in) -> Set<uid_t> {
            let host = Hex.digits(address.sin_addr.s_addr, width: 8)
            let everywhere = Hex.digits(0, width: 8)
            let mapped = everywhere + everywhere + Hex.digits(UInt32(0xFFFF).bigEndian, width: 8) + host
            let port = Hex.digits(UInt16(bigEndian: address.sin_port), width: 4)
            let hosts = [host, everywhere, mapped, String(repeating: everywhere, count: 4)]
            let places = Set(hosts.map { Array("\($0):\(port)".utf8)[...] })
            return Set(
                rows.compactMap { row in
                    let columns = row.split(separator: UInt8(ascii: " "), maxSplits: Self.userColumn + 1)
                    guard columns.count > Self.userColumn, places.contains(columns[Self.addressColumn]) else {
                        return nil
                    }
                    return uid_t(String(decoding: columns[Self.userColumn], as: UTF8.self))
                })
        }
    }
#endif
