import Foundation
import TapDocument
import TapSystem
import Testing

/// A running app with virtual cards that is ended when it is released, if not before.
final class SteeredApp {
    private let process = Process()
    private let input = Pipe()
    private let output = LineSource()
    /// The file for standard error; another program might inherit a pipe, whose end would never come.
    private let errorFile: String

    /// Starts the app with only these variables.
    init(_ environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: TapSimProgram.alongside("PhoneClient"))
        process.currentDirectoryURL = URL(fileURLWithPath: TapSimProgram.root)
        let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TAPSIM_") }
        process.environment = own.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output.pipe
        errorFile = try TapSimProgram.file("errors", "")
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        try process.run()
    }

    deinit {
        // Test threads block the milder signals, and the programs they start inherit this.
        if process.isRunning { kill() }
    }

    /// Lets the app do something and returns the lines it prints.
    func perform(_ line: String, printing count: Int = 1) -> [String] {
        ask(line)
        return (0..<count).compactMap { _ in output.next() }
    }

    func ask(_ line: String) {
        input.fileHandleForWriting.write(Data("\(line)\n".utf8))
    }

    func nextLine() -> String? { output.next() }

    /// The lines on its standard error so far.
    func errors() throws -> [String] {
        try String(contentsOfFile: errorFile, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The address of the control socket that the app printed.
    func control() throws -> String {
        let line = try #require(try errors().last)
        let start = try #require(line.range(of: "TAPSIM_CTL="), "\(line)")
        let end = try #require(line.range(of: " tapsim ctl status"))
        return String(line[start.upperBound..<end.lowerBound])
    }

    /// Kills the app as a user would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Lets the app end on its own.
    ///
    /// - Returns: The exit code.
    func end() -> Int32 {
        ask("quit")
        return exitCode()
    }

    /// Waits for its end.
    ///
    /// - Returns: The exit code.
    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Runs `tapsim ctl` for an answer as JSON.
    static func json(_ control: String, _ words: String...) throws -> Node {
        let outcome = try TapSim.run(["ctl", "--json"] + words, environment: ["TAPSIM_CTL": control])
        return try #require(outcome.json, "\(words): \(outcome.end)\n\(outcome.error)")
    }

    static func ctl(_ control: String, _ words: String...) throws -> CommandOutcome {
        try TapSim.run(["ctl"] + words, environment: ["TAPSIM_CTL": control])
    }
}

/// The lines that a program writes into a pipe.
private final class LineSource {
    let pipe = Pipe()
    private var bytes: [UInt8] = []

    /// Returns the next line, or nil if there are no more.
    func next() -> String? {
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }
}
