import TapDocument
import TapSystem
import TestSupport
import Testing

/// Clients whose bugs are revealed not by faults but by control cards, or by a card without faults.
@Suite struct `The zoo on control cards` {
    private static let programs = ZooProgram.all.filter { $0.tested.contains(where: \.needsNoFault) }

    /// Runs a program on its card and the control cards; only on its scenario if it has no such card.
    private func outcome(_ program: ZooProgram, _ mistake: String, _ options: [String] = ["--only", "card.*"]) throws
        -> CommandOutcome
    {
        let subject = program.card.isEmpty ? [program.scenarioPath] : program.card
        return try TapSim.run(["fuzz"] + subject + ["--json"] + options + ["--"] + program.command(mistake))
    }

    @Test(arguments: programs)
    func `shows each mistake`(program: ZooProgram) throws {
        for mistake in program.tested where mistake.needsNoFault {
            // A client that never ends needs no long timeout.
            let time = mistake.verdict == "hang" ? ["--timeout", "2s"] : []
            let isAlone = program.card.isEmpty && mistake.fault == "card"
            let outcome = try outcome(program, mistake.name, ["--only", isAlone ? "rf.echo" : "card.*"] + time)
            let scenario = outcome.json?["cases"]?[0]
            guard mistake.verdict != "warning" else {
                let warnings = scenario?["warnings"]?.items.compactMap { $0["warning"]?.text } ?? []
                let words = ["without any fault it wrote to", "refuses a control card"]
                let isTold = warnings.contains { text in words.contains { text.hasPrefix($0) } }
                #expect(isTold, "\(mistake.name): \(warnings)")
                continue
            }
            let texts = (scenario?["clean_findings"]?.items ?? []).map {
                "\($0["outcome"]?.text ?? "") \($0["card"]?.text ?? ""): \($0["reason"]?.text ?? "")"
            }
            let card = mistake.fault == "card" ? "" : "\(mistake.fault):"
            let beginning = "\(mistake.verdict) \(card)".prefix { $0 != "*" }
            #expect(texts.contains { $0.hasPrefix(beginning) }, "\(mistake.name): \(outcome.output)\(outcome.error)")
            // A client that reads only once has findings under faults as well.
            #expect(program.card.isEmpty || outcome.exitCode == 5, "\(mistake.name): \(outcome.error)")
            print("found   \(mistake.name)   \(texts.first ?? "nothing")")
        }
    }

    @Test(
        arguments: ["felica_zoo", "message_zoo", "message_zoo on a text", "ntag_write_zoo"],
        TestScale.isLong ? ["1", "2", "3"] : ["1"])
    func `lets the correct client pass with any seed`(name: String, seed: String) throws {
        let outcome = try outcome(.named(name), ZooProgram.correct, ["--only", "card.*", "--seed", seed])
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(outcome.json?["cases"]?[0]?["control_cards"]?.items.count ?? 0 > 10)
        #expect(outcome.json?["cases"]?[0]?["warnings"]?.items.isEmpty == true, "\(outcome.output)")
    }

    @Test func `lets a client with partial output pass, with a warning`() throws {
        let outcome = try outcome(.transit, ZooProgram.correct)
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        let warnings = outcome.json?["cases"]?[0]?["warnings"]?.items ?? []
        #expect(warnings.compactMap { $0["warning"]?.text } == ["prints 8 of 20 values of balance"])
    }

