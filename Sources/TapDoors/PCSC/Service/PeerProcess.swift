#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Descriptor {
    /// The process at the other end of a Unix socket, or nothing where the system does not tell, as across containers.
    var peerProcess: Int32? {
        #if canImport(Darwin)
            var process: pid_t = 0
            var length = socklen_t(MemoryLayout<pid_t>.size)
            guard unsafe getsockopt(number, SOL_LOCAL, LOCAL_PEERPID, &process, &length) == 0 else { return nil }
            return process > 0 ? process : nil
        #else
            // struct ucred, which the system's own header keeps to itself.
            var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
            var length = socklen_t(MemoryLayout.size(ofValue: credentials))
            guard unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
            return credentials.process > 0 ? credentials.process : nil
        #endif
    }
}
