#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The three streams a command starts with.
enum StandardStreams {
    /// Puts something in the place of every stream that is closed.
    ///
    /// The next file or socket opened would take its number, and output would go there. What stands in its place fails
    /// as a closed stream does: nothing can be read from input, nothing written to output.
    static func fillClosed() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether what was written to standard output was read, or may still be: a pipe with nobody at its end was not.
    static func isOutputRead() -> Bool {
        for _ in 0..<maximumLooks where !isOutputEmpty {
            // Asked for nothing, it waits until the other end is closed, by one who has read all or by one who has not.
            var end = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if unsafe poll(&end, 1, millisecondsBetweenLooks) > 0 { return isOutputEmpty }
        }
        return true
    }

    /// Whether nothing is left in the pipe that standard output is; of anything else nothing is known.
    private static var isOutputEmpty: Bool {
        var unread: Int32 = 0
        return unsafe ioctl(STDOUT_FILENO, UInt(FIONREAD), &unread) != 0 || unread == 0
    }

    private static let maximumLooks = 100
    private static let millisecondsBetweenLooks: Int32 = 10

    /// Tells whoever reads standard output that no more comes; what is written from now on is lost.
    static func endOutput() {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        _ = dup2(nowhere, STDOUT_FILENO)
        _ = close(nowhere)
    }

    /// Makes writing to a pipe that nobody reads an error, not the end of this process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
