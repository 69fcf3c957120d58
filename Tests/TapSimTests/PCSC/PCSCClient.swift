import Foundation
import TapSystem
import TapDocument
import Testing

/// An unmodified PC/SC client that `tapsim run` runs against a scenario.
struct PCSCClient {
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

    /// Runs the client and returns its output; requires that the case passed over the PC/SC transport.
    ///
    /// - Parameters:
    ///   - scenario: The path of a scenario file.
    ///   - caseName: The case, if the scenario has several.
    func output(of scenario: String, case caseName: String? = nil) throws -> String {
        let options = caseName.map { ["--case", $0] } ?? []
        let outcome = try TapSim.run(["run", scenario] + options + ["--json", "--"] + command)
        let first = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        let report = try #require(first, "exit \(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(report["transport"]?.text == "pcsc")
        return report["client"]?["stdout"]?.text ?? ""
    }

    func found(in scenario: String, case caseName: String? = nil) throws -> Node {
        let text = try output(of: scenario, case: caseName)
        var diagnostics = Diagnostics()
        return try #require(JSONReader().read(SourceFile(name: "client", text: text), into: &diagnostics), "\(text)")
    }
}

extension TapSimProgram {
    /// Copies a shipped scenario and sets its reader.
    static func scenario(_ path: String, before reader: String) throws -> String {
        try file("scenario.yaml", text(of: path) + "reader: \(reader)\n")
    }
}
