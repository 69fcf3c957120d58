import TapCards
import TapWire
import Testing

@testable import TapField

@Suite struct `The fault plan` {
    private static let read = CommandName("ntag.read")

    private func world(_ entries: [FaultPlan.Entry]) throws -> World {
        var world = World(seed: 1, plan: FaultPlan(entries), trace: Trace())
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        return world
    }

    private func fault(_ name: String) throws -> Fault {
        Fault(try #require(FaultCatalogue.named(name)))
    }

    private func readPage(_ world: inout World) -> Bool {
        let frame = RFFrame(.typeA106, ReadPages.Request(page: 4).bytes)
        return world.exchange(frame, waiting: .milliseconds(5)) != .silence
    }

    @Test func `a fault is injected at the command of its trigger, up to its limit`() throws {
        let trigger = EventTrigger.command(try #require(Self.read), nth: 2)
        var world = try world([.init(try fault("rf.silence"), when: trigger, times: IntegerRange(1, through: 2))])
        let answered = (0..<5).map { _ in readPage(&world) }
        #expect(answered == [true, false, false, true, true])
        #expect(world.plan.tallies[0].seen == 5)
        #expect(world.plan.tallies[0].injected.count == 2)
        #expect(world.plan.unmet.isEmpty)
    }

    @Test func `a fault that was never injected is unmet and reports the number of events seen`() throws {
        let trigger = EventTrigger.command(try #require(Self.read), nth: 9)
        var world = try world([.init(try fault("rf.silence"), when: trigger)])
        _ = readPage(&world)
        #expect(world.plan.unmet.map(\.tally.seen) == [1])
    }

    @Test func `a fault that waits for a card event is injected in the next matching exchange`() throws {
        let trigger = EventTrigger(.card(.removed, name: nil))
        var world = try world([.init(try fault("rf.silence"), when: trigger)])
        #expect(readPage(&world))
        world.remove("tag")
        world.tap("tag")
        let call = RFFrame(.typeA106, ShortFrame.reqa.bytes, bitCount: 7)
        #expect(world.exchange(call, waiting: .milliseconds(5)) == .silence)
        // The card received the call and is in READY, where it does not answer another call.
        world.switchField(on: false)
        #expect(world.exchange(call, waiting: .milliseconds(5)) != .silence)
    }

    @Test func `each injection is an event of the trace between the command and its answer`() throws {
        let trigger = EventTrigger.command(try #require(Self.read))
        var world = try world([.init(try fault("rf.silence"), when: trigger)])
        _ = readPage(&world)
        let kinds = world.trace.events.suffix(3).map(\.kind)
        guard case .command = kinds[0], case .fault(let fault) = kinds[1], case .silence = kinds[2] else {
            Issue.record("the trace ends with \(kinds)")
            return
        }
        #expect(fault.description == "rf.silence")
    }

    @Test func `a fault that only changes answers waits for an answer it can change`() throws {
        let kind = try #require(FaultCatalogue.named("ntag.short_read"))
        let short = Fault(kind, ["keep": .integer(16)])
        var world = try world([.init(short, when: .command(try #require(CommandName("ntag.fast_read"))))])
        for last: UInt8 in [5, 7, 8, 8] {
            _ = world.exchange(
                RFFrame(.typeA106, FastRead.Request(first: 4, last: last).bytes), waiting: .milliseconds(50))
        }
        let tally = world.plan.tallies[0]
        #expect(tally.seen == 4)
        #expect(tally.injected == [world.exchangeCount - 1])
        #expect(world.trace.events.count { if case .fault = $0.kind { true } else { false } } == 1)
    }

    @Test func `names in the catalogue are unique and belong to a family`() {
        let names = FaultCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count)
        for kind in FaultCatalogue.all {
            #expect(kind.name.contains("."), "\(kind.name)")
            #expect(kind.summary.hasSuffix(".") && kind.models.hasSuffix("."), "\(kind.name)")
        }
    }
}
