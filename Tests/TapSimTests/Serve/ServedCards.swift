import Foundation
import TapDocument
import TapSystem
import Testing

/// A running `tapsim serve` that is ended when it is released, if not before.
final class ServedCards {
    private let service: any RunningCommand
    let ready: Node
    let control: String

    /// Serves cards and waits until they are available.
    ///
    /// - Parameter isProcess: Indicates whether to use a separate process, for tests that send it a signal.
    init(_ arguments: [String], isProcess: Bool = false) throws {
        let words = ["serve", "--json"] + arguments
        service = isProcess ? try StartedCommand(words) : try CommandOnThread(words)
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "ready", text: service.firstLine), into: &diagnostics)
        ready = try #require(node, "\(service.firstLine)\(service.errorText)")
        control = try #require(ready["control"]?.text)
    }

    deinit { if service.isRunning { _ = stop() } }

    /// The variables a client needs.
    var environment: [String: String] {
        Dictionary((ready["env"]?.entries ?? []).map { ($0.key.text, $0.value.text ?? "") }) { $1 }
    }

    /// The standard error so far.
    var errorText: String { service.errorText }

    /// The folder of the control socket.
    var folder: String { URL(fileURLWithPath: control).deletingLastPathComponent().path }

    func ctl(_ words: String...) throws -> CommandOutcome {
        try TapSim.run(["ctl"] + words, environment: ["TAPSIM_CTL": control])
    }

    /// Runs `tapsim ctl` for an answer as JSON.
    func json(_ words: String...) throws -> Node {
        let outcome = try TapSim.run(["ctl", "--json"] + words, environment: ["TAPSIM_CTL": control])
        return try #require(outcome.json, "\(words): \(outcome.end)\n\(outcome.error)")
    }

    /// Sends a raw line to the control socket.
    func ask(_ line: String) throws -> String? {
        try ControlClient(to: control).ask(line)
    }

    /// Lets a program read the transit card to create exchanges.
    ///
    /// - Returns: The balance and the number of trips.
    @discardableResult
    func read() throws -> (balance: String?, trips: String?) {
        let outcome = try TapSimProgram.run(
            ["Tests/Clients/udp_felica.py"], environment: environment, program: TapSimProgram.python)
        let found = try #require(outcome.json, "\(outcome.error)")
        return (found["balance"]?.text, found["trips"]?.text)
    }

    /// Ends the service and waits for the end.
    ///
    /// - Returns: The exit code.
    func stop() -> Int32 {
        _ = try? ctl("stop")
        return service.awaitEnd()
    }

    /// Sends a signal to its process and waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended it.
    func end(by signal: Int32) -> Int32 {
        (service as? StartedCommand)?.send(signal)
        return service.awaitEnd()
    }

    func awaitEnd() -> Int32 { service.awaitEnd() }
}
