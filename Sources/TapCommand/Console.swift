import TapDocument
import TapSystem
import TapRun
import TapWire

/// Standard output and standard error, written one whole text at a time and coloured on a terminal.
///
/// Characters that could drive a terminal or hide something are removed from foreign text here. Only the output of a client
/// given on the command line passes unchanged, as if the user had started it.
package struct Console: Sendable {
    /// An output stream.
    package struct Stream: Sendable {
        fileprivate let isTerminal: Bool
        fileprivate let write: @Sendable ([UInt8]) -> SystemError?
        fileprivate let isRead: @Sendable () -> Bool
        fileprivate let close: @Sendable () -> Void

        /// - Parameters:
        ///   - isTerminal: A Boolean value that indicates whether the stream is a terminal.
        ///   - write: Writes all bytes; returns the error if some could not be written.
        ///   - isRead: Returns whether everything written has been read, or still may be.
        ///   - close: Closes the stream for its reader; later output is lost.
        package init(
            isTerminal: Bool = false, write: @escaping @Sendable ([UInt8]) -> SystemError?,
            isRead: @escaping @Sendable () -> Bool = { true }, close: @escaping @Sendable () -> Void = {}
        ) {
            (self.isTerminal, self.write, self.isRead, self.close) = (isTerminal, write, isRead, close)
        }
    }

    private var output: Stream
    private let error: Stream
    private(set) var style: TerminalStyle
    private(set) var errorStyle: TerminalStyle
    private let showsProgress: Bool
    private let loss = Lock<SystemError?>(nil)
    private let isLeft = Lock(false)

    /// Creates a console that colours terminals, unless `NO_COLOR` is set to a non-empty text or `TERM` is `dumb`.
    package init(output: Stream, error: Stream, in surroundings: Surroundings) {
        let isDumb = surroundings["TERM"] == "dumb"
        let allows = (surroundings["NO_COLOR"] ?? "").isEmpty && !isDumb
        (self.output, self.error) = (output, error)
        style = TerminalStyle(isOn: allows && output.isTerminal)
        errorStyle = TerminalStyle(isOn: allows && error.isTerminal)
        showsProgress = !isDumb && error.isTerminal
    }

    /// `--color`: overrides the environment's choice of colours.
    enum Colour: String, CaseIterable {
        case auto, always, never

        static let option = Option.choice(
            "--color", "WHEN", Colour.self,
            "Colour the output: auto, always or never (default: auto, respecting NO_COLOR)"
        ).in(.output, isRare: true)
    }

    mutating func apply(_ colour: Colour) {
        guard colour != .auto else { return }
        style = TerminalStyle(isOn: colour == .always)
        errorStyle = style
    }

    /// A console that prints to standard error.
    var onError: Console {
        var copy = self
        copy.output = Stream(isTerminal: error.isTerminal) { [error] bytes in
            _ = error.write(bytes)
            return nil
        }
        copy.style = errorStyle
        return copy
    }

    /// The error that made standard output incomplete, if any.
    package var lostOutput: SystemError? { loss.withLock { $0 } }

    /// A Boolean value that indicates whether standard output is complete so far and still has a reader.
    var hasReader: Bool { lostOutput == nil && !isLeft.withLock { $0 } }

    /// A Boolean value that indicates whether standard output was read, or still may be.
    var isOutputRead: Bool { output.isRead() }

    /// Closes standard output for its reader; later output is lost.
    func endOutput() { output.close() }

    func print(_ line: String) {
        sendOutput(Array("\(style.visible(line))\n".utf8))
    }

    func print(json node: Node) {
        print(JSONWriter.text(node, .pretty))
    }

    /// Writes a file to standard output, unchanged unless it is a terminal.
    func printAsIs(_ text: String) {
        printAsIs(Array((output.isTerminal ? TerminalStyle.plain.visible(text) : text).utf8))
    }

    func printAsIs(_ text: [UInt8]) {
        sendOutput(text)
    }

    package func printError(_ line: String) {
        sendError(Array("\(errorStyle.visible(line))\n".utf8))
    }

    package func fail(_ message: String, help: String? = nil) {
        printError(errorStyle.severity("error", .error) + ": \(PrintableText.visible(message))")
        if let help { printError(errorStyle.bold("help") + ": \(PrintableText.visible(help))") }
    }

    /// Reports why a verb failed; for a program, also as an object on standard output.
    func report(_ error: VerbError, isForProgram: Bool) {
        if let message = error.message { fail(message, help: error.help) }
        guard isForProgram, !error.isInDocument else { return }
        print(JSONWriter.text(VerbError.failure.node(error)))
    }

    func warn(_ message: String) {
        printError(errorStyle.severity("warning", .warning) + ": \(PrintableText.visible(message))")
    }

    /// Replaces the progress line on standard error.
    ///
    /// Does nothing if that is not a terminal.
    func showProgress(_ line: String) {
        guard showsProgress else { return }
        sendError(Array("\r\u{1B}[K\(errorStyle.visible(line))".utf8))
    }

    func pass(_ bytes: [UInt8], from stream: ClientProcess.Stream) {
        if stream == .output { sendOutput(bytes) } else { sendError(bytes) }
    }

    /// Writes all bytes.
    ///
    /// A closed pipe is not an error: its reader stopped early.
    private func sendOutput(_ bytes: [UInt8]) {
        guard let error = output.write(bytes) else { return }
        if error.isBrokenPipe { isLeft.withLock { $0 = true } } else { loss.withLock { $0 = error } }
    }

    private func sendError(_ bytes: [UInt8]) { _ = error.write(bytes) }
}

