import TapDocument
import TapJudge
import TapScenario
import Testing

@Suite struct `Choosing what to fuzz` {
    @Test(arguments: [
        ("ntag.*", "ntag.pack", true), ("ntag.*", "felica.pmm", false), ("*", "rf.cut", true), ("", "rf.cut", false),
        ("rf.cut", "rf.cut", true), ("rf.cut", "rf.cuts", false), ("*.cut", "rf.cut", true), ("r*c*t", "rf.cut", true),
        ("a*a", "a", false), ("a*a", "aa", true), ("**", "x", true),
    ]) func `matches patterns against whole names`(pattern: String, name: String, fits: Bool) {
        #expect(Glob(pattern).matches(name) == fits)
    }

    @Test(arguments: ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1/10001"])
    func `rejects invalid parts of the work`(text: String) {
        #expect(Shard(text) == nil)
    }

    @Test func `splits the work into disjoint parts that cover it`() throws {
        let shards = try (1...3).map { try #require(Shard("\($0)/3")) }
        for index in 0..<10 { #expect(shards.filter { $0.holds(index) }.count == 1) }
    }
}
