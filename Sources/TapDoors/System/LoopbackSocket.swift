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
    struct Peer {
        fileprivate let address: sockaddr_in
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

    /// Sends a datagram; one that the system does not take is lost, as datagrams may be.
    func send(_ bytes: [UInt8], to peer: Peer) {
        var address = peer.address
        _ = unsafe withSocketAddress(&address) { pointer, length in
            unsafe sendto(descriptor.number, bytes, bytes.count, 0, pointer, length.pointee)
        }
    }
}
