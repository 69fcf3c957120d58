import Foundation
import TapSystem

/// A command that has printed its first line and is still running.
protocol RunningCommand: AnyObject {
    var firstLine: String { get }
    /// The bytes written to standard error so far.
    var errorText: String { get }
    var isRunning: Bool { get }

    /// Waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended it.
    func awaitEnd() -> Int32
}

/// A command that runs on a thread of this process.
final class CommandOnThread: RunningCommand {
    private final class State: Sendable {
        private let condition = NSCondition()
        private let value = Lock((line: [UInt8](), error: [UInt8](), code: Int32?.none))

        func change(_ body: @Sendable (inout (line: [UInt8], error: [UInt8], code: Int32?)) -> Void) {
            condition.lock()
            value.withLock { body(&$0) }
            condition.broadcast()
            condition.unlock()
        }

        func wait(until isMet: ((line: [UInt8], error: [UInt8], code: Int32?)) -> Bool) {
            condition.lock()
            while !isMet(now) { condition.wait() }
            condition.unlock()
        }

        var now: (line: [UInt8], error: [UInt8], code: Int32?) { value.withLock { $0 } }
    }

    private static let stackSize = 8 << 20
    private let state = State()
    let firstLine: String

    init(_ words: [String]) throws {
        let state = state
        let thread = Thread {
            let outcome = try? TapSim.run(
                words, printing: { bytes in state.change { $0.line += $0.line.last == 0x0A ? [] : bytes } },
                warning: { bytes in state.change { $0.error += bytes } })
            state.change { $0.code = outcome?.exitCode ?? -1 }
        }
        thread.stackSize = Self.stackSize
        thread.start()
        state.wait { $0.line.last == 0x0A || $0.code != nil }
        firstLine = String(decoding: state.now.line, as: UTF8.self)
    }

    var errorText: String { String(decoding: state.now.error, as: UTF8.self) }
    var isRunning: Bool { state.now.code == nil }

    func awaitEnd() -> Int32 {
        state.wait { $0.code != nil }
        return state.now.code ?? -1
    }
}

/// A command in its own process.
final class StartedCommand: RunningCommand {
    private let process = Process()
    private let errorFile: URL
    let firstLine: String

    init(_ words: [String]) throws {
        process.executableURL = URL(fileURLWithPath: TapSimProgram.path)
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: TapSimProgram.root)
        process.environment = ProcessInfo.processInfo.environment.merging(TapSimProgram.quiet) { $1 }
        let output = Pipe()
        process.standardOutput = output
        errorFile = URL(fileURLWithPath: try TapSimProgram.file("error", ""))
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        // Reads to the end of the line, not of the output: a client of another test may have inherited the pipe.
        var line = Data()
        while line.last != 0x0A {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        firstLine = String(decoding: line, as: UTF8.self)
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    var errorText: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }
    var isRunning: Bool { process.isRunning }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    func awaitEnd() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
