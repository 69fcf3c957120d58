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
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let bound = unsafe withSocketAddress(&address) { unsafe bind(number, $0, $1.pointee) }
        guard bound == 0 else { throw SystemError("bind a UDP socket to the loopback address") }
        let named = unsafe withSocketAddress(&address) { unsafe getsockname(number, $0, $1) }
        guard named == 0 else { throw SystemError("ask for the port of a UDP socket") }
        port = UInt16(bigEndian: address.sin_port)
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

private func withSocketAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
    }
}
