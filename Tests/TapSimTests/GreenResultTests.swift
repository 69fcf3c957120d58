import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

/// Runs and campaigns that say nothing about the client, or that break off.
@Suite struct `A result that looks green` {
    private let folder: String

    init() throws {
        folder = try TestFolder.make().path
    }

    private func write(_ text: String, to name: String) throws {
        let place = URL(fileURLWithPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    private func text(_ name: String) throws -> String { try TapSimProgram.text(of: name, in: folder) }

    /// A client that prints the result of an earlier run after a number of runs.
    private func client(readingTimes count: Int) throws -> [String] {
        let reading = try ZooProgram.transit.command(ZooProgram.correct).map { word in
            let path = "\(TapSimProgram.root)/\(word)"
            return FileManager.default.fileExists(atPath: path) ? path : word
        }
        try write(
            """
            cd "$(dirname "$0")"
            [ "$(wc -c < count)" -ge \(count) ] && { cat kept; exit 0; }
            printf x >> count
            "$@" > new || exit
            mv new kept; cat kept
            """, to: "client.sh")
        try write("", to: "count")
        return ["sh", "\(folder)/client.sh"] + reading
    }

    @Test(arguments: [
        (1, "the client opened no reader"), (3, "no run reached its fault, so nothing was judged"),
    ]) func `is rejected if a client reads only in its first runs`(count: Int, complaint: String) throws {
        let report = "\(folder)/out.xml"
        let words = [
            "--only", "rf.silence", "--except", "card.*", "--start-each", "--trace", "off", "--junit", report, "--",
        ]
        let outcome = try TapSim.run(
            ["fuzz", ZooProgram.transit.scenarioPath, "--jobs", "1"] + words + client(readingTimes: count))
        #expect(outcome.exitCode == 5 && outcome.error.contains(complaint), "\(outcome.output)\(outcome.error)")
        #expect(try text("out.xml").contains("failures=\"1\""))
    }

    @Test func `has a failure for a case whose card cannot be restored`() throws {
        try write(
            "format: 1\ncards: {tag: {template: ndef, persist: tag.json}}\nclient: {builtin: ndef}\n", to: "kept.yaml")
        try write("{}", to: "tag.json")
        let outcome = try TapSim.run(["run", "kept.yaml", "--junit", "out.xml", "--trace", "off"], in: folder)
        #expect(outcome.exitCode == 2, "\(outcome.output)\(outcome.error)")
        #expect(try text("out.xml").contains("tests=\"1\" failures=\"1\""))
    }

    private static let broken = """
        format: 1
        cards: {suica: {template: suica}}
        cases: [{name: good, client: {builtin: transit-history}}, {name: broken, client: {run: [PROGRAM]}}]
        """

    @Test func `has a failure for a case that cannot be fuzzed, and keeps what the cases before it found`() throws {
        try write(Self.broken.replacing("PROGRAM", with: "\"false\""), to: "cases.yaml")
        let outcome = try TapSimProgram.run(
            [
                "fuzz", "cases.yaml", "--allow-client", "--only", "rf.silence@3", "--json", "--junit", "out.xml",
                "--known", "known.txt", "--update-known",
            ], in: folder)
        #expect(outcome.exitCode == 5, "\(outcome.error)")
        #expect(outcome.json?["cases"]?.items.count == 1, "\(outcome.output)")
        #expect(outcome.json?["error"]?["message"]?.text?.contains("fails without any fault") == true)
        let report = try text("out.xml")
        #expect(report.contains("failures=\"1\"") && report.contains("broken"), "\(report)")
        #expect(try text("known.txt").hasPrefix("#"))
        let kept = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/.tapsim/runs")
        #expect(kept.contains { $0.hasSuffix("campaign.json") }, "\(kept)")
    }

    @Test func `has a failure for a case that cannot be run, in every report`() throws {
        try write(Self.broken.replacing("PROGRAM", with: "./gone"), to: "cases.yaml")
        let outcome = try TapSimProgram.run(
            ["run", "cases.yaml", "--allow-client", "--junit", "out.xml", "--report", "out.zip"],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(folder)/summary.md"], in: folder)
        #expect(outcome.exitCode == 2, "\(outcome.error)")
        #expect(outcome.output.contains("::error file=cases.yaml"), "\(outcome.output)")
        #expect(try text("out.xml").contains("tests=\"2\" failures=\"1\""))
        #expect(try text("summary.md").contains("**not judged**"))
        let runs = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.tapsim/runs")
        let index = try text(".tapsim/runs/\(try #require(runs.first))/index.html")
        #expect(index.contains("./gone"))
    }

    @Test func `has a failure for a suite that cannot be audited`() throws {
        let outcome = try TapSimProgram.run(
            ["audit", "--card", "suica", "--junit", "out.xml", "--", "false"], in: folder)
        #expect(outcome.exitCode == 5, "\(outcome.error)")
        #expect(try text("out.xml").contains("tests=\"1\" failures=\"1\""))
    }

    @Test func `does not come from a folder with files that cannot be read or are nearly scenarios`() throws {
        let failing = "format: 1\ncards: {ndef: {template: ndef}}\nexpect: {counts: {ntag.read: 77}}\n"
        try write("format: 1\ncards: {ndef: {template: ndef}}\n", to: "S/good.yaml")
        func outcome() throws -> CommandOutcome { try TapSim.run(["run", "S", "--trace", "off"], in: folder) }
        #expect(try outcome().exitCode == 0)
        try write(failing, to: "S/capitals.YAML")
        #expect(try outcome().exitCode == 1, "the ending is a matter of taste")
        try FileManager.default.removeItem(atPath: "\(folder)/S/capitals.YAML")
        try write(failing.replacing("format", with: "fromat"), to: "S/typo.yaml")
        try write("services: {}\n", to: "S/compose.yaml")
        try write(failing, to: "S/1/2/3/4/5/6/7/8/9/deep.yaml")
        let warned = try outcome()
        #expect(warned.error.contains("S/typo.yaml has `cards`, but no `format: 1`"), "\(warned.error)")
        #expect(warned.error.contains("S/1/2/3/4/5/6/7/8/9 is nested too deeply"), "\(warned.error)")
        #expect(!warned.error.contains("compose"), "\(warned.error)")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/S/a.yaml", withDestinationPath: "gone.yaml")
        let dangling = try outcome()
        #expect(dangling.exitCode == 2 && dangling.error.contains("there is no file S/a.yaml"), "\(dangling.error)")
    }

    @Test func `is not drafted from a run that read nothing`() throws {
        let script = """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            import pcsc_light
            context = pcsc_light.Context()
            context.reader()
            context.release()
            """
        let file = try TapSimProgram.file("lists.py", script)
        let outcome = try TapSimProgram.run(
            ["init", folder, "--from-run", "--card", "ndef", "--name", "n", "--ci", "none", "--", "python3", file])
        #expect(outcome.exitCode == 1 && outcome.error.contains("read nothing"), "\(outcome.output)\(outcome.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/Scenarios/n.yaml"))
    }

    @Test(arguments: ["1/1", "1/2", "2/2"]) func `is not that of a shard of nothing`(shard: String) throws {
        let outcome = try TapSim.run(
            ["fuzz", "--card", "ndef", "--only", "felica.status", "--trace", "off", "--shard", shard], in: folder)
        #expect(outcome.exitCode == 2 && outcome.error.contains("there is nothing to run"), "\(outcome.error)")
    }

    // MARK: Visits

    /// A client that reads the first card only.
    private static let forgetful = """
        import sys, time
        sys.path.insert(0, "Tests/Clients/zoo")
        import pcsc_light as pcsc
        context = pcsc.Context()
        print("ready", flush=True)
        while True:
            try:
                card = pcsc.Card(context, context.reader())
                break
            except pcsc.PCSCError:
                time.sleep(0.01)
        card.transmit(bytes.fromhex("FFB0000410"))
        card.close()
        for _ in range(50):
            print("TEXT", flush=True)
            time.sleep(SECONDS)

        """

    @Test(arguments: [("done", "0.8", ", done: done", 1), ("", "60", "", 124)])
    func `is not that of a client that reads the first card only`(
        text: String, pause: String, taps: String, code: Int32
    ) throws {
        let script = Self.forgetful.replacing("TEXT", with: text).replacing("SECONDS", with: pause)
        let client = try TapSimProgram.file("forgetful.py", script)
        let scenario = try TapSimProgram.file(
            "forgetful.yaml",
            """
            format: 1
            cards: {tag: {template: ndef}}
            client: {run: [python3, \(client)], ready: ready}
            reader: {model: acr122u, over: pcsc}
            taps: {count: 2, gap: 200ms\(taps)}
            """)
        let outcome = try TapSim.run([
            "run", scenario, "--allow-client", "--json", "--timeout", code == 1 ? "60s" : "5s",
        ])
        #expect(outcome.exitCode == code, "\(outcome.output)")
        guard code == 1 else { return }
        #expect(outcome.output.contains("nothing sent to the card of visit 2 of 2"), "\(outcome.output)")
    }

    // MARK: Files of others

    @Test func `does not replace reports of other programs`() throws {
        let script = "import zipfile; zipfile.ZipFile('site.zip', 'w').writestr('index.html', 'mine')"
        #expect(try TapSimProgram.run(["-c", script], program: TapSimProgram.python, in: folder).exitCode == 0)
        try write("<testsuites><testsuite name=\"pytest\" failures=\"1\"></testsuite></testsuites>", to: "res.xml")
        for words in [["--report", "site.zip"], ["--junit", "res.xml"]] {
            let outcome = try TapSim.run(["run", "--card", "ndef"] + words, in: folder)
            let complaint = "\(words[1]) exists and is not"
            #expect(outcome.exitCode == 2 && outcome.error.contains(complaint), "\(outcome.error)")
        }
    }

    @Test func `does not lose its JSON to a report in the same file`() throws {
        let outcome = try TapSimProgram.run(
            ["run", "--card", "ndef", "--json", "--junit", "out"], redirection: "> out", in: folder)
        #expect(outcome.exitCode == 2 && outcome.error.contains("both write to standard output"), "\(outcome.error)")
    }

    @Test func `is not recorded into a place that cannot be written`() throws {
        try write("", to: "file")
        for words in [
            ["record", "file/x.yaml", "--", "touch", "ran"], ["record", "--probe", "file/x.yaml", "--card", "ndef"],
        ] {
            let outcome = try TapSimProgram.run(words, in: folder)
            #expect(outcome.exitCode == 2 && outcome.error.contains("Not a directory"), "\(outcome.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/ran"))
        let name = String(repeating: "a", count: 244) + ".yaml"
        let long = try TapSimProgram.run(["record", "--probe", name, "--card", "ndef", "--private"], in: folder)
        #expect(long.exitCode == 2 && long.error.contains("File name too long"), "\(long.error)")
        let fitting = try TapSimProgram.run(["record", "--probe", name, "--card", "ndef"], in: folder)
        #expect(fitting.exitCode == 0, "\(fitting.error)")
    }
}
