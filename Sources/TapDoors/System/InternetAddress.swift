#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
