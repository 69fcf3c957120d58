import TapDocument
import TapSystem
import TapRun
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output and standard error, written a whole text at a time, coloured on a terminal.
///
/// Foreign text loses here what could drive a terminal or hide something. Only the output of a client given on the
/// command line passes unchanged: it is that client's own terminal.
package struct Console: Sendable {
    private(set) var style: TerminalStyle
    private(set) var errorStyle: TerminalStyle
    private let showsProgress: Bool
    /// The stream of lines for people.
    private var lines = STDOUT_FILENO
    private let loss = Lock<SystemError?>(nil)
    private let isLeft = Lock(false)

    /// Colours a terminal, unless `NO_COLOR` holds anything but the empty text.
    package init() {
        let isDumb = ProcessEnvironment["TERM"] == "dumb"
        let allows = (ProcessEnvironment["NO_COLOR"] ?? "").isEmpty && !isDumb
        style = TerminalStyle(isOn: allows && isatty(STDOUT_FILENO) == 1)
        errorStyle = TerminalStyle(isOn: allows && isatty(STDERR_FILENO) == 1)
        showsProgress = !isDumb && isatty(STDERR_FILENO) == 1
    }

    /// `--color`: what is coloured, whatever the environment says.
    enum Colour: String, CaseIterable {
        case auto, always, never

        static let option = Option.choice(
            "--color", "WHEN", Colour.self,
            "Colour what is printed: auto (on a terminal, unless NO_COLOR is set), always or never.")
    }

    mutating func apply(_ colour: Colour) {
        guard colour != .auto else { return }
        style = TerminalStyle(isOn: colour == .always)
        errorStyle = style
    }

    /// The console for what is said of an output: if that is standard output itself, lines go to standard error.
    func beside(_ output: String?) -> Console {
        guard let output, (try? OutputTarget(output))?.isStandardOutput == true else { return self }
        var copy = self
        (copy.lines, copy.style) = (STDERR_FILENO, errorStyle)
        return copy
    }

    /// Why standard output is incomplete, else `nil`.
    package var lostOutput: SystemError? { loss.withLock { $0 } }

    /// Whether standard output has been complete so far and its reader is still there.
    var isHeard: Bool { lostOutput == nil && !isLeft.withLock { $0 } }

    func print(_ line: String) {
        send(Array("\(style.visible(line))\n".utf8), to: lines)
    }

    func print(json node: Node) {
        print(JSONWriter.text(node, .pretty))
    }

    /// Writes a file to standard output, unchanged where no terminal reads it.
    func printAsIs(_ text: String) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        printAsIs(Array((isTerminal ? TerminalStyle.plain.visible(text) : text).utf8))
    }

    func printAsIs(_ text: [UInt8]) {
        send(text, to: STDOUT_FILENO)
    }

    package func printError(_ line: String) {
        send(Array("\(errorStyle.visible(line))\n".utf8), to: STDERR_FILENO)
    }

    package func fail(_ message: String) {
        printError(errorStyle.severity("error", .error) + ": \(PrintableText.visible(message))")
    }

    /// Says why a verb failed, for a program also as an object on standard output.
    func tell(_ error: VerbError, isForProgram: Bool) {
        if let message = error.message { fail(message) }
        guard isForProgram, !error.isInDocument else { return }
        print(JSONWriter.text(["error": error.node]))
    }

    func warn(_ message: String) {
        printError(errorStyle.severity("warning", .warning) + ": \(PrintableText.visible(message))")
    }

    /// Replaces the progress line on standard error; nothing happens without a terminal.
    func showProgress(_ line: String) {
        guard showsProgress else { return }
        send(Array("\r\u{1B}[K\(errorStyle.visible(line))".utf8), to: STDERR_FILENO)
    }

    func pass(_ bytes: [UInt8], from stream: ClientProcess.Stream) {
        send(bytes, to: stream == .output ? lines : STDERR_FILENO)
    }

    /// Writes all bytes; a closed pipe is no error: its reader has had enough.
    private func send(_ bytes: [UInt8], to descriptor: Int32) {
        guard let error = WholeOutput.send(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return }
        if error.errno == EPIPE { isLeft.withLock { $0 = true } } else { loss.withLock { $0 = error } }
    }
}

