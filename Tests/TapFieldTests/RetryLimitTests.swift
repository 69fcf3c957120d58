import TapField
import TapWire
import Testing

@Suite struct `A retry limit` {
    private let read = RFFrame(.typeA106, [0x30, 0x00])
    private let write = RFFrame(.typeA106, [0xA2, 0x04, 0, 0, 0, 0])
    private let search = RFFrame(.typeA106, [0x26], bitCount: 7)

    /// Sends frames with or without a card and returns the number after which the world stops answering.
    private func stuckAfter(_ frames: [RFFrame], limit: Int, card: Bool) -> Int? {
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
    func `is reached by repeating a command, with the same answer or none`(card: Bool) {
        #expect(stuckAfter(Array(repeating: read, count: 10), limit: 3, card: card) == 4)
        #expect(stuckAfter(Array(repeating: read, count: 3), limit: 3, card: card) == nil)
    }

    @Test func `is not reached by alternating commands or by looking for a card`() {
        let inTurn = (0..<20).map { $0.isMultiple(of: 2) ? read : write }
        #expect(stuckAfter(inTurn, limit: 3, card: true) == nil)
        #expect(stuckAfter(Array(repeating: search, count: 20), limit: 3, card: false) == nil)
    }

    @Test func `keeps counting if the card is selected again between two attempts`() {
        let frames = (0..<20).map { $0.isMultiple(of: 2) ? read : search }
        #expect(stuckAfter(frames, limit: 3, card: false) == 7)
    }

    @Test func `leads to silence and notifies the outside`() {
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

@Suite struct `The presence watch` {
    /// Looks for a card that nobody takes away, and returns whether it has left on its own.
    private func haveCardsLeft(after searches: Int, _ faults: [FaultPlan.Entry] = []) -> Bool {
        var world = World(seed: 1, plan: FaultPlan(faults))
        world.add(ScriptedCard(answer: [0x44, 0x00]), named: "tag")
        world.tap("tag")
        world.watchPresence()
        for _ in 0..<searches {
            _ = world.exchange(RFFrame(.typeA106, [0x26], bitCount: 7), waiting: .milliseconds(5))
        }
        return world.haveCardsLeft
    }

    @Test func `lets the card leave a client that only checks its presence`() {
        #expect(haveCardsLeft(after: 12))
        #expect(!haveCardsLeft(after: 5))
    }

    @Test func `leaves the card with a reader that fails to select it, until the reader only looks for cards`() throws {
        var world = World(seed: 1, plan: FaultPlan([]))
        world.add(ScriptedCard(answer: [0x44, 0x00]), named: "tag")
        world.tap("tag")
        world.watchPresence()
        let (search, release) = (RFFrame(.typeA106, [0x26], bitCount: 7), RFFrame(.typeA106, [0x50, 0x00]))
        let select = RFFrame(.typeA106, [0x93, 0x20])
        // The selection answer is lost every time.
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

    @Test func `does not count a damaged answer as proof of presence`() throws {
        let weak = try #require(FaultCatalogue.named("rf.weak_field"))
        let damaged = Fault(weak, ["lost_every": .integer(100), "damaged_every": .integer(1)])
        #expect(!haveCardsLeft(after: 60, [.init(damaged, when: .command(try #require(CommandName("a3.reqa"))))]))
    }
}
