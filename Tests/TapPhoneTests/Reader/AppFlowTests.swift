import TapCards
import TapPhone
import TapScenario
import TapWire
import TestSupport
import Testing

/// The commands of published apps.
@Suite struct `The calls of an app` {
    private static func card(_ text: String) throws -> any CardEngine {
        try #require(try AppScenario.scenarioCase(cards: text, seed: 1).cards.first).definition.makeEngine()
    }

    private static func elements(_ blocks: Range<Int>) -> [String] {
        blocks.map { "80" + Hex.digits($0, width: 2) }
    }

    @Test func `read balance and history of a Suica`() throws {
        var bench = try PhoneBench.connected(try Self.card("suica:balance=3120,trips=20"), codes: ["0003"])
        #expect(try bench.requestService(["8B00", "0F09", "CD12"]).map { $0 == "FFFF" } == [false, false, true])
        let balance = try bench.read(["8B00"], ["8000"])
        #expect(balance.status == .success)
        #expect(TransitBalance(BlockData(try #require(balance.blocks.first))).balance == 3120)
        var history: [[UInt8]] = []
        for part in [0..<12, 12..<20] {
            let read = try bench.read(["0F09"], Self.elements(part))
            #expect(read.status == .success)
            history += read.blocks
        }
        #expect(history.count == 20)
        let newest = TransitHistoryRecord(BlockData(history[0]))
        #expect(newest.balance == 3120)
        #expect(try bench.read(["0F09"], Self.elements(0..<10)).blocks == Array(history[..<10]))
        let tooMany = try bench.read(["0F09"], Self.elements(0..<13))
        #expect(!tooMany.status.isSuccess)
        #expect(tooMany.blocks.isEmpty)
    }

    @Test func `find the systems of a Suica, but can poll only declared systems`() throws {
        var bench = try PhoneBench.connected(try Self.card("suica"), codes: ["FE00", "0003"])
        let systems = try bench.reader.requestSystemCode(of: bench.tag, in: &bench.world).map { Hex.text($0) }
        #expect(systems == ["0003", "FE00", "86A7"])
        #expect(bench.systemCode == "FE00")
        #expect(!(try bench.read(["8B00"], ["8000"])).status.isSuccess)
        #expect(try bench.polling("0003", 1).1 == "0003")
        #expect(try bench.read(["8B00"], ["8000"]).status == .success)
        #expect(bench.code { try $0.polling("86A7") } == 2)
        let other = "04 2" + bench.idm.dropFirst()
        #expect(bench.code { try $0.feliCa(other) } == 2)
        #expect(try bench.read(["8B00"], ["8000"]).status == .success)
    }

    /// Source: NTAG213/215/216 reference vectors, an app that opens a tag and then calls for NDEF.
    @Test func `open a tag with its password and read it raw, but cannot read its NDEF`() throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t6()))
        let vectors = [
            ("1B00000000", "0000"), ("3004", "0314D1011055046578616D706C652E63"),
            ("307C", "7C8326647D8227" + "6B7E8124727F802579"), ("3A8081", "807FDA80817EDB87"),
        ]
        for (command, answer) in vectors { #expect(try bench.miFare(command) == answer) }
        let count = bench.frames.count
        #expect(bench.code { try $0.readNDEF() } == 102)
        #expect(
            bench.frames.dropFirst(count) == [
                "5000", "52", "937088" + "04A23B15", "9570" + "5C6D7E80CF", "3003", "3004",
            ])
        #expect(bench.code { try $0.miFare("3004") } == 100)
    }
}
