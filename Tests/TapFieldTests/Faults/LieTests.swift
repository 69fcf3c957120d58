import TapCards
import TapWire
import Testing

@testable import TapField

/// Lies: faults that apply to every exchange they fit.
@Suite struct `A lie` {
    private func world(injecting name: String) throws -> World {
        let lie = try #require(FaultCatalogue.lie(named: name))
        var world = World(seed: 1, plan: FaultPlan(lie.entries), trace: Trace())
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        return world
    }

    private func exchange(_ world: inout World, _ bytes: [UInt8]) -> [UInt8] {
        guard case .frame(let frame, _) = world.exchange(RFFrame(.typeA106, bytes), waiting: .milliseconds(20)) else {
            return []
        }
        return frame.bytes
    }

    private func pages(_ world: inout World, from page: UInt8) -> [UInt8] {
        exchange(&world, ReadPages.Request(page: page).bytes)
    }

    @Test func `has a unique name in the family of its commands`() {
        let names = FaultCatalogue.lies.map(\.name)
        #expect(Set(names).count == names.count && names.count >= 30)
        for lie in FaultCatalogue.lies {
            let families = Set(lie.commands.map(\.layer.rawValue))
            let family = lie.name.prefix { $0 != "." }
            #expect(!lie.commands.isEmpty && (families == [String(family)] || family == "app"), "\(lie.name)")
        }
    }

    @Test func `applies to every exchange it fits, and is not unmet in a run without one`() throws {
        var honest = try world(injecting: "felica.idm")
        let truth = pages(&honest, from: 4)
        #expect(honest.plan.unmet.isEmpty && honest.plan.tallies.allSatisfy(\.injected.isEmpty))
        var world = try world(injecting: "ntag.other_data")
        for _ in 0..<3 { #expect(pages(&world, from: 4) == truth.map { ~$0 }) }
        #expect(world.plan.tallies.flatMap(\.injected).count == 3)
        #expect(world.plan.unmet.isEmpty)
    }

    @Test func `with stale answers starts with the second read`() throws {
        var world = try world(injecting: "ntag.stale")
        let first = pages(&world, from: 0)
        #expect(pages(&world, from: 4) == first && pages(&world, from: 8) == first)
        var honest = try self.world(injecting: "ntag.counter")
        #expect(pages(&honest, from: 0) == first && pages(&honest, from: 4) != first)
    }

    @Test func `about a lost write is visible only if the data is read back`() throws {
        var world = try world(injecting: "ntag.lost_write")
        let before = pages(&world, from: 4)
        let write = WritePage.Request(page: 4, data: PageData(1, 2, 3, 4)).bytes
        #expect(exchange(&world, write) == Acknowledgement.ack.bytes)
        #expect(pages(&world, from: 4) == before)
    }

    @Test func `about card contents applies once, and only to cards with such contents`() throws {
        let lie = try #require(FaultCatalogue.lie(named: "app.balance"))
        let tag = NTAGCard(try NTAGDefinition(.ntag215, uid: try #require(UID(NTAGDefinition.sampleUID))))
        #expect(!lie.fits(tag))
        #expect(lie.entries.count == 1 && lie.entries[0].times == IntegerRange(0, through: 1))
    }
}
