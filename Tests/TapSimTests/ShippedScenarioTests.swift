import TapDocument
import Testing

/// The files in `Scenarios`: some must pass, the others have an expected report next to them.
@Suite struct `Shipped scenarios` {
    static let passing = ["felica", "ntag215", "readers", "field", "uses"].flatMap {
        TapSimProgram.files(below: "Scenarios/\($0)", endingIn: ".yaml")
    }
    static let negative = TapSimProgram.files(below: "Scenarios/negative", endingIn: ".yaml")

    @Test(arguments: passing) func `pass`(file: String) throws {
        let outcome = try TapSim.run(["run", file])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains(", 0 failed"))
    }

    @Test(arguments: negative) func `fail with the expected report`(file: String) throws {
        let outcome = try TapSim.run(["run", file, "--trace", "off"])
        let report = try TapSimProgram.text(of: file.replacing(".yaml", with: ".expected"))
        if outcome.exitCode == 2 {
            #expect(outcome.error.hasPrefix(report))
            #expect(outcome.output.isEmpty)
        } else {
            #expect(outcome.exitCode == 1)
            #expect(outcome.output == report)
        }
    }

    @Test func `for a phone are rejected without a phone, and expectations on an app are dropped`() throws {
        for file in TapSimProgram.files(below: "Scenarios/phone", endingIn: ".yaml") {
            let outcome = try TapSim.run(["run", file])
            #expect(outcome.exitCode == 2 && outcome.output.isEmpty, "\(file)")
            #expect(
                outcome.error.hasPrefix("error: \(file):")
                    && outcome.error.contains(
                        "can never be injected in this run: it needs an app that reads with Core NFC"),
                "\(outcome.error)")
            #expect(try TapSim.run(["check", file]).exitCode == 0)
        }
        let outcome = try TapSim.run(["run", "Scenarios/uses/app.yaml"])
        #expect(outcome.output.contains("not judged, since no app reads the cards on a phone: expect.phone.alerts"))
    }

    @Test func `exist`() {
        #expect(Self.passing.count >= 9)
        #expect(Self.negative.count >= 6)
    }

    /// Scenarios with a built-in client, which run in card time; a program takes real time.
    static let inProcess = passing.filter { !((try? TapSimProgram.text(of: $0))?.contains("client: {run:") ?? true) }

    @Test(arguments: inProcess) func `keep their meaning when resolved`(file: String) throws {
        let plain = try TapSim.run(["run", file, "--json", "--case", "1"]).json
        let resolved = try TapSim.run(["check", file, "--resolved", "--case", "1"])
        let copy = try TapSimProgram.file("resolved.yaml", resolved.output)
        let again = try TapSim.run(["run", copy, "--json", "--allow-client"]).json
        let exchanges = { (node: Node?) in node?["scenarios"]?[0]?["cases"]?[0]?["exchanges"] }
        #expect(exchanges(plain) == exchanges(again))
        #expect(again?["failed"]?.text == "0")
    }

    @Test func `print the output in the README`() throws {
        let readme = try TapSimProgram.text(of: "README.md")
        let block = try #require(readme.split(separator: "```").first { $0.contains("$ tapsim run") })
        let lines = block.split(separator: "\n")
        let command = try #require(lines.first { $0.hasPrefix("$ tapsim ") })
        let printed = try TapSim.run(command.split(separator: " ").dropFirst(2).map(String.init)).output
        for line in lines.drop(while: { $0 != command }).dropFirst() where !line.contains("…") {
            #expect(printed.contains(line), "the README shows: \(line)")
        }
    }

    @Test func `include the scenario of the README`() throws {
        let readme = try TapSimProgram.text(of: "README.md")
        let block = try #require(readme.split(separator: "```").first { $0.hasPrefix("yaml\n") })
        let file = try TapSimProgram.file("readme.yaml", String(block.dropFirst("yaml\n".count)))
        let outcome = try TapSim.run(["run", file])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    }
}
