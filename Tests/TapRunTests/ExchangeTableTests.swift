import TapDocument
import TapField
import TapReport
import TapScenario
import TapWire
import Testing

/// The table of exchanges in reports: rows for faults and cards that move, and repetitions as one row.
@Suite struct `The table of exchanges` {
    private func world(faults: Node? = nil) throws -> World {
        var diagnostics = Diagnostics()
        let card: Node = ["template": "suica", "idm": "01 02 03 04 05 06 07 08"]
        let scenario = ScenarioLoader.scenario(
            from: .map(["format": 1, "cards": ["pass": card], "faults": faults]), file: "table",
            .init(files: nil, seed: ScenarioLoader.defaultSeed), into: &diagnostics)
        return try #require(scenario?.cases.first).makeWorld()
    }

    private func poll(_ world: inout World, _ system: SystemCode = .transit, times: Int = 1) {
        for _ in 0..<times {
            let frame = RFFrame(.felica212, Polling.Request(systemCode: system).bytes)
            _ = world.exchange(frame, waiting: .milliseconds(10))
        }
    }

    @Test func `has a row for a fault between the command and the answer`() throws {
        var world = try world(faults: [["when": ["command": "felica.polling", "nth": 2], "do": "rf.silence"]])
        poll(&world, times: 2)
        let lines = ExchangeTable(world.trace).lines.map { String($0.dropFirst(17)) }
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.suffix(3).map { $0.prefix(1) } == [">", "!", "<"], "\(lines)")
        #expect(lines[4] == "!    rf.silence")
    }

    @Test func `has a row for a card that arrives or leaves, but not for an initial card`() throws {
        var world = try world()
        poll(&world)
        world.removeAll()
        poll(&world)
        world.tap("pass")
        poll(&world)
        let moves = ExchangeTable(world.trace).lines.filter { $0.contains("  *  ") }.map { $0.dropFirst(22) }
        #expect(moves == ["pass leaves the reader", "pass comes before the reader"])
    }

    @Test func `counts repeated rows`() throws {
        var world = try world()
        poll(&world)
        world.removeAll()
        poll(&world, times: 300)
        let lines = ExchangeTable(world.trace).lines
        #expect(lines.count == 7, "\(lines)")
        #expect(lines.last?.hasPrefix("      … repeated 299 times, up to exchange 301 at ") == true, "\(lines)")
    }

    @Test func `counts repeated searches, and shows the marked exchange`() throws {
        var world = try world()
        world.removeAll()
        for _ in 0..<10 {
            poll(&world)
            poll(&world, .any)
        }
        let lines = ExchangeTable(world.trace).lines
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.last?.hasPrefix("      … the last 2 repeated 9 times, up to exchange 20 at ") == true, "\(lines)")
        let marked = ExchangeTable(world.trace, marking: 11).lines
        #expect(marked.contains { $0.hasPrefix("> 11 ") }, "\(marked)")
        #expect(marked.count < 16, "\(marked)")
    }

    @Test func `shows as many different rows as fit, however many repeat`() throws {
        var world = try world()
        for system in UInt16(0)..<50 { poll(&world, SystemCode(0x1200 + system), times: 10) }
        let lines = ExchangeTable(world.trace).lines
        #expect(lines.count { $0.contains("repeated 9 times") } == ExchangeTable.maximumEntries / 2)
        #expect(lines[1].hasSuffix("exchanges before these"), "\(lines)")
    }
}
