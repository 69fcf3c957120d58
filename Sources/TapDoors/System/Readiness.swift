#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Waits for descriptors.
enum Readiness {
    /// What is waited for.
    enum Interest {
        case reading
        case writing
    }

    /// Waits until one of the descriptors is ready or closed.
    ///
    /// - Parameters:
    ///   - descriptors: What to wait for; nothing in a place is never ready.
    ///   - timeout: How long at most, or nothing for ever.
    /// - Returns: For each descriptor whether it is ready.
    static func wait(for descriptors: [(Descriptor?, Interest)], timeout: Duration?) -> [Bool] {
        var entries = descriptors.map { descriptor, interest in
            pollfd(fd: descriptor?.number ?? -1, events: Int16(interest == .reading ? POLLIN : POLLOUT), revents: 0)
        }
        let count = nfds_t(entries.count)
        let ready = unsafe poll(&entries, count, milliseconds(timeout))
        guard ready > 0 else { return descriptors.map { _ in false } }
        return entries.map { $0.revents != 0 }
    }

    /// Rounds up, so that a short wait is no busy loop; -1 waits for ever.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        let (seconds, attoseconds) = timeout.components
        let milliseconds = max(0, seconds) * 1_000 + (max(0, attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }
}
