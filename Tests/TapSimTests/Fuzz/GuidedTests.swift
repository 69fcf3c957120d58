import Foundation
import TapDocument
import TapSystem
import Testing

/// A client that handles one error but not two.
@Suite struct `A campaign with a budget` {
    private let folder: String

    init() throws { folder = try TapSimProgram.folderOfRuns() }

    private func fuzz(_ options: String...) throws -> CommandOutcome {
        try TapSim.run(
            [
                "fuzz", ZooProgram.transit.scenarioPath, "--only", "rf.silence", "--only", "felica.status",
            ] + options + ["--", TapSimProgram.python, "Tests/Clients/second_error.py"], in: folder)
    }

    private func cause(_ outcome: CommandOutcome) throws -> Node {
        let causes = try #require(outcome.json?["cases"]?[0]?["causes"]?.items, "\(outcome.error)")
        return try #require(
            causes.first { $0["key"]?.text?.hasPrefix("crash: TypeError in second_error.py") == true },
            "\(outcome.output)")
    }

    /// Runs the arguments into which a shell splits a line.
    private func paste(_ line: String) throws -> CommandOutcome {
        try TapSim.run(TapSim.arguments(of: line, in: folder), in: folder)
    }

    private func shell(_ command: String) throws -> CommandOutcome {
        try TapSimProgram.run(["-c", command], program: "/bin/sh", in: folder)
    }

    @Test func `finds the effect of two combined faults, and nothing else`() throws {
        #expect(!(try fuzz("--trace", "off").output).contains("crash"))
        let outcome = try fuzz("--budget", "60s", "--stop-after", "1", "--json")
        let cause = try cause(outcome)
        let run = try #require(cause["run"]?.text)
        #expect(run.split(separator: "+").count == 2 && !run.contains("="), "\(run)")
        let guided = try #require(outcome.json?["cases"]?[0]?["guided"])
        let totals = (guided["totals"]?.entries ?? []).compactMap { $0.value.text.flatMap { Int($0) } }
        #expect(totals.reduce(0, +) == Int(guided["runs"]?.text ?? ""), "\(guided)")
        #expect(guided["findings"]?.items.isEmpty == false)
        #expect(guided["kept"]?.items.isEmpty == false)
        let file = try TapSimProgram.file("guided.json", outcome.output)
        let rest = try fuzz("--resume", file, "--json", "--trace", "off")
        let made = rest.json?["cases"]?[0]
        #expect(rest.exitCode == 1 && made?["guided"]?["runs"] == guided["runs"], "\(rest.error)")
        let keys = { (node: Node?) in Set((node?["causes"]?.items ?? []).compactMap { $0["key"]?.text }) }
        #expect(keys(made).isSuperset(of: keys(outcome.json?["cases"]?[0])), "\(rest.output)")
        let again = try paste(try #require(cause["reproduce"]?.text))
        #expect(again.exitCode == 1)
        #expect(again.output.contains("cause      \(cause["key"]?.text ?? "none")"), "\(again.output)\(again.error)")
        #expect(again.output.contains("combinations: 1 run: 1 crash"), "\(again.output)")
        #expect(!again.output.contains("0 runs") && !again.output.contains("blank:"), "\(again.output)")
    }

    @Test func `saves a scenario and a report of each finding, with commands that work as printed`() throws {
        let outcome = try fuzz("--budget", "60s", "--stop-after", "1")
        let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let crash = try #require(lines.firstIndex { $0.hasPrefix("cause      crash: TypeError") }, "\(outcome.output)")
        let repro = String(try #require(lines[crash...].first { $0.hasPrefix("reproduce  ") }).dropFirst(11))
        let save = String(try #require(lines[crash...].first { $0.hasPrefix("save       ") }).dropFirst(11))
        let found = try paste(repro)
        #expect(found.exitCode == 1)
        #expect(found.output.contains("got crash at exchange"), "\(found.output)\(found.error)")
        let scenario = String(try #require(repro.split(separator: " ").last))
        let text = try TapSimProgram.text(of: scenario, in: folder)
        #expect(text.split(separator: "\n").count < 30 && text.contains("Found by tapsim fuzz: exit 1"), "\(text)")
        #expect(text.split(separator: "balance:").count <= 2, "one record of the history is enough: \(text)")
        let place = scenario.dropLast("repro.yaml".count)
        let report = try TapSimProgram.text(of: "\(place)report.md", in: folder)
        #expect(report.contains("TypeError") && report.contains("\n  received ") && report.contains(repro), "\(report)")
        let playing = try #require(report.split(separator: "\n").first { $0.hasPrefix("python3 ") })
        let played = try shell(String(playing))
        #expect(played.exitCode == 1 && played.error.contains("TypeError"), "\(played.output)\(played.error)")
        let copy = try TapSimProgram.file("regressions", "") + "-kept"
        let kept = try shell(save.replacingOccurrences(of: "Scenarios/regressions", with: copy) + " && ls \(copy)")
        #expect(kept.output == "second_error\n", "\(kept.output)\(kept.error)")
    }

    @Test func `accepts minutes and hours, and rejects invalid times and run counts`() throws {
        #expect(try fuzz("--budget", "5").error.contains("`--budget 5` is not a duration"))
        #expect(try fuzz("--budget", "5min").error.contains("hours as `5m` and `2h`"))
        #expect(try fuzz("--budget", "0m").error.contains("is zero"))
        #expect(try fuzz("--only", "rf.delay:by=x@4").error.contains("`by` of `rf.delay` must be"))
        #expect(try fuzz("--budget", "99h").exitCode == 2)
    }
}
