import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// Requests of hosts to readers that do not cause a frame.
@Suite struct `Commands without a frame` {
    private static func world(_ trace: Trace = Trace(), plan: FaultPlan = FaultPlan()) -> World {
        var world = World(seed: 1, plan: plan, trace: trace)
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        return world
    }

    private static func calls(_ world: World) -> [String] {
        world.trace.entries.compactMap(\.call).map { entry in
            "\(entry.exchange) \(entry.call.layer) \(Hex.text(entry.call.command)) \(entry.call.outcome)"
                + (entry.call.isRefused ? " refused" : "")
        }
    }

    @Test func `are recorded in order, while commands with frames are covered by their frames`() throws {
        var world = Self.world()
        var reader = ReaderModel.storageCard.makeReader()
        _ = reader.look(in: &world)
        let found = world.exchangeCount
        _ = reader.carry([0xFF, 0xA4, 0, 1, 2, 0x0F, 0x09], in: &world)
        _ = reader.carry([0xFF, 0xB0, 0, 4, 16], in: &world)
        _ = reader.carry([0xFF, 0xCA, 0, 0, 0], in: &world)
        _ = reader.carry(ControlCode.escape.rawValue, [0xFF, 0x00, 0x48, 0, 0], in: &world)
        _ = reader.carry(7, [1], in: &world)
        #expect(
            Self.calls(world) == [
                "\(found) apdu FFA40001020F09 answer([109, 0]) refused",
                "\(found + 1) apdu FFCA000000 answer([4, 162, 59, 92, 109, 126, 128, 144, 0])",
                "\(found + 1) control(\(ControlCode.escape.rawValue)) FF00480000 answer([109, 0]) refused",
                "\(found + 1) control(7) 01 unsupported refused",
            ])
    }

    @Test func `to a PN532 are recorded too`() {
        var world = Self.world()
        var chip = PN532(passiveRetries: 0)
        _ = chip.carry(PN532Packet.Command(.getFirmwareVersion), in: &world)
        _ = chip.carry(PN532Packet.Command(PN532Code(0xFE)), in: &world)
        _ = chip.carry(PN532Packet.Command(.inListPassiveTarget, [1, 0]), in: &world)
        #expect(
            Self.calls(world) == ["0 pn532 D402 answer([213, 3, 50, 1, 6, 7])", "0 pn532 D4FE answer([127]) refused"])
        #expect(!world.hostReading.isNothing)
    }

    @Test func `are not recorded if the trace is off or after the exchange limit`() {
        var world = Self.world(.off)
        var reader = ReaderModel.acr122u.makeReader()
        _ = reader.carry([0xFF, 0xA4, 0, 1, 2, 0x0F, 0x09], in: &world)
        #expect(world.trace.events.isEmpty)
        world = Self.world()
        _ = reader.look(in: &world)
        world.exchangeLimit = world.exchangeCount
        _ = reader.carry([0xFF, 0xB0, 0, 4, 16], in: &world)
        for _ in 0..<100 { _ = reader.carry([0xFF, 0xA4, 0, 1, 2, 0x0F, 0x09], in: &world) }
        #expect(world.isExhausted && Self.calls(world).isEmpty)
    }

    @Test func `do not count for faults, which are injected in the same exchange with and without them`() throws {
        let fault = Fault(try #require(FaultCatalogue.named("rf.silence")))
        let worlds = try [false, true].map { hasCalls in
            let trigger = EventTrigger.command(try #require(CommandName("ntag.read")), nth: 2)
            var world = Self.world(plan: FaultPlan([.init(fault, when: trigger)]))
            var reader = ReaderModel.storageCard.makeReader()
            _ = reader.look(in: &world)
            for _ in 0..<3 {
                if hasCalls { _ = reader.carry([0xFF, 0xA4, 0, 1, 2, 0x0F, 0x09], in: &world) }
                _ = reader.carry([0xFF, 0xB0, 0, 4, 16], in: &world)
            }
            return world
        }
        #expect(worlds[0].plan.tallies == worlds[1].plan.tallies && !worlds[0].plan.tallies[0].injected.isEmpty)
        #expect(worlds[0].trace.exchanges == worlds[1].trace.exchanges)
    }

    /// Commands, and whether they give the host any data from its card.
    static let readings = [
        (["FFCA000000"], true), (["FFB0000410"], true), (["FFD600040401020304"], true), (["FFA40001020F09"], false),
        (["FF00480000"], false), (["FFCA010000"], false), ([], false),
        // Every command after discovery was refused.
        (["FFCA000000", "FFA40001020F09"], false), (["FFCA000000", "FFB000FF10"], false),
        (["FFA40001020F09", "FFB0000410"], true),
        // Lights, sounds and reader settings do not involve the card.
        (["FFCA000000", "FF00520000"], true), (["FFCA000000", "FF00480000", "FFCA010000"], true),
    ]

    @Test(arguments: readings) func `show whether a host got any data from its card`(commands: [String], hasRead: Bool)
        throws
    {
        var world = Self.world()
        var reader = ReaderModel.storageCard.makeReader()
        _ = reader.look(in: &world)
        #expect(world.exchangeCount > 0 && world.hostReading == HostReading(), "the reader's own search must not count")
        for command in commands { _ = reader.carry(try Hex.bytes(command), in: &world) }
        #expect(world.hostReading.isNothing == !hasRead)
    }
}
