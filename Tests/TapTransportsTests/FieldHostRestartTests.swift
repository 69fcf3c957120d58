import TapCards
import TapTransports
import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// To its observers, a restarted field looks like a new field.
@Suite struct `A restarted field` {
    private func world(_ cards: [String], timeline: [Timeline.Step] = []) throws -> World {
        var world = World(seed: 1, timeline: Timeline(timeline), trace: Trace())
        for card in cards {
            world.add(try CardS.card(), named: card)
            world.tap(card)
        }
        world.followMeasuredClock()
        return world
    }

    @Test func `shows a reader its card as if it had left and returned`() throws {
        let host = FieldHost(try world(["card"]))
        let slot = ReaderSlot(StorageCardReader(), on: host)
        #expect(slot.refresh().changes == 1)
        host.restart(try world(["card"]))
        #expect(slot.refresh().changes == 3)
        host.restart(try world([]))
        #expect(slot.refresh().content == .empty)
    }

    @Test func `has an empty trace, card time from zero, and its own timeline`() throws {
        let host = FieldHost(try world(["card"]))
        defer { host.close() }
        host.perform { world in
            world.swap("card", for: "card", after: .seconds(3_600))
            world.note("before")
        }
        let told = Condition(0)
        try host.watch {
            told.withLock { count in
                count += 1
                told.wakeAll()
            }
        }
        let steps = [Timeline.Step(.at(.milliseconds(30)), [.remove("card")])]
        host.restart(try world(["card"], timeline: steps))
        #expect(host.snapshot.now == .zero)
        #expect(!host.snapshot.trace.events.contains { $0.kind == .note("before") })
        // Once for the new world, once for its own step; the old world's swap never completes.
        let hasLeft: Bool = told.waitUntilDone { _ in
            host.snapshot.card(named: "card")?.isPresent == false ? .done(true) : .wait(until: .now + .milliseconds(10))
        }
        #expect(hasLeft)
    }

    @Test func `keeps its limit of exchanges`() throws {
        let host = FieldHost(try world(["card"]), exchangeLimit: 2)
        let poll = RFFrame(.felica212, Polling.Request(systemCode: .any).bytes)
        for _ in 0..<3 { _ = host.exchange(poll) }
        #expect(host.isExhausted)
        host.restart(try world(["card"]))
        #expect(!host.isExhausted)
        #expect(host.exchange(poll) != nil)
        #expect(host.exchange(poll) != nil)
        #expect(host.exchange(poll) == nil)
    }
}
