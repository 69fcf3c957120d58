import Foundation
import TapDocument
import TestSupport
import Testing

/// Names of stations on the command line.
@Suite struct `Lists of stations` {
    private static let list = "area,line,station,name\n0,1,204,Shibuya\n0,1,230,Shinjuku\n"

    /// Creates a folder with a list and a scenario that names its stations.
    private func folder(_ settings: String) throws -> String {
        let folder = try TestFolder.make()
        try Self.list.write(to: folder.appendingPathComponent("stations.csv"), atomically: true, encoding: .utf8)
        let text = """
            format: 1
            settings: {\(settings)}
            cards: {suica: {template: suica, history: [{kind: fare-gate, from: Shibuya, to: Shinjuku, balance: 3120}]}}
            client: {builtin: transit-history}
            expect: {result: {/trips/0/from: "001-230"}}
            """
        try text.write(to: folder.appendingPathComponent("named.yaml"), atomically: true, encoding: .utf8)
        return folder.path
    }

    @Test(arguments: [("stations: stations.csv", [String]()), ("seed: 2", ["--stations", "stations.csv"])])
    func `name stations in scenarios, reports, pages and cards`(settings: String, options: [String]) throws {
        let folder = try folder(settings)
        let outcome = try TapSim.run(["run", "named.yaml"] + options, in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.error)")
        #expect(outcome.output.contains("expected \"001-230 Shinjuku\", got \"001-204 Shibuya\""), "\(outcome.output)")
        let again = options.isEmpty ? "named.yaml --case 1" : "--stations stations.csv"
        #expect(outcome.output.contains(again), "\(outcome.output)")
        #expect(outcome.output.contains("001-204 Shibuya to 001-230 Shinjuku   "), "\(outcome.output)")
        let difference = "got \"001-204 Shibuya\""
        let summary = "\(folder)/summary.md"
        let github = try TapSim.run(
            ["run", "named.yaml", "--junit", "junit.xml"] + options,
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary], in: folder)
        #expect(github.output.contains("::error") && github.output.contains(difference), "\(github.output)")
        #expect(try String(contentsOfFile: summary, encoding: .utf8).contains("got \"001-204 Shibuya\""))
        #expect(
            try String(contentsOfFile: "\(folder)/junit.xml", encoding: .utf8).contains("got &quot;001-204 Shibuya"))
        let shown = try TapSim.run(["card", "show", "named.yaml"] + options, in: folder)
        #expect(shown.output.contains("place 001-204 Shibuya to 001-230 Shinjuku"), "\(shown.output)\(shown.error)")
        let line = try #require(outcome.output.split(separator: "\n").first { $0.contains("trace.html") })
        let page = try #require(line.split(separator: " ").last)
        let text = try String(contentsOfFile: "\(folder)/\(page)", encoding: .utf8)
        #expect(text.contains("001-204 Shibuya to 001-230 Shinjuku"))
    }

    @Test func `are required for names, and must be lists`() throws {
        let folder = try folder("seed: 2")
        let unnamed = try TapSim.run(["check", "named.yaml"], in: folder)
        #expect(unnamed.exitCode == 2 && unnamed.error.contains("--stations"), "\(unnamed.error)")
        let wrong = try TapSim.run(["check", "named.yaml", "--stations", "named.yaml"], in: folder)
        #expect(wrong.exitCode == 2 && wrong.error.contains("the header lacks the column"), "\(wrong.error)")
    }
}
