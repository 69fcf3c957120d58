import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire
import Testing

@Suite struct `The systematic phase` {
    /// A world after a client has searched for a tag, read it twice and failed once.
    private func world() throws -> World {
        var world = World(seed: 1, plan: FaultPlan(keepsCalls: true), trace: Trace())
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.wupa, waiting: .milliseconds(5))
        let read = RFFrame(.typeA106, ReadPages.Request(page: 4).bytes)
        _ = world.exchange(read, waiting: .milliseconds(5))
        _ = world.exchange(read, waiting: .milliseconds(5))
        world.remove("tag")
        _ = world.exchange(read, waiting: .milliseconds(5))
        return world
    }

    @Test func `omits impossible faults, and names faults that are never tried`() throws {
        let kinds = try kinds("rf.unheard", "ntag.nak", "app.text_utf8")
        #expect(SystematicPhase(of: try world(), kinds).untried == ["app.text_utf8"])
        let phase = SystematicPhase(of: try world(), kinds) { $0.fault.kind.name == "ntag.nak" }
        #expect(phase.untried == ["rf.unheard", "app.text_utf8"])
        #expect(!phase.runs.isEmpty && phase.runs.allSatisfy { $0.fault.kind.name == "ntag.nak" })
    }

    private func kinds(_ names: String...) throws -> [FaultKind] {
        try names.map { try #require(FaultCatalogue.named($0)) }
    }

    @Test func `tries every fault at every exchange where it applies, in order`() throws {
        let phase = SystematicPhase(of: try world(), try kinds("rf.unheard", "ntag.nak"))
        #expect(phase.places.map(\.operation).suffix(3) == ["ntag.read", "ntag.read", "ntag.read"])
        #expect(phase.places.suffix(3).map(\.nth) == [1, 2, 3])
        let first = phase.places.count - 2
        // Without a card, no command can go unheard.
        #expect(phase.runs.filter { $0.fault.kind.name == "rf.unheard" }.map(\.place) == phase.places.dropLast())
        #expect(
            phase.runs.filter { $0.fault.kind.name == "ntag.nak" }.map(\.name) == [
                "ntag.nak@\(first)", "ntag.nak@\(first + 1)",
            ])
    }

    @Test func `includes all faults of a run that is requested by name`() throws {
        let name = "rf.silence@7+felica.cyclic_shift:count=2@9+ntag.nak@11"
        let selection = try RunSelection(only: [name])
        #expect(selection.kinds.map(\.name) == ["rf.silence", "felica.cyclic_shift", "ntag.nak"])
        let phase = SystematicPhase(of: try world(), selection.kinds)
        let named = selection.named(alongside: phase)
        #expect(selection.runs(of: phase).isEmpty && named.runs.map(\.name) + named.problems.map(\.name) == [name])
    }

    @Test func `consists of the runs of all parts`() throws {
        let phase = SystematicPhase(of: try world(), try kinds("rf.unheard", "ntag.nak", "rf.silence"))
        let parts = try (1...3).map { number in
            try RunSelection(of: #require(Shard("\(number)/3"))).runs(of: phase).map(\.name)
        }
        let all = RunSelection.all.runs(of: phase).map(\.name)
        #expect(parts.joined().sorted() == all.sorted() && parts.allSatisfy { !$0.isEmpty })
    }

    @Test func `runs each fault once first`() throws {
        let phase = SystematicPhase(of: try world(), try kinds("rf.unheard", "ntag.nak", "rf.silence"))
        let order = SystematicPhase.order(of: phase.runs)
        #expect(Set(order) == Set(phase.runs.indices))
        let made = order.map { phase.runs[$0] }
        #expect(made.prefix(3).map(\.fault.kind.name) == ["rf.unheard", "ntag.nak", "rf.silence"])
        for name in Set(made.map(\.fault.kind.name)) {
            let numbers = made.filter { $0.fault.kind.name == name }.map(\.place.number)
            #expect(numbers == numbers.sorted(), "\(name)")
        }
    }

    @Test func `plans the same runs each time`() throws {
        let kinds = FaultCatalogue.all
        #expect(SystematicPhase(of: try world(), kinds) == SystematicPhase(of: try world(), kinds))
        #expect(Set(SystematicPhase(of: try world(), kinds).runs.map(\.name)).count > 20)
    }

    @Test func `applies service faults only to calls`() throws {
        let phase = SystematicPhase(of: try world(), try kinds("pcsc.return_code"))
        #expect(phase.runs.isEmpty)
        let place = try #require(FaultLocation.all(of: [.connect, .transmit, .transmit]).last)
        #expect(place.name == "c3")
        #expect(place.nth == 2)
        #expect(place.admits(try #require(FaultCatalogue.named("pcsc.return_code"))))
        #expect(!place.admits(try #require(FaultCatalogue.named("rf.silence"))))
    }

    @Test func `omits phone faults, because its runs have no phone`() throws {
        let kinds = FaultCatalogue.all.filter { $0.family == "phone" }
        #expect(kinds.count == 9)
        #expect(SystematicPhase(of: try world(), kinds).runs.isEmpty)
    }

    @Test func `targets a specific exchange in each run`() throws {
        let phase = SystematicPhase(of: try world(), try kinds("rf.silence"))
        let run = try #require(phase.runs.last)
        #expect(run.plan.entries.map(\.trigger) == [run.place.trigger])
        #expect(run.place.trigger == .command(try #require(CommandName("ntag.read")), nth: 2))
    }
}
