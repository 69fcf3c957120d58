import Foundation
import TapSystem
import TapDocument
import Testing

/// A PC/SC client run against a scenario by `tapsim run`, unmodified.
struct PCSCClient {
    /// Program and arguments.
    let command: [String]

    /// A Python program of `Tests/Clients`.
    static func python(_ name: String, _ arguments: String...) -> PCSCClient {
        PCSCClient(command: [TapSimProgram.python, "Tests/Clients/\(name)"] + arguments)
    }

    /// The C program of `Tests/Clients`, compiled against libpcsclite.
    static func compiled(_ arguments: String...) throws -> PCSCClient {
        PCSCClient(command: [try binary.get()] + arguments)
    }

    private static let binary = Result<String, any Error> {
        let path = try TapSimProgram.file("card_uid", "")
        let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/card_uid.c $(pkg-config --cflags --libs libpcsclite)"
        let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return path
    }

    /// Runs the client and gives what it printed; the case it met has passed and came through the transport for PC/SC.
    ///
    /// - Parameters:
    ///   - scenario: The path of a scenario file.
    ///   - caseName: The case, where the scenario has several.
    func output(of scenario: String, case caseName: String? = nil) throws -> String {
        let options = caseName.map { ["--case", $0] } ?? []
        let outcome = try TapSim.run(["run", scenario] + options + ["--json", "--"] + command)
        let first = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        let report = try #require(first, "exit \(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(report["transport"]?.text == "pcsc")
        return report["client"]?["stdout"]?.text ?? ""
    }

    /// What it printed as JSON.
    func found(in scenario: String, case caseName: String? = nil) throws -> Node {
        let text = try output(of: scenario, case: caseName)
        var diagnostics = Diagnostics()
        return try #require(JSONReader().read(SourceFile(name: "client", text: text), into: &diagnostics), "\(text)")
    }
}

extension TapSimProgram {
    /// A copy of a shipped scenario whose cards lie before a reader.
    static func scenario(_ path: String, before reader: String) throws -> String {
        try file("scenario.yaml", text(of: path) + "reader: \(reader)\n")
    }
}
