import TapDocument
import TapField
import Testing

/// Pages that are found by words, and those about families, keys and options.
@Suite struct `An explanation` {
    /// The names that `explain` lists for some words.
    private func hits(_ words: String) throws -> [String] {
        let outcome = try TapSim.run(["explain"] + words.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(words): \(outcome.error)")
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        return outcome.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map {
            String($0.prefix { $0 != " " && $0 != "," })
        }
    }

    @Test(arguments: [
        ("pulled too early", "rf.lose_tag"), ("two cards", "rf.collision"), ("empty card", "app.ndef_empty"),
        ("wrong password", "ntag.locked_out"), ("bad card", "app.bytes"), ("残高", "balance"),
        ("残高がマイナス", "app.balance_negative"), ("カードが離れる", "rf.lose_tag"), ("二枚", "rf.collision"),
        ("パスワード", "password"), ("reader unplugged", "pcsc.reader_unplugged"), ("timeout", "--timeout"),
        ("駅", "station"),
    ])
    func `is found by what went wrong, in English and Japanese`(words: String, name: String) throws {
        let found = try hits(words)
        #expect(found.prefix(3).contains(name), "\(words): \(found)")
        #expect(found.count <= 9)
    }

    @Test func `is first that of a key whose name translates the word`() throws {
        #expect(try hits("残高").first == "balance")
    }

    @Test func `of a fault lists the values of a parameter and its default`() throws {
        let words = try TapSim.run(["explain", "rf.delay"]).output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("One of `lost`, `with_next`. Default: `with_next`."), "\(words)")
        #expect(words.contains("A share such as `90%`. Default: 90%."), "\(words)")
    }

    @Test func `of a safety rule names what it forbids`() throws {
        let text = try TapSim.run(["explain", "blind_writes"]).output
        #expect(text.contains("Forbids resending a write to a cyclic or purse service"), "\(text)")
    }

    @Test func `is found by the Japanese summary of a fault`() throws {
        for fault in FaultCatalogue.all where fault.family == "mem" {
            let summary = try #require(fault.japaneseSummary)
            #expect(try hits(summary).first == fault.name, "\(summary)")
        }
    }

    @Test(arguments: [
        (["rf"], "rf, a family of faults"), (["taps"], "taps, a key of a scenario"),
        (["--timeout"], "--timeout, an option of tapsim run, audit"),
        (["-v"], "--verbose, an option of tapsim run, serve"),
        (["--junit"], "--junit, an option of tapsim run, fuzz, audit"),
    ])
    func `covers families, keys and options`(arguments: [String], title: String) throws {
        let outcome = try TapSim.run(["explain"] + arguments)
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.hasPrefix("\(title)\n"), "\(outcome.output)")
    }

    @Test func `is JSON for a search too`() throws {
        let pages = try #require(TapSim.run(["explain", "pulled", "too", "early", "--json"]).json?.items)
        #expect(pages.first?["title"]?.text == "rf.lose_tag, a fault")
    }

    @Test(arguments: ["--timeot", "zzzz", "x x", "of the"]) func `is not found for nonsense`(words: String) throws {
        let outcome = try TapSim.run(["explain"] + words.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
        #expect(outcome.error.contains("there is no page about `\(words)`"), "\(outcome.error)")
    }
}
