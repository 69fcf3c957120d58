import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// Selection faults, as seen by a reader that selects level by level.
@Suite struct `A tag with a false identity` {
    private static let patience = Duration.milliseconds(5)

    /// A world with a tag and a fault at its first call.
    private func world(_ text: String) throws -> World {
        let trigger = EventTrigger(.exchange, nth: 1)
        var world = World(seed: 7, plan: FaultPlan([.init(try fault(text), when: trigger)]), trace: Trace())
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        return world
    }

    @Test(arguments: [("4", 4), ("10", 10)])
    func `is selected with a UID of another length, and is read as before`(word: String, count: Int) throws {
        var world = try world("a3.uid_length length=\(word)")
        let found = world.selectTypeA(.wupa, waiting: Self.patience)
        let tag = try #require(found)
        #expect(tag.uid.bytes.count == count)
        #expect(tag.atqa.uidByteCount == count)
        #expect(tag.uid.bytes.prefix(4) == NTAGDefinition.sampleUID.prefix(4))
        let read = RFFrame(.typeA106, ReadPages.Request(page: 0).bytes)
        #expect(world.exchangeWithOneCard(read, waiting: Self.patience)?.bytes.count == ReadPages.Response.length)
        #expect(world.cards[0].isMemoryUnchanged)
    }

    @Test func `has a different UID for each call`() throws {
        var world = try world("a3.random_uid")
        let uids = (0..<4).compactMap { _ in world.selectTypeA(.wupa, waiting: Self.patience)?.uid }
        #expect(Set(uids).count == 4)
        #expect(uids.allSatisfy { $0.bytes.count == 4 && $0.bytes[0] == 0x08 })
    }

    @Test func `is found by a reader that retries the call`() throws {
        var world = try world("a3.sleepy")
        #expect(world.selectTypeA(.wupa, waiting: Self.patience)?.uid.bytes == NTAGDefinition.sampleUID)
    }

    @Test func `is found only by WUPA if it does not respond to REQA`() throws {
        var world = try world("a3.sleepy answers=wupa_only")
        #expect(world.selectTypeA(.reqa, waiting: Self.patience) == nil)
        #expect(world.selectTypeA(.wupa, waiting: Self.patience) != nil)
    }

    @Test(arguments: ["a3.bcc", "a3.no_sak", "a3.sak", "rf.bad_parity", "rf.bad_crc"])
    func `is not selected if its selection is disturbed`(name: String) throws {
        let kind = try #require(FaultCatalogue.named(name))
        let commands = ["a3.wupa", "a3.anticollision", "a3.select"].compactMap(CommandName.init)
        for command in commands where kind.scope.fits(command) {
            let nth = command.rawValue == "a3.select" ? 2 : 1
            let plan = FaultPlan([.init(Fault(kind), when: .command(command, nth: nth))])
            var world = World(seed: 1, plan: plan)
            world.add(NTAGCard(SampleTags.t0()), named: "tag")
            world.tap("tag")
            #expect(world.selectTypeA(.wupa, waiting: Self.patience) == nil, "\(command)")
        }
    }
}