    @Test func `also supports scenario files, and reports the cards that were requested`() throws {
        let again = try outcome(
            .named("message_zoo"), "two-letters", ["--only", "card.text", "--only", "card.text-region"])
        #expect(
            again.json?["cases"]?[0]?["control_cards"]?.items.compactMap(\.text) == ["card.text-region", "card.text"])
        let program = ZooProgram.felica
        for (mistake, code) in [(ZooProgram.correct, 0), ("drops-last", 5)] as [(String, Int32)] {
            let file = try TapSim.run(
                ["fuzz", program.scenarioPath, "--only", "card.trips-*", "--json", "--"] + program.command(mistake))
            #expect(file.exitCode == code, "\(file.output)\(file.error)")
            #expect(file.json?["cases"]?[0]?["control_cards"]?.items.count ?? 0 > 5)
        }
    }

    @Test func `also compares a single reading with its card`() throws {
        let program = ZooProgram.felica
        for (mistake, code) in [(ZooProgram.correct, 0), ("big-endian", 5)] as [(String, Int32)] {
            let outcome = try TapSim.run(
                ["fuzz", program.scenarioPath, "--only", "rf.silence@6", "--json", "--"] + program.command(mistake))
            #expect(outcome.exitCode == code, "\(outcome.output)\(outcome.error)")
            guard code != 0 else { continue }
            let found = outcome.json?["cases"]?[0]?["clean_findings"]?[0]
            let again = try #require(found?["reproduce"]?.text)
            let folder = try TapSimProgram.folderOfRuns()
            let repeated = try TapSim.run(TapSim.arguments(of: again, in: folder), in: folder)
            #expect(
                repeated.exitCode == code && repeated.output.contains("12300"), "\(repeated.output)\(repeated.error)")
            let scenario = try Self.repro(repeated)
            #expect(try TapSimProgram.text(of: scenario, in: folder).contains("template: suica"))
            let report = try TapSimProgram.text(of: scenario.replacing("repro.yaml", with: "report.md"), in: folder)
            #expect(report.contains("wrong result without any fault") && report.contains("prints 12300"), "\(report)")
        }
    }

    /// The path in the line `reproduce` of the first finding.
    private static func repro(_ outcome: CommandOutcome) throws -> String {
        let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let line = try #require(lines.first { $0.hasPrefix("reproduce ") }, "\(outcome.output)")
        return String(try #require(line.split(separator: " ").last))
    }

    @Test func `reports a mistake once, with a scenario that only the buggy client fails`() throws {
        let program = ZooProgram.felica
        let folder = try TapSimProgram.folderOfRuns()
        let outcome = try TapSim.run(
            ["fuzz"] + program.card + ["--only", "card.*", "--"] + program.command("drops-last"), in: folder)
        let causes = outcome.output.split(separator: "\n").filter { $0.contains("cause      ") }
        #expect(causes.count == 1 && causes[0].contains("wrong result, without any fault: "), "\(outcome.output)")
        let scenario = try Self.repro(outcome)
        let text = try TapSimProgram.text(of: scenario, in: folder)
        for (mistake, code) in [("drops-last", 1), (ZooProgram.correct, 0)] as [(String, Int32)] {
            let file = try TapSimProgram.file("\(mistake).yaml", text.replacing("drops-last", with: mistake))
            let run = try TapSim.run(["run", "--allow-client", file], in: folder)
            #expect(run.exitCode == code, "\(run.output)\(run.error)")
            #expect(run.output.contains("expect.client.prints") == (code == 1), "\(run.output)")
        }
    }

    @Test func `ignores known causes, and ends with exit code 5 for any other`() throws {
        let program = ZooProgram.felica
        let file = try TapSimProgram.file("sound.known", "") + ".causes"
        let known = ["--known", file, "--only", "card.*"]
        #expect(try outcome(program, "drops-last", known + ["--update-known"]).exitCode == 5)
        let junit = try TapSimProgram.file("sound.xml", "")
        let later = try outcome(program, "drops-last", known + ["--junit", junit])
        #expect(later.exitCode == 0, "\(later.output)\(later.error)")
        let findings = later.json?["cases"]?[0]?["clean_findings"]?.items ?? []
        #expect(!findings.isEmpty && findings.allSatisfy { $0["known"]?.text == "true" && $0["finding"] == nil })
        let report = try TapSimProgram.text(of: junit, in: "")
        #expect(report.contains("<skipped/>") && report.contains("failures=\"0\""), "\(report)")
        #expect(try outcome(program, "big-endian", known).exitCode == 5)
    }

    @Test func `is skipped with several cards or a card that has a timeline`() throws {
        let program = ZooProgram.named("kiosk_zoo")
        let file = try TapSim.run(
            ["fuzz", program.scenarioPath, "--only", "card.*", "--"] + program.command(ZooProgram.correct))
        #expect(file.exitCode == 2 && file.error.contains("there is nothing to run"), "\(file.error)")
    }
}
