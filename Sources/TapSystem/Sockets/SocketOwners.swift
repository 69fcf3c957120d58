#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A socket of this machine whose owner is to be found.
package enum SocketQuestion {
    /// The other end of a TCP connection.
    case client(sockaddr_in, of: sockaddr_in)
    case listener(sockaddr_in)
    /// The sockets that can have sent a datagram to another socket.
    case sender(sockaddr_in, to: sockaddr_in)
}

/// The owners of the sockets at the other end.
///
/// On Linux, the kernel is asked about a single socket, which takes a few microseconds however many sockets there are. If it
/// does not answer, as in some sandboxes, its tables are searched; a socket missing from the tables counts as a stranger's.
/// macOS reports nothing.
package struct SocketOwners: Sendable {
    #if os(Linux)
        private let diagnosis: SocketDiagnosis?
    #endif

    /// Chooses the method to find owners that works for a socket of this process.
    ///
    /// - Throws: ``SystemError`` if no method works on Linux.
    init(checking own: SocketQuestion) throws(SystemError) {
        #if os(Linux)
            if let diagnosis = SocketDiagnosis(), diagnosis.users(own) == [geteuid()] {
                self.diagnosis = diagnosis
                return
            }
            diagnosis = nil
            guard SocketTable.users(own) == [geteuid()] else {
                throw SystemError("determine who owns the sockets at the other end", errno: ENOENT)
            }
        #endif
    }

    /// Returns the users who own such a socket; empty if it is closed by now, `nil` if the system does not report them.
    package func users(_ question: SocketQuestion) -> Set<uid_t>? {
        #if os(Linux)
            if let diagnosis { diagnosis.users(question) } else { SocketTable.users(question) }
        #else
            nil
        #endif
    }

    /// The relation of a socket to this user.
    package enum Owner {
        /// This user, or root.
        case user
        /// Another user, or unknown.
        case stranger
        case gone
    }

    /// Returns the owner of a socket; on macOS always `user`.
    package func owner(_ question: SocketQuestion) -> Owner {
        #if os(Linux)
            guard let users = users(question) else { return .stranger }
            if users.isEmpty { return .gone }
            return users.isSubset(of: [geteuid(), 0]) ? .user : .stranger
        #else
            return .user
        #endif
    }
}
