#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Stream sockets with a path in the file system.
enum UnixSocket {
    /// Longest path the system takes, in bytes.
    static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Connects to whoever listens at a path.
    ///
    /// - Throws: ``SystemError`` if nobody does.
    static func connect(to path: String) throws(SystemError) -> Descriptor {
        let descriptor = try open()
        let status = try unsafe call(with: path) { address, length in
            #if canImport(Darwin)
                unsafe Darwin.connect(descriptor.number, address, length)
            #elseif canImport(Musl)
                unsafe Musl.connect(descriptor.number, address, length)
            #else
                unsafe Glibc.connect(descriptor.number, address, length)
            #endif
        }
        guard status == 0 else { throw SystemError("connect to \(path)") }
        return descriptor
    }

    /// Opens a socket that is neither bound nor connected.
    static func open() throws(SystemError) -> Descriptor {
        #if canImport(Darwin)
            let number = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard number >= 0 else { throw SystemError("open a socket") }
        let descriptor = Descriptor(owning: number)
        descriptor.dropSignalOfBrokenPipe()
        return descriptor
    }

    /// Makes a call to the system that takes a path as the address of a socket.
    ///
    /// - Returns: What the call returned.
    /// - Throws: ``SystemError`` if the path is too long to be an address.
    static func call(
        with path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        let bytes = Array(path.utf8)
        guard bytes.count <= maximumPathLength else {
            throw SystemError(
                "use the socket path \(path), since it has \(bytes.count) bytes and at most \(maximumPathLength) can be",
                errno: ENAMETOOLONG)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
