import TapDocument
import TapDoors
import TapRun
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output and standard error, written a whole text at a time, in colour where a person looks at them.
///
/// Whatever a person reads goes through here, so this is where foreign text loses what could drive a terminal or hide
/// something. Only what a client of the command line writes itself passes as it is: that is its own terminal.
struct Console: Sendable {
    let style: TerminalStyle
    let errorStyle: TerminalStyle
    private let loss = Lock<SystemError?>(nil)
    private let isLeft = Lock(false)

    /// Looks at the terminal and at `NO_COLOR`, which asks for none whatever its value, unless it is empty.
    init() {
        let allows = (ProcessEnvironment["NO_COLOR"] ?? "").isEmpty && ProcessEnvironment["TERM"] != "dumb"
        style = TerminalStyle(isOn: allows && isatty(STDOUT_FILENO) == 1)
        errorStyle = TerminalStyle(isOn: allows && isatty(STDERR_FILENO) == 1)
    }

    /// Why standard output is incomplete, or `nil` if all of it was taken.
    var lostOutput: SystemError? { loss.withLock { $0 } }

    /// Whether all of standard output has found a reader so far: it is not incomplete, and nobody has left it.
    var isHeard: Bool { lostOutput == nil && !isLeft.withLock { $0 } }

    func print(_ line: String) {
        send(Array("\(style.visible(line))\n".utf8), to: STDOUT_FILENO)
    }

    func print(json node: Node) {
        print(JSONWriter.text(node, .pretty))
    }

    /// Writes the text of a file to standard output, as it is where a program or a file takes it.
    func printAsIs(_ text: String) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        printAsIs(Array((isTerminal ? TerminalStyle.plain.visible(text) : text).utf8))
    }

    func printAsIs(_ text: [UInt8]) {
        send(text, to: STDOUT_FILENO)
    }

    func printError(_ line: String) {
        send(Array("\(errorStyle.visible(line))\n".utf8), to: STDERR_FILENO)
    }

    func fail(_ message: String) {
        printError(errorStyle.severity("error", .error) + ": \(PrintableText.visible(message))")
    }

    func warn(_ message: String) {
        printError(errorStyle.severity("warning", .warning) + ": \(PrintableText.visible(message))")
    }

    /// Shows a line on standard error in place of the one shown before; nothing where no person looks at it.
    func showProgress(_ line: String) {
        guard errorStyle.isOn else { return }
        send(Array("\r\u{1B}[K\(errorStyle.visible(line))".utf8), to: STDERR_FILENO)
    }

    func pass(_ bytes: [UInt8], from stream: ClientProcess.Stream) {
        send(bytes, to: stream == .output ? STDOUT_FILENO : STDERR_FILENO)
    }

    /// Writes all bytes; that nobody reads any more is no error, as it is how the reader of a pipe says that it has enough.
    private func send(_ bytes: [UInt8], to descriptor: Int32) {
        guard let error = WholeOutput.send(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return }
        if error.errno == EPIPE { isLeft.withLock { $0 = true } } else { loss.withLock { $0 = error } }
    }
}

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

/// What the command leaves with; scripts may rely on it.
enum ExitCode: Int32, Sendable {
    /// All went as expected.
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// The command line or a file cannot be followed.
    case usage = 2
    /// The machine does not give what is needed.
    case environment = 3
    /// TapSim itself is at fault.
    case ownBug = 4
    /// A time limit was reached.
    case timeLimit = 124
}

/// Why a verb ends early: a sentence for standard error and what to leave with.
struct VerbError: Error {
    let code: ExitCode
    /// What happened and what to do next; `nil` if it was told already.
    let message: String?

    init(_ code: ExitCode, _ message: String? = nil) {
        self.code = code
        self.message = message
    }

    init(_ error: RunError) {
        let code: ExitCode =
            switch error.code {
            case .client: .usage
            case .environment: .environment
            case .baseline: .failed
            }
        self.init(code, error.description)
    }
}
