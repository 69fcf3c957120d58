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
        #if canImport(Darwin)
            let number = socket(AF_INET, SOCK_DGRAM, 0)
        #else
            let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        guard number >= 0 else { throw SystemError("open a UDP socket") }
        descriptor = Descriptor(owning: number)
        port = try descriptor.bindToLoopback()
    }

    /// Receives a datagram, cut to a length; nothing if none is there.
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
