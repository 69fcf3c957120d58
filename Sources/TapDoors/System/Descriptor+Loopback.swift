#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
