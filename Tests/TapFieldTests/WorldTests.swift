import TapCards
@testable import TapField
import TapWire
import Testing

@Suite struct `A world` {
    @Test func `lets a card in the field answer, and advances card time by both frames and the response time`() {
        var world = World([("tag", ScriptedCard(answer: [0xAA, 0xBB]))])
        let answer = world.exchange(anyFrame, waiting: .milliseconds(5))
        #expect(answer == .frame(RFFrame(.typeA106, [0xAA, 0xBB]), after: .microseconds(100)))
        let command = TransmissionTime.of(bitCount: 16, technology: .typeA106, sender: .reader)
        let back = TransmissionTime.of(bitCount: 16, technology: .typeA106, sender: .card)
        #expect(world.now == command + .microseconds(100) + back)
    }

    @Test func `waits in silence for the reader's timeout if no card is present`() {
        var world = World([])
        #expect(world.exchange(anyFrame, waiting: .milliseconds(5)) == .silence)
        #expect(world.now == anyFrame.commandTransmissionTime + .milliseconds(5))
    }

    @Test func `spends no time in silence if the reader's timeout is unknown`() {
        var world = World([])
        #expect(world.exchange(anyFrame, waiting: nil) == .silence)
        #expect(world.now == anyFrame.commandTransmissionTime)
    }

    @Test func `does not give frames to a card of another technology`() throws {
        var world = World([("card", ScriptedCard(technology: .felica212, answer: [1]))])
        #expect(world.exchange(anyFrame, waiting: .zero) == .silence)
        let card = try #require(world.card(named: "card")?.engine as? ScriptedCard)
        #expect(card.heard == 0)
    }

    @Test func `loses an answer that starts after the reader's timeout`() {
        var world = World([("tag", ScriptedCard(answer: [1], after: .milliseconds(6)))])
        #expect(world.exchange(anyFrame, waiting: .milliseconds(5)) == .silence)
    }

    @Test func `powers cards while the field is on`() throws {
        var world = World([("tag", ScriptedCard(answer: [1]))])
        _ = world.exchange(anyFrame, waiting: .zero)
        #expect(world.card(named: "tag")?.engine.stateName == "heard 1")
        world.switchField(on: false)
        #expect(world.card(named: "tag")?.engine.stateName == "OFF")
        world.switchField(on: true)
        #expect(world.card(named: "tag")?.engine.stateName == "heard 0")
        world.remove("tag")
        #expect(world.exchange(anyFrame, waiting: .zero) == .silence)
    }

    @Test func `is a value: later events do not change a snapshot, which can be restored`() {
        var world = World([("tag", ScriptedCard(answer: [1]))])
        let before = world
        let first = world.exchange(anyFrame, waiting: .zero)
        #expect(before.now == .zero)
        #expect(before.trace.events.count == 1)
        world = before
        #expect(world.exchange(anyFrame, waiting: .zero) == first)
    }

    @Test func `keeps the first of two cards with the same name`() {
        var world = World([("tag", ScriptedCard(answer: [1])), ("tag", ScriptedCard(answer: [2]))])
        #expect(
            world.exchange(anyFrame, waiting: .seconds(1))
                == .frame(RFFrame(.typeA106, [1]), after: .microseconds(100)))
    }

    @Test func `records events in order, with card states`() {
        var world = World([("tag", ScriptedCard(answer: [1]))])
        _ = world.exchange(anyFrame, waiting: .seconds(1))
        world.note("done")
        let kinds = world.trace.events.map(\.kind)
        #expect(
            kinds == [
                .card("tag", isPresent: true), .field(isOn: true), .command(anyFrame),
                .answer(RFFrame(.typeA106, [1]), card: "tag", state: "heard 1", slot: nil), .note("done"),
            ])
        #expect(world.trace.events.map(\.sequence) == [0, 1, 2, 3, 4])
    }

    @Test func `keeps no events when its trace is off`() {
        var world = World(seed: 1)
        world.add(ScriptedCard(answer: [1]), named: "tag")
        world.tap("tag")
        _ = world.exchange(anyFrame, waiting: .seconds(1))
        #expect(world.trace.events.isEmpty)
    }
}

@Suite struct `Cards that answer simultaneously` {
    @Test func `with the same bits are received as one`() {
        var world = World([("a", ScriptedCard(answer: [0x44, 0x00])), ("b", ScriptedCard(answer: [0x44, 0x00]))])
        #expect(
            world.exchange(anyFrame, waiting: .seconds(1))
                == .frame(RFFrame(.typeA106, [0x44, 0]), after: .microseconds(100)))
    }

    @Test(
        arguments: [([0x01], [0x00], 0), ([0x88, 0x04], [0x88, 0x0C], 11), ([0x88], [0x88, 0x00], 8)]
            as [([UInt8], [UInt8], Int)])
    func `of type A with different bits collide at the first difference`(a: [UInt8], b: [UInt8], bit: Int) {
        var world = World([("a", ScriptedCard(answer: a)), ("b", ScriptedCard(answer: b))])
        #expect(
            world.exchange(anyFrame, waiting: .seconds(1))
                == .collision(RFFrame(.typeA106, a), firstCollidedBit: bit, after: .microseconds(100)))
    }

    @Test func `of FeliCa in different slots are received one after another`() {
        let a = ScriptedCard(technology: .felica212, answer: [1], slot: 3)
        let b = ScriptedCard(technology: .felica212, answer: [2], slot: 1)
        var world = World([("a", a), ("b", b)])
        let answer = world.exchange(RFFrame(.felica212, [6, 0]), waiting: .seconds(1))
        #expect(
            answer
                == .slots([
                    SlotAnswer(slot: 1, frame: RFFrame(.felica212, [2]), after: .microseconds(100)),
                    SlotAnswer(slot: 3, frame: RFFrame(.felica212, [1]), after: .microseconds(100)),
                ]))
    }

    @Test func `of FeliCa in the same slot give a damaged frame`() {
        let a = ScriptedCard(technology: .felica212, answer: [1], slot: 0)
        let b = ScriptedCard(technology: .felica212, answer: [2], slot: 0)
        var world = World([("a", a), ("b", b)])
        let answer = world.exchange(RFFrame(.felica212, [6, 0]), waiting: .seconds(1))
        #expect(answer == .frame(RFFrame(.felica212, [1], integrity: .badCRC), after: .microseconds(100)))
    }
}
