import TapCommand
import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The standard streams of this process.
enum StandardStreams {
    static let output = Console.Stream(
        isTerminal: isatty(STDOUT_FILENO) == 1, write: { WholeOutput.send($0, to: STDOUT_FILENO) },
        isRead: isOutputRead, close: endOutput)
    static let error = Console.Stream(
        isTerminal: isatty(STDERR_FILENO) == 1, write: { WholeOutput.send($0, to: STDERR_FILENO) })

    static let input = StandardInput { () throws(SystemError) in
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count >= 0 { return Array(chunk.prefix(count)) }
            guard SystemError.currentErrno() == EINTR else { throw SystemError("read standard input") }
        }
    }

    /// Opens a substitute for every closed stream.
    ///
    /// Otherwise the next file or socket would get the number of the closed stream, and output would go there. The substitute
    /// fails as a closed stream does.
    static func fillClosed() {
        _ = InheritedDescriptors.numbers
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns `true` if standard output was read or still may be, `false` for a pipe without a reader.
    private static func isOutputRead() -> Bool {
        for _ in 0..<maximumLooks where !isOutputEmpty {
            // If no events are requested, poll waits until the other end closes, whether or not all output was read.
            var end = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if unsafe poll(&end, 1, millisecondsBetweenLooks) > 0 { return isOutputEmpty }
        }
        return true
    }

    /// A Boolean value that indicates whether standard output is a pipe that is empty.
    private static var isOutputEmpty: Bool {
        var unread: Int32 = 0
        return unsafe ioctl(STDOUT_FILENO, UInt(FIONREAD), &unread) != 0 || unread == 0
    }

    private static let maximumLooks = 100
    private static let millisecondsBetweenLooks: Int32 = 10

    /// Signals the end of standard output; later output is lost.
    private static func endOutput() {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        _ = dup2(nowhere, STDOUT_FILENO)
        _ = close(nowhere)
    }

    /// Keeps the file mode mask from removing this user's own access to new files; the rest of the mask stays.
    static func keepOwnerBits() {
        let mask = umask(0)
        _ = umask(mask & ~0o700)
    }
}
