import Foundation
import TapCommand
import TapDocument
import TapSystem
import TestSupport
import Testing

/// The command, run in this process; only tests about processes start `tapsim` instead.
enum TapSim {
    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of `tapsim`.
    ///   - input: Its standard input.
    ///   - environment: Additional environment variables.
    ///   - folder: The working directory.
    ///   - printing: Called with each piece of standard output.
    ///   - warning: Called with each piece of standard error.
    /// - Throws: An error if there is no such folder.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        in folder: String = TapSimProgram.root, printing: @escaping @Sendable ([UInt8]) -> Void = { _ in },
        warning: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) throws -> CommandOutcome {
        _ = try FileManager.default.attributesOfItem(atPath: folder)
        let quiet = TapSimProgram.quiet.merging(environment) { $1 }
        let surroundings = Surroundings(folder: WorkingFolder(folder), variables: quiet)
        let (output, error) = (Capture(printing), Capture(warning))
        let rest = Lock(Array(input.utf8))
        let context = CommandContext(
            console: Console(output: output.stream, error: error.stream, in: surroundings), surroundings: surroundings,
            input: StandardInput {
                rest.withLock { rest in
                    defer { rest = [] }
                    return rest
                }
            })
        let code = CallingThread.value { await TapSimCommand.run(arguments, context) }
        return CommandOutcome(end: .exit(code.rawValue), standardOutput: output.bytes, standardError: error.bytes)
    }

    /// Returns the arguments of a line that runs `tapsim`, as a shell splits it.
    ///
    /// - Parameters:
    ///   - line: A line as the command prints it, to paste into a shell.
    ///   - folder: The working directory of the shell.
    static func arguments(of line: some StringProtocol, in folder: String = TapSimProgram.root) throws -> [String] {
        // In the shell, `tapsim` is a function that prints its arguments.
        let script = "tapsim() { printf '%s\\0' \"$@\"; }; \(line)"
        let outcome = try TapSimProgram.run(["-c", script], program: "/bin/bash", in: folder)
        try #require(outcome.exitCode == 0 && outcome.error.isEmpty, "\(line): \(outcome.error)")
        return outcome.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Collects the output of a stream.
    private final class Capture: Sendable {
        private let written = Lock<[UInt8]>([])
        private let observer: @Sendable ([UInt8]) -> Void

        init(_ observer: @escaping @Sendable ([UInt8]) -> Void) {
            self.observer = observer
        }

        var bytes: [UInt8] { written.withLock { $0 } }

        var stream: Console.Stream {
            Console.Stream { [written, observer] bytes in
                observer(bytes)
                written.withLock { $0 += bytes }
                return nil
            }
        }
    }
}

/// The output and the end of the command.
struct CommandOutcome: Sendable {
    let end: ClientOutcome.End
    let standardOutput: [UInt8]
    let standardError: [UInt8]

    /// The exit code, or nil if a signal or the time limit ended the process.
    var exitCode: Int32? {
        if case .exit(let code) = end { code } else { nil }
    }

    var output: String { String(decoding: standardOutput, as: UTF8.self) }
    var error: String { String(decoding: standardError, as: UTF8.self) }

    var json: Node? {
        var diagnostics = Diagnostics()
        // A report contains every exchange; dumping a card with 80 nodes gives more values than a scenario may have.
        let limits = DocumentLimits(maximumBytes: 64 << 20, maximumDepth: 32, maximumNodes: 1_000_000)
        return JSONReader(limits: limits).read(SourceFile(name: "output", bytes: standardOutput), into: &diagnostics)
    }
}
