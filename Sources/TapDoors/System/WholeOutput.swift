import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Output to a stream of this process, a whole text at a time.
public enum WholeOutput {
    /// Writes lines to standard error, fit for a terminal.
    public static func tellError(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            PrintableText.visible($0) + "\n"
        }
        _ = send(Array(lines.joined().utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes.
    ///
    /// - Returns: Why not all of them were taken, if so.
    public static func send(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest)
            let written = unsafe write(descriptor, chunk, chunk.count)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else {
                let error = SystemError("write \(descriptor == STDERR_FILENO ? "standard error" : "standard output")")
                switch error.errno {
                case EINTR: continue
                case EAGAIN: awaitRoom(descriptor)
                default: return error
                }
            }
        }
        return nil
    }

    /// Waits until a pipe that is not to be waited for has room again.
    private static func awaitRoom(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }
}
