import Foundation
import TapDoors
import TapScenario
import Testing

/// `tapsim init`: what it writes passes, is in the style, and is never written over what is there.
@Suite struct `A first scenario` {
    private func folder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// Writes a scenario and gives its path and text, once it was checked, run and found to be in the style.
    private func initialized(_ arguments: [String], permission: [String] = []) throws -> String {
        let folder = try folder()
        let outcome = try TapSimProgram.run(["init", folder, "--ci", "none"] + arguments)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let file = "\(folder)/Scenarios/first.yaml"
        #expect(outcome.output.contains("wrote \(file)\n"))
        let checked = try TapSimProgram.run(["check", file])
        #expect(checked.output == "1 file, 1 case, no errors\n")
        #expect(checked.error.isEmpty)
        #expect(try TapSimProgram.run(["fmt", "--check", file]).exitCode == 0)
        let run = try TapSimProgram.run(["run", file] + permission)
        #expect(run.exitCode == 0, "\(run.output)\(run.error)")
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test func `is about a Suica and stands beside a file for CI`() throws {
        let folder = try folder()
        let outcome = try TapSimProgram.run(["init", folder])
        #expect(outcome.exitCode == 0)
        let text = try String(contentsOfFile: "\(folder)/Scenarios/first.yaml", encoding: .utf8)
        #expect(text.contains("cards: {suica: {template: suica, balance: 3120, trips: 20}}"))
        #expect(text.contains("/trips/length: 20"))
        let workflow = try String(contentsOfFile: "\(folder)/.github/workflows/tapsim.yml", encoding: .utf8)
        #expect(workflow.contains("run: tapsim run Scenarios\n"))
        #expect(outcome.output.contains("tapsim run \(folder)/Scenarios/first.yaml"))
        let again = try TapSimProgram.run(["init", folder])
        #expect(again.exitCode == 2)
        #expect(again.error.contains("first.yaml is there already; --force replaces it, --name writes another"))
        #expect(try TapSimProgram.run(["init", folder, "--name", "second"]).error.contains("--ci none leaves it out"))
        #expect(try TapSimProgram.run(["init", folder, "--force", "--ci", "gitlab"]).exitCode == 0)
        #expect(FileManager.default.fileExists(atPath: "\(folder)/.gitlab-ci.yml"))
    }

    @Test(arguments: [
        "suica:balance=3120,trips=20", "nanaco", "edy", "waon", "ndef", "blank", "NTAG213",
        "NTAG215:config.pwd=DEADBEEF,config.auth0=4,config.prot=read_write",
    ])
    func `passes whatever the card`(card: String) throws {
        #expect(try initialized(["--card", card]).hasPrefix("# A first scenario"))
        let text = try initialized(["--from-run", "--card", card])
        #expect(text.hasPrefix("# What a run did: tapsim run --card \(card)\n"))
        #expect(text.contains("order: subsequence"))
        #expect(text.contains("  counts: {"))
    }

    @Test func `states what a run did, with the card as it was named`() throws {
        let text = try initialized(["--from-run", "--card", "suica:balance=3120,trips=20", "--seed", "7"])
        for line in [
            "settings: {seed: 7}", "cards: {suica: {template: suica, balance: 3120, trips: 20}}",
            "      - {command: felica.read, service: \"090F\", blocks: 0..11, reply: {status: \"00 00\", blocks: 12}}",
            "    /trips/length: 20", "  counts: {felica.request_service: 1, felica.read: 4}",
            "  cards: {suica: unchanged}",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(text)")
        }
    }

    @Test func `states what a client outside did`() throws {
        let client = ["--", "python3", "\(TapSimProgram.root)/Tests/Clients/udp_felica.py", "{nfcpy}"]
        let text = try initialized(
            ["--from-run", "--card", "suica:balance=3120,trips=20"] + client, permission: ["--allow-client"])
        #expect(text.contains("client: {run: [python3, "))
        #expect(text.contains("{command: felica.read, service: \"090F\", blocks: 0..11"))
        #expect(text.contains("/trips: 20"))
    }

    @Test(arguments: [
        (["a", "b"], "name one folder"), (["--card", "ndef", "--", "true"], "a client goes with `--from-run`"),
        (["--from-run"], "`--from-run` needs a card"), (["--ci", "travis"], "github, gitlab or none"),
        (["--card", "ndef", "--card", "suica"], "several cards go with `--from-run`"),
        (["--name", "a b"], "`--name` needs letters"), (["--from-run", "--card", "nothing"], "neither a template"),
        (["--from-run", "--card", "suica", "--", "/no/such/client"], "/no/such/client"),
    ])
    func `is refused where the command line makes no sense`(arguments: [String], sentence: String) throws {
        let folder = try folder()
        let outcome = try TapSimProgram.run(["init"] + arguments.map { $0 == "a" ? folder : $0 })
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