/// The exit codes; scripts may rely on them.
package enum ExitCode: Int32, Sendable {
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// The command line or a file is invalid.
    case usage = 2
    /// The machine lacks something that is needed.
    case environment = 3
    /// TapSim has a bug.
    case ownBug = 4
    /// The client to be fuzzed fails even without faults.
    case baseline = 5
    case timeLimit = 124
    /// The user interrupted it; the code that shells use for SIGINT.
    case interrupted = 130
    /// SIGTERM ended it early.
    case terminated = 143

    /// The code for the signal with which the user asked for an early end.
    static var ended: ExitCode { EndRequest.isTermination ? .terminated : .interrupted }
}

extension ExitCode {
    /// The name of the code in JSON.
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

struct VerbError: Error, OutputModel {
    let code: ExitCode
    /// The cause, and what to do next if that is not in ``help``; `nil` if already printed.
    let message: String?
    /// The advice for the `help:` line.
    let help: String?
    /// The errors in files, if they are the cause; already printed.
    private let diagnostics: Diagnostics?
    /// A Boolean value that indicates whether the verb's JSON document already contains the error.
    var isInDocument = false

    init(_ code: ExitCode, _ message: String? = nil, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
        diagnostics = nil
    }

    /// The error of a verb that skipped every case: a green result promises that something ran.
    static var allSkipped: VerbError {
        VerbError(.environment, "nothing was run: every case is skipped; use `--case` to run one anyway")
    }

    init(_ diagnostics: Diagnostics) {
        code = .usage
        (message, help) = (nil, nil)
        self.diagnostics = diagnostics
    }

    /// The error in JSON.
    static let output = OutputTable<Self>(
        "error", "Error details",
        .always(
            "kind", "The kind of error, by exit code",
            as: .word(["failed", "usage", "environment", "bug", "baseline", "time limit"]), \.code.word),
        .always("exit_code", "The exit code", \.code.rawValue),
        .always("message", "The cause and what to do next") { error in
            error.message.map { message in error.help.map { "\(message); \($0)" } ?? message }
                ?? error.diagnostics.map { CountText.of($0.errorCount, "error") } ?? error.code.word
        },
        .maybe("diagnostics", "The errors in files, if they are the cause", \.diagnostics?.sorted))

    /// The document of a verb that failed.
    static let failure = OutputTable<VerbError>(
        "failure", "An error",
        .always("error", "The reason why the verb failed") { $0 })

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
