import Foundation
import TapSystem
import Testing

/// The line that reproduces a failure, pasted into a shell as a user would.
@Suite struct `The reproduce line of a failure` {
    /// A name that a shell would split, with a character that is never printed to a terminal.
    private static let name = "it's {a,b} \u{202E}1.yaml"

    /// Returns the first reproduce line of an output.
    private func line(in outcome: CommandOutcome) throws -> String {
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let line = try #require(lines.first { $0.hasPrefix("reproduce  ") }, "\(outcome.output)\(outcome.error)")
        return String(line.dropFirst("reproduce  ".count))
    }

    /// Runs the arguments into which a shell splits a line.
    private func paste(_ line: String, in folder: String) throws -> CommandOutcome {
        try TapSim.run(TapSim.arguments(of: line, in: folder), in: folder)
    }

    @Test func `runs the case with its client, and with the parameters of its own file`() throws {
        let file = try TapSimProgram.file(
            Self.name,
            """
            format: 1
            cards: {tag: {template: ndef}}
            client: {run: [/bin/sh, -c, exit 3]}
            cases: [{name: first, skip: true}, {name: second}]
            """)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let other = "\(TapSimProgram.root)/Scenarios/ntag215/password-locked.yaml"
        let outcome = try TapSim.run(
            ["run", Self.name, other, "--param", "pwd=DE AD BE EF", "--allow-client", "--timeout", "20s"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let line = try line(in: outcome)
        let pasted = try paste(line, in: folder)
        #expect(pasted.exitCode == 1, "\(line)\n\(pasted.output)\(pasted.error)")
        #expect(try self.line(in: pasted) == line)
        #expect(pasted.output.contains("second") && !pasted.output.contains("first"))
    }

    @Test func `runs a recording whose name looks like an option`() throws {
        let log = try TapSimProgram.file("n.log", "> FF CA 00 00 00\n< 04 A1 B2 C3 D4 E5 80 90 00\n")
        let folder = URL(fileURLWithPath: log).deletingLastPathComponent().path
        let outcome = try TapSim.run(["record", "--import", "n.log", "--output=-x.yaml"], in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let line = try line(in: outcome)
        #expect(line == "tapsim run ./-x.yaml -- ./client")
        let pasted = try paste(line.replacing("./client", with: "true"), in: folder)
        #expect(pasted.output.contains("expected the client to open a reader"), "\(pasted.output)\(pasted.error)")
    }

    @Test func `performs one run of an unnamed case with the file's client`() throws {
        let scenario = try TapSimProgram.text(of: ZooProgram.swift.scenarioPath)
        let words = try ZooProgram.swift.command("unwraps-answer").map { "'\($0)'" }.joined(separator: ", ")
        let file = try TapSimProgram.file(Self.name, scenario + "client: {run: [\(words)]}\ncases: [{}, {}]\n")
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let outcome = try TapSim.run(
            ["fuzz", Self.name, "--case", "2", "--only", "rf.silence", "--allow-client", "--trace", "off"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        let line = try line(in: outcome)
        let pasted = try paste("\(line) --trace off", in: folder)
        #expect(pasted.exitCode == 1, "\(line)\n\(pasted.output)\(pasted.error)")
        #expect(try self.line(in: pasted) == line)
        #expect(pasted.output.split(separator: "\n").count { $0.contains("baseline: ") } == 1)
    }
}
