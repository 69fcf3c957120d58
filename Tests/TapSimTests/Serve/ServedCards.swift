import Foundation
import TapDocument
import TapSystem
import Testing

/// A running `tapsim serve`, ended at the latest when it is released.
final class ServedCards {
    private let process = Process()
    private let errorFile: URL
    /// The ready line.
    let ready: Node
    /// Where the control socket is.
    let control: String

    /// Starts the service and waits until it is ready.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: TapSimProgram.path)
        process.arguments = ["serve", "--json"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: TapSimProgram.root)
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        errorFile = URL(fileURLWithPath: try TapSimProgram.file("error", ""))
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        // To the end of the line, not of the output: a client of another test may have inherited the pipe.
        var line = Data()
        while line.last != 0x0A {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "ready", bytes: Array(line)), into: &diagnostics)
        ready = try #require(node, "\(String(decoding: line, as: UTF8.self))")
        control = try #require(ready["control"]?.text)
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// The variables a client needs.
    var environment: [String: String] {
        Dictionary((ready["env"]?.entries ?? []).map { ($0.key.text, $0.value.text ?? "") }) { $1 }
    }

    /// What it has written to standard error so far.
    var errorText: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// The folder of the control socket.
    var folder: String { URL(fileURLWithPath: control).deletingLastPathComponent().path }

    /// Runs `tapsim ctl`.
    func ctl(_ words: String...) throws -> ClientOutcome {
        try TapSimProgram.run(["ctl"] + words, environment: ["TAPSIM_CTL": control])
    }

    /// Runs `tapsim ctl` for an answer as JSON.
    func json(_ words: String...) throws -> Node {
        let outcome = try TapSimProgram.run(["ctl", "--json"] + words, environment: ["TAPSIM_CTL": control])
        return try #require(outcome.json, "\(words): \(outcome.end)\n\(outcome.error)")
    }

    /// Sends a line as it is to the control socket.
    func ask(_ line: String) throws -> String? {
        try ControlClient(to: control).ask(line)
    }

    /// Lets a program read the transit card, so that there are exchanges.
    ///
    /// - Returns: The balance and the number of trips it found.
    @discardableResult
    func read() throws -> (balance: String?, trips: String?) {
        let outcome = try TapSimProgram.run(
            ["Tests/Clients/udp_felica.py"], environment: environment, program: TapSimProgram.python)
        let found = try #require(outcome.json, "\(outcome.error)")
        return (found["balance"]?.text, found["trips"]?.text)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit code.
    func end(by signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        return awaitEnd()
    }

    /// Waits for the end.
    func awaitEnd() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
