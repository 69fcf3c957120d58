import TapCards
import TapWire
import TestSupport
import Testing

@testable import TapField

/// The state after a write that loses power partway.
@Suite struct `A torn write` {
    /// Writes to a page of a selected tag with power for part of the time, and returns the page afterwards.
    private func write(_ data: PageData, to page: Int, of definition: NTAGDefinition, percent: Int) throws -> PageData {
        let kind = try #require(FaultCatalogue.named("mem.tear"))
        let trigger = EventTrigger.command(try #require(CommandName("ntag.write")))
        let plan = FaultPlan([.init(Fault(kind, ["inside": .time(.percent(percent))]), when: trigger)])
        var world = World(seed: 1, plan: plan)
        world.add(NTAGCard(definition), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.wupa, waiting: .milliseconds(5))
        let frame = RFFrame(.typeA106, WritePage.Request(page: UInt8(page), data: data).bytes)
        #expect(world.exchange(frame, waiting: .milliseconds(20)) == .silence)
        #expect(world.context.power == nil, "power must be back for the next command")
        #expect(world.cards.map(\.isPresent) == [false])
        return try #require(world.cards[0].engine as? NTAGCard)[page: page]
    }

    @Test func `erases a page byte by byte and then programs it byte by byte`() throws {
        let old = SampleTags.t0()[page: 6]
        let (new, steps) = (PageData(0xA1, 0xA2, 0xA3, 0xA4), 8)
        for step in 0...steps {
            let percent = (100 * step + steps - 1) / steps
            let page = try write(new, to: 6, of: SampleTags.t0(), percent: percent)
            let expected = PageData(
                (0..<4).map { byte in
                    if step > 4 + byte { return new[byte] }
                    return step > byte ? 0 : old[byte]
                })
            #expect(page == expected, "step \(step)")
        }
    }

    @Test(arguments: [2, 3, 0x82])
    func `leaves lock bytes and capability container unchanged until the whole write is complete`(page: Int) throws {
        let tag = SampleTags.t0()
        for percent in [0, 1, 50, 99] {
            #expect(try write(PageData(0, 0, 0x01, 0), to: page, of: tag, percent: percent) == tag[page: page])
        }
        #expect(try write(PageData(0, 0, 0x01, 0x01), to: page, of: tag, percent: 100) != tag[page: page])
    }

    @Test func `never stores half a command in a FeliCa card`() throws {
        let kind = try #require(FaultCatalogue.named("mem.tear"))
        for percent in [0, 1, 50, 99, 100] {
            let session = try FaultSession("felica")
            let plan = FaultPlan([
                .init(Fault(kind, ["inside": .time(.percent(percent))]), when: EventTrigger(.exchange, nth: 3))
            ])
            var world = session.world(plan)
            for frame in session.frames { _ = world.exchange(frame, waiting: FaultSession.patience) }
            let card = try #require(world.card(named: "card"))
            #expect(card.isMemoryUnchanged == (percent < 100), "\(percent)%")
        }
    }

    @Test func `has variants during and after a write`() throws {
        let kind = try #require(FaultCatalogue.named("mem.tear"))
        #expect(kind.parameters.first { $0.name == "inside" }?.standard == .time(.percent(50)))
        #expect(kind.variants == [[:], ["inside": .time(.percent(100))]])
    }
}
