import TapField
import TapWire
import Testing

@Suite struct `A restarted timeline` {
    private let tag = ScriptedCard(answer: [1], after: .microseconds(500))
    private let read = RFFrame(.typeA106, [0x30, 0x00])

    @Test func `counts its times from the restart, in card time`() {
        var world = World([("tag", tag)], timeline: [.never])
        world.advance(by: .milliseconds(100))
        world.begin(
            Timeline([.init(.at(.milliseconds(10)), [.tap("tag")]), .init(.after(.milliseconds(5)), [.remove("tag")])]))
        world.advance(by: .milliseconds(12))
        #expect(world.card(named: "tag")?.isPresent == true)
        world.advance(by: .milliseconds(12))
        #expect(world.card(named: "tag")?.isPresent == false)
        #expect(world.trace.events.map(\.time) == [.milliseconds(110), .milliseconds(115)])
    }

    @Test func `keeps following an external clock`() {
        var world = World([("tag", tag)], timeline: [.never])
        world.followMeasuredClock()
        world.clockReads(.seconds(3))
        world.begin(Timeline([.init(.at(.seconds(1)), [.tap("tag")])]))
        #expect(world.nextMeasuredInstant == .seconds(4))
        world.clockReads(.seconds(4))
        #expect(world.card(named: "tag")?.isPresent == true)
    }

    @Test func `restarts event counts and drops pending steps`() {
        let step = Timeline.Step(.event(.command(.init("ntag.read") ?? .all[0], nth: 2)), [.remove("tag")])
        var world = World([("tag", tag)], timeline: [.never])
        for _ in 0..<2 {
            world.begin(Timeline([.init(.immediately, [.tap("tag")]), step]))
            _ = world.exchange(read, waiting: .milliseconds(5))
            #expect(world.card(named: "tag")?.isPresent == true && world.hasPlans)
            world.begin(Timeline([]))
            #expect(!world.hasPlans)
            world.removeAll()
            #expect(world.card(named: "tag")?.isPresent == false)
        }
        #expect(world.card(named: "tag")?.visit == 2)
    }

    @Test func `can replace a card in place`() {
        let other = NewCard(ScriptedCard(answer: [2], after: .microseconds(500)), description: "other")
        var world = World([("tag", tag)], timeline: [.never])
        world.place([ReaderField("gate"), ReaderField("desk")])
        world.begin(
            Timeline([.init(.immediately, [.tap("tag", reader: "desk")]), .init(.immediately, [.set("tag", other)])]))
        world.use(reader: 1)
        guard case .frame(let answer, _) = world.exchange(read, waiting: .milliseconds(5)) else {
            Issue.record("expected an answer from the new card")
            return
        }
        #expect(answer.bytes == [2] && world.card(named: "tag")?.visit == 2)
    }
}
