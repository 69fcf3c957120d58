import TapField
import TapWire
import Testing

@Suite struct `A limit of retries` {
    private let read = AirFrame(.typeA106, [0x30, 0x00])
    private let write = AirFrame(.typeA106, [0xA2, 0x04, 0, 0, 0, 0])
    private let search = AirFrame(.typeA106, [0x26], bitCount: 7)

    /// Sends frames before a card or before none, and says after how many nothing more is answered.
    private func stuckAfter(_ frames: [AirFrame], limit: Int, card: Bool) -> Int? {
        var world = World([("tag", ScriptedCard(answer: [1], after: .microseconds(500)))], timeline: [.never])
        world.limitRetries(limit)
        if card { world.tap("tag") }
        for (index, frame) in frames.enumerated() {
            _ = world.exchange(frame, waiting: .milliseconds(5))
            if world.stuckAfter != nil { return index + 1 }
        }
        return nil
    }

    @Test(arguments: [true, false])
    func `is reached by one command again and again, whether the same comes back or nothing`(card: Bool) {
        #expect(stuckAfter(Array(repeating: read, count: 10), limit: 3, card: card) == 4)
        #expect(stuckAfter(Array(repeating: read, count: 3), limit: 3, card: card) == nil)
    }

    @Test func `is not reached by commands in turn, nor by looking for a card`() {
        let inTurn = (0..<20).map { $0.isMultiple(of: 2) ? read : write }
        #expect(stuckAfter(inTurn, limit: 3, card: true) == nil)
        #expect(stuckAfter(Array(repeating: search, count: 20), limit: 3, card: false) == nil)
    }

    @Test func `counts on while the card is selected anew between two tries`() {
        let frames = (0..<20).map { $0.isMultiple(of: 2) ? read : search }
        #expect(stuckAfter(frames, limit: 3, card: false) == 7)
    }

    @Test func `leaves silence and calls for somebody outside`() {
        var world = World([("tag", ScriptedCard(answer: [1], after: .microseconds(500)))], timeline: [.never])
        world.limitRetries(2)
        world.tap("tag")
        let calls = world.callCount
        for _ in 0..<2 { #expect(world.exchange(read, waiting: .milliseconds(5)) != .silence) }
        #expect(world.callCount == calls && world.stuckAfter == nil)
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(world.callCount == calls + 1 && world.stuckAfter == 2)
        #expect(world.exchange(write, waiting: .milliseconds(5)) == .silence && world.exchangeCount == 3)
    }
}

@Suite struct `A watch over presence` {
    /// Looks for a card that is never taken away, and says whether it has left by itself.
    private func haveCardsLeft(after searches: Int, _ faults: [FaultPlan.Entry] = []) -> Bool {
        var world = World(seed: 1, plan: FaultPlan(faults))
        world.add(ScriptedCard(answer: [0x44, 0x00]), named: "tag")
        world.tap("tag")
        world.watchPresence()
        for _ in 0..<searches {
            _ = world.exchange(AirFrame(.typeA106, [0x26], bitCount: 7), waiting: .milliseconds(5))
        }
        return world.haveCardsLeft
    }

    @Test func `lets the card leave a client that only looks whether it is there`() {
        #expect(haveCardsLeft(after: 12))
        #expect(!haveCardsLeft(after: 5))
    }

    @Test func `keeps the card before a reader that fails to select it, until that only looks`() throws {
        var world = World(seed: 1, plan: FaultPlan([]))
        world.add(ScriptedCard(answer: [0x44, 0x00]), named: "tag")
        world.tap("tag")
        world.watchPresence()
        let (search, release) = (AirFrame(.typeA106, [0x26], bitCount: 7), AirFrame(.typeA106, [0x50, 0x00]))
        let select = AirFrame(.typeA106, [0x93, 0x20])
        // The answer of a selection is lost each time.
        for _ in 0..<30 {
            _ = world.exchange(search, waiting: .milliseconds(5))
            _ = world.exchange(select, waiting: .microseconds(1))
        }
        #expect(!world.haveCardsLeft)
        for _ in 0..<12 {
            _ = world.exchange(search, waiting: .milliseconds(5))
            _ = world.exchange(release, waiting: .microseconds(1))
        }
        #expect(world.haveCardsLeft)
    }

    @Test func `takes damaged answers for no card that was seen`() throws {
        let weak = try #require(FaultCatalogue.named("rf.weak_field"))
        let damaged = Fault(weak, ["lost_every": .integer(100), "damaged_every": .integer(1)])
        #expect(!haveCardsLeft(after: 60, [.init(damaged, when: .command(try #require(CommandName("a3.reqa"))))]))
    }
}