package enum StandardStreams {
    /// The descriptors that were open when this process started, if they are read before it opens its own.
    static let inherited: Set<Int32> = {
        let names = Folder.names(in: "/proc/self/fd") ?? Folder.names(in: "/dev/fd") ?? []
        // The list has the descriptor by which it was read.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }()

    /// Opens a substitute for every closed stream.
    ///
    /// Otherwise the next file or socket would get its number, and output would go there. The substitute fails as a
    /// closed stream does.
    package static func fillClosed() {
        _ = inherited
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether standard output was read, or may still be; false for a pipe without a reader.
    static func isOutputRead() -> Bool {
        for _ in 0..<maximumLooks where !isOutputEmpty {
            // Without events asked for, poll waits until the other end closes, whether or not all was read.
            var end = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if unsafe poll(&end, 1, millisecondsBetweenLooks) > 0 { return isOutputEmpty }
        }
        return true
    }

    /// Whether standard output is a pipe that is empty.
    private static var isOutputEmpty: Bool {
        var unread: Int32 = 0
        return unsafe ioctl(STDOUT_FILENO, UInt(FIONREAD), &unread) != 0 || unread == 0
    }

    private static let maximumLooks = 100
    private static let millisecondsBetweenLooks: Int32 = 10

    /// Signals the end of standard output; later output is lost.
    static func endOutput() {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        _ = dup2(nowhere, STDOUT_FILENO)
        _ = close(nowhere)
    }

    /// Keeps the file mode mask from taking this user's own access to what is made; the rest of the mask stays.
    package static func keepOwnerBits() {
        let mask = umask(0)
        _ = umask(mask & ~0o700)
    }

    /// Makes writing to a closed pipe an error instead of ending this process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

/// The exit codes; scripts may rely on them.
package enum ExitCode: Int32, Sendable {
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// The command line or a file cannot be followed.
    case usage = 2
    /// The machine lacks what is needed.
    case environment = 3
    /// TapSim itself is at fault.
    case ownBug = 4
    /// A client that was to be fuzzed is wrong without any fault.
    case baseline = 5
    case timeLimit = 124
    /// A user ended it before it was done; the code that shells give for SIGINT.
    case interrupted = 130
    /// SIGTERM ended it before it was done.
    case terminated = 143

    /// The code for the signal by which a user has asked for an early end.
    static var ended: ExitCode { EndRequest.isTermination ? .terminated : .interrupted }
}

extension ExitCode {
    /// The word for it in JSON.
    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .usage: "usage"
        case .environment: "environment"
        case .ownBug: "bug"
        case .baseline: "baseline"
        case .timeLimit: "time limit"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }
}

struct VerbError: Error {
    let code: ExitCode
    /// What happened and what to do next; `nil` if already printed.
    let message: String?
    /// What is wrong with files, if that is why; already printed.
    private let diagnostics: Diagnostics?
    /// Whether the document that the verb wrote has it.
    var isInDocument = false

    init(_ code: ExitCode, _ message: String? = nil) {
        self.code = code
        self.message = message
        diagnostics = nil
    }

    /// The error of a verb whose cases are all skipped: a green result promises that something was run.
    static var allSkipped: VerbError {
        VerbError(.environment, "nothing was run: every case is skipped; `--case` runs one all the same")
    }

    init(_ diagnostics: Diagnostics) {
        code = .usage
        message = nil
        self.diagnostics = diagnostics
    }

    /// The error as a program reads it.
    var node: Node {
        let count = diagnostics.map { CountText.of($0.errorCount, "error") }
        return .map([
            "kind": .text(code.word), "exit_code": .number(Int(code.rawValue)),
            "message": .text(message ?? count ?? code.word), "diagnostics": diagnostics?.node,
        ])
    }

    init(_ error: RunError) {
        let code: ExitCode =
            switch error.code {
            case .client: .usage
            case .environment, .abandoned: .environment
            case .baseline: .baseline
            }
        self.init(code, error.description)
    }
}
