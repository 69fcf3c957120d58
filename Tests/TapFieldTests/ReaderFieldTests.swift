import TapCards
import TapField
import TapWire
import Testing

@Suite struct `Several readers` {
    private let tag = ScriptedCard(answer: [1], after: .microseconds(500))
    private let read = RFFrame(.typeA106, [0x30, 0x00])

    private func world(_ timeline: [Timeline.Step] = []) -> World {
        var world = World([("a", tag), ("b", tag)], timeline: [.never])
        world.place([ReaderField("gate", pick: "b"), ReaderField("desk")])
        world.begin(Timeline(timeline))
        return world
    }

    private func isAnswered(_ world: inout World, at reader: Int) -> Bool {
        world.use(reader: reader)
        return world.exchange(read, waiting: .milliseconds(5)) != .silence
    }

    @Test func `have their own fields and cards`() {
        var world = world([.init(.immediately, [.tap("a", reader: "desk")])])
        #expect(!isAnswered(&world, at: 0) && isAnswered(&world, at: 1))
        world.use(reader: 0)
        world.switchField(on: false)
        #expect(!world.isFieldOn && world.readers.map(\.isFieldOn) == [false, true])
        #expect(world.card(named: "a")?.engine.stateName == "heard 1")
        world.use(reader: 1)
        world.switchField(on: false)
        #expect(world.card(named: "a")?.engine.stateName == "OFF")
    }

    @Test func `are named in the trace, unless there is only one`() {
        var world = world([.init(.immediately, [.tap("a", reader: "desk")])])
        #expect(isAnswered(&world, at: 1))
        #expect(world.trace.exchanges.map(\.reader) == ["desk"])
        #expect(world.trace.events.allSatisfy { $0.reader == "desk" })
        var alone = World([("a", tag)], timeline: [.init(.immediately, [.tap("a")])])
        #expect(isAnswered(&alone, at: 0) && alone.trace.exchanges.map(\.reader) == [nil])
    }

    @Test func `get the second card of a swap at the reader of the first`() {
        let swap = Timeline.Action.swap(out: "a", in: "b", gap: .milliseconds(1))
        var world = world([.init(.immediately, [.tap("a", reader: "desk")]), .init(.immediately, [swap])])
        world.advance(by: .milliseconds(2))
        #expect(!isAnswered(&world, at: 0) && isAnswered(&world, at: 1))
        #expect(world.card(named: "b")?.isPresent == true && world.card(named: "a")?.isPresent == false)
    }

    @Test func `receive nothing while unplugged, and their cards lose power`() {
        var world = world([.init(.immediately, [.tap("a")])])
        #expect(isAnswered(&world, at: 0))
        let (changes, count) = (world.presenceCount, world.exchangeCount)
        #expect(world.unplug("gate") && !world.unplug("gate"))
        #expect(world.presenceCount > changes && !isAnswered(&world, at: 0) && world.exchangeCount == count)
        #expect(!world.isWithinReach(0) && world.card(named: "a")?.isPresent == true)
        #expect(world.plug("gate") && !world.plug("nobody"))
        #expect(isAnswered(&world, at: 0) && world.card(named: "a")?.engine.stateName == "heard 1")
    }

    @Test func `receive nothing if the last planned step unplugs them as their field comes on`() {
        let fieldOn = EventPattern.reader(.fieldOn, name: "gate")
        var world = world([.init(.event(EventTrigger(fieldOn)), [.unplug("gate")])])
        world.tap("a")
        world.use(reader: 0)
        #expect(!isAnswered(&world, at: 0) && world.exchangeCount == 1 && world.isTimelineOver)
        #expect(world.answeringCard == nil)
    }

    @Test func `pick their card only while it is present`() {
        var world = world([.init(.immediately, [.tap("a")]), .init(.immediately, [.tap("b", reader: "desk")])])
        world.use(reader: 0)
        #expect(world.pickedCard == nil)
        world.remove("b")
        world.tap("b")
        #expect(world.pickedCard == 1)
        let heard = world.hearing(only: world.pickedCard) { world in
            _ = world.exchange(read, waiting: .milliseconds(5))
            return world.cards.map(\.engine.stateName)
        }
        #expect(heard == ["heard 0", "heard 1"])
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(world.cards.map(\.engine.stateName) == ["heard 1", "heard 2"])
    }

    @Test func `with an unknown name or number fall back to the first`() {
        var world = world([.init(.immediately, [.tap("a", reader: "nobody")])])
        #expect(isAnswered(&world, at: 7) && world.reader == 0)
    }

    @Test func `trigger steps that wait for their events`() {
        let fieldOn = EventPattern.reader(.fieldOn, name: "desk")
        let unplugged = EventPattern.reader(.unplugged, name: nil)
        var world = world([
            .init(.event(EventTrigger(fieldOn)), [.tap("a", reader: "desk")]),
            .init(.event(EventTrigger(unplugged)), [.tap("b", reader: "desk"), .send("bye")]),
        ])
        #expect(!isAnswered(&world, at: 0))
        #expect(world.card(named: "a")?.isPresent == false)
        _ = isAnswered(&world, at: 1)
        #expect(world.card(named: "a")?.isPresent == true && world.card(named: "b")?.isPresent == false)
        world.unplug("gate")
        #expect(world.card(named: "b")?.isPresent == true && world.takeLines() == ["bye"] && world.takeLines() == [])
    }
}
