import TapDoors
import TapScenario
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
    /// Colours for standard output.
    let style: TerminalStyle
    /// Colours for standard error.
    let errorStyle: TerminalStyle
    private let loss = Lock<SystemError?>(nil)
    private let isLeft = Lock(false)

    /// Looks at the terminal and at `NO_COLOR`, which asks for none whatever its value, unless it is empty.
    init() {
        let allows = (ProcessEnvironment["NO_COLOR"] ?? "").isEmpty && ProcessEnvironment["TERM"] != "dumb"
        style = TerminalStyle(isOn: allows && isatty(STDOUT_FILENO) == 1)
        errorStyle = TerminalStyle(isOn: allows && isatty(STDERR_FILENO) == 1)
    }

    /// Why standard output is incomplete, or nothing if all of it was taken.
    var lostOutput: SystemError? { loss.withLock { $0 } }

    /// Whether all of standard output has found a reader so far: it is not incomplete, and nobody has left it.
    var isHeard: Bool { lostOutput == nil && !isLeft.withLock { $0 } }

    /// Writes a line to standard output.
    func print(_ line: String) {
        send(Array("\(style.visible(line))\n".utf8), to: STDOUT_FILENO)
    }

    /// Writes the text of a file to standard output, as it is where a program or a file takes it.
    func printAsIs(_ text: String) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        printAsIs(Array((isTerminal ? TerminalStyle.plain.visible(text) : text).utf8))
    }

    /// Writes bytes of text to standard output as they are.
    func printAsIs(_ text: [UInt8]) {
        send(text, to: STDOUT_FILENO)
    }

    /// Writes a line to standard error.
    func printError(_ line: String) {
        send(Array("\(errorStyle.visible(line))\n".utf8), to: STDERR_FILENO)
    }

    /// Writes the sentence of an error to standard error.
    func fail(_ message: String) {
        printError(errorStyle.severity("error", .error) + ": \(PrintableText.visible(message))")
    }

    /// Writes a sentence of warning to standard error.
    func warn(_ message: String) {
        printError(errorStyle.severity("warning", .warning) + ": \(PrintableText.visible(message))")
    }

    /// Shows a line on standard error in place of the one shown before; nothing where no person looks at it.
    func showProgress(_ line: String) {
        guard errorStyle.isOn else { return }
        send(Array("\r\u{1B}[K\(errorStyle.visible(line))".utf8), to: STDERR_FILENO)
    }

    /// Passes on what a client wrote.
    func pass(_ bytes: [UInt8], from stream: ClientProcess.Stream) {
        send(bytes, to: stream == .output ? STDOUT_FILENO : STDERR_FILENO)
    }

    /// Writes all bytes; that nobody reads any more is no error, as it is how the reader of a pipe says that it has enough.
    private func send(_ bytes: [UInt8], to descriptor: Int32) {
        guard let error = WholeOutput.send(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return }
        if error.errno == EPIPE { isLeft.withLock { $0 = true } } else { loss.withLock { $0 = error } }
    }
}
