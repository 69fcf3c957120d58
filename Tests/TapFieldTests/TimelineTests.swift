import TapCards
import TapField
import TapWire
import Testing

@Suite struct `A timeline` {
    private let tag = ScriptedCard(answer: [1], after: .microseconds(500))
    private let read = RFFrame(.typeA106, [0x30, 0x00])
    private let version = RFFrame(.typeA106, [0x60])

    private func isAnswered(_ world: inout World, _ frame: RFFrame, waiting: Duration = .milliseconds(5)) -> Bool {
        world.exchange(frame, waiting: waiting) != .silence
    }

    @Test func `taps and removes cards at points in card time`() {
        var world = World(
            [("tag", tag)],
            timeline: [
                .init(.at(.milliseconds(10)), [.tap("tag")]), .init(.after(.milliseconds(10)), [.remove("tag")]),
            ])
        #expect(!isAnswered(&world, read))
        world.advance(by: .milliseconds(5))
        #expect(isAnswered(&world, read))
        world.advance(by: .milliseconds(10))
        #expect(!isAnswered(&world, read))
        #expect(world.timeline.isOver)
        let moves = world.trace.events.filter { if case .card = $0.kind { true } else { false } }
        #expect(moves.map(\.time) == [.milliseconds(10), .milliseconds(20)])
    }

    @Test func `acts after the exchange it waits for, counted over the whole run`() throws {
        let name = try #require(CommandName("ntag.read"))
        var world = World(
            [("tag", tag)],
            timeline: [
                .init(.immediately, [.tap("tag")]), .init(.event(.command(name, nth: 2)), [.remove("tag")]),
            ])
        #expect(isAnswered(&world, read))
        #expect(isAnswered(&world, version))
        #expect(isAnswered(&world, read))
        #expect(!isAnswered(&world, read))
    }

    @Test func `swaps a card for itself after a gap, which cuts its power`() throws {
        let name = try #require(CommandName("ntag.read"))
        var world = World(
            [("tag", tag)],
            timeline: [
                .init(.immediately, [.tap("tag")]),
                .init(.event(.command(name, nth: 1)), [.swap(out: "tag", in: "tag", gap: .milliseconds(30))]),
            ])
        #expect(isAnswered(&world, read))
        #expect(!isAnswered(&world, read, waiting: .milliseconds(20)))
        #expect(!isAnswered(&world, read, waiting: .milliseconds(20)))
        #expect(isAnswered(&world, read))
        #expect(world.card(named: "tag")?.engine.stateName == "heard 1")
    }

    @Test func `advances the gap of a swap in card time if an external clock stands still`() {
        var world = World([("first", tag), ("second", tag)])
        world.followMeasuredClock()
        world.remove("second")
        world.swap("first", for: "second", after: .milliseconds(1))
        #expect(!isAnswered(&world, read, waiting: .milliseconds(50)))
        #expect(isAnswered(&world, read))
        let moves = world.trace.events.filter { if case .card = $0.kind { true } else { false } }
        #expect(moves.last?.time == .milliseconds(1))
    }

    @Test func `skips the gap in which a reader finds no card, but no other waiting time`() {
        var world = World([("first", tag), ("second", tag)], timeline: [.init(.at(.seconds(1)), [.tap("first")])])
        world.remove("second")
        world.swap("first", for: "second", after: .milliseconds(10))
        world.skipTimeWithoutCards()
        #expect(world.now == .milliseconds(10))
        #expect(isAnswered(&world, read))
        world.remove("second")
        world.skipTimeWithoutCards()
        #expect(world.now < .milliseconds(20))
    }

    @Test func `does not skip gaps if it follows an external clock`() {
        var world = World([("first", tag), ("second", tag)])
        world.followMeasuredClock()
        world.remove("second")
        world.swap("first", for: "second", after: .milliseconds(400))
        let before = world.now
        world.skipTimeWithoutCards()
        #expect(world.now == before)
        #expect(!isAnswered(&world, read))
    }

    /// Sends reads until the card is back.
    ///
    /// An external clock advances by `pace` after each read.
    private func triesUntilReturn(at pace: Duration, _ clock: (inout World) -> Void) throws -> Int {
        let name = try #require(CommandName("ntag.read"))
        var world = World(
            [("tag", tag)],
            timeline: [
                .init(.immediately, [.tap("tag")]), .init(.event(.command(name, nth: 1)), [.remove("tag")]),
                .init(.after(.milliseconds(20)), [.tap("tag")]),
            ])
        clock(&world)
        var (tries, elapsed) = (0, Duration.zero)
        while tries < 100 {
            if isAnswered(&world, read), tries > 0 { return tries }
            world.skipTimeWithoutCards()
            tries += 1
            elapsed += pace
            world.clockReads(elapsed)
        }
        return tries
    }

    @Test func `that follows exchanges returns a card after the same number of exchanges at any speed`() throws {
        let paces = [Duration.zero, .milliseconds(1), .milliseconds(9), .seconds(1)]
        #expect(try paces.map { try triesUntilReturn(at: $0) { $0.followExchanges() } } == [2, 2, 2, 2])
        let byClock = try paces.dropFirst().map { try triesUntilReturn(at: $0) { $0.followMeasuredClock() } }
        #expect(Set(byClock).count == 3, "with a clock the number must depend on the speed: \(byClock)")
    }

    @Test func `that follows exchanges lets a reader look again if it only waits for time`() {
        var world = World([("tag", tag)])
        world.remove("tag")
        world.followExchanges()
        let count = world.presenceCount
        world.begin(Timeline([.init(.after(.milliseconds(100)), [.tap("tag")])]))
        #expect(world.presenceCount > count)
        #expect(!isAnswered(&world, read))
        world.skipTimeWithoutCards()
        #expect(isAnswered(&world, read))
        #expect(world.trace.events.allSatisfy { !$0.isMeasured })
    }

    @Test func `drops the answer of a card that leaves before the end of the answer`() {
        let command = read.commandTransmissionTime
        for (instant, isReceived) in [
            (command / 2, 0), (command + .microseconds(400), 1), (command + .microseconds(520), 1),
        ] {
            var world = World(
                [("tag", tag)],
                timeline: [
                    .init(.immediately, [.tap("tag")]), .init(.at(instant), [.remove("tag")]),
                ])
            #expect(!isAnswered(&world, read))
            let card = world.card(named: "tag")?.engine as? ScriptedCard
            #expect(card?.heard == isReceived, "removed at \(instant)")
        }
    }

    @Test func `does not give a command to a card that arrived during its transmission`() {
        var world = World([("tag", tag)], timeline: [.init(.at(.microseconds(50)), [.tap("tag")])])
        #expect(!isAnswered(&world, read))
        #expect(isAnswered(&world, read))
    }

    @Test func `that follows an external clock advances with it and marks events that depend on it`() {
        var world = World(
            [("tag", tag)],
            timeline: [
                .init(.immediately, [.tap("tag")]), .init(.at(.seconds(1)), [.remove("tag")]),
            ])
        world.followMeasuredClock()
        world.clockReads(.milliseconds(1))
        #expect(isAnswered(&world, read))
        world.advance(by: .seconds(2))
        #expect(isAnswered(&world, read))
        world.clockReads(.seconds(1))
        #expect(!isAnswered(&world, read))
        let moves = world.trace.events.filter { if case .card = $0.kind { true } else { false } }
        #expect(moves.map(\.isMeasured) == [false, true])
    }
}
