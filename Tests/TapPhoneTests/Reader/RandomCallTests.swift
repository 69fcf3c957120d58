import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `A phone with random calls` {
    private static let engines: [@Sendable () throws -> any CardEngine] = [
        { try PhoneCards.talkative() }, { NTAGCard(SampleTags.t0()) }, { NTAGCard(SampleTags.t1()) },
        { try PhoneCards.type3([0xD0, 0, 0]) },
        { NTAGCard(NTAGPreset.emptyCapabilityContainer.applied(to: SampleTags.t0())) },
    ]

    /// Faults of a card or the field, with default arguments.
    private static let faults = FaultCatalogue.all.filter { kind in
        ["rf.", "a3.", "felica.", "ntag."].contains { kind.name.hasPrefix($0) }
    }

    /// The error numbers of a phone's reader; the others belong to sessions.
    private static let codes: Set<Int> = [1, 2, 3, 4, 5, 100, 102, 104, 105, 400, 401, 402, 403]

    @Test func `fails only with errors, and finds the card again without faults`() throws {
        var random = TestRandom()
        for round in 0..<TestScale.count(400) {
            let engine = try random.pick(Self.engines)()
            var bench = PhoneBench([("card", engine)], plan: Self.plan(&random))
            for _ in 0..<12 {
                if bench.tags.isEmpty || random.oneIn(4) { bench.look() }
                if let tag = bench.tags.first {
                    if random.oneIn(2) { _ = bench.code { try $0.reader.connect(to: tag, in: &$0.world) } }
                    let code = bench.code { try Self.call(&$0, tag, &random) }
                    #expect(code.map(Self.codes.contains) ?? true, "round \(round): error \(code ?? 0)")
                    _ = bench.reader.isAvailable(tag, in: bench.world)
                }
            }
            // A card that a fault has changed permanently keeps its answers, so the original card is used again.
            var world = World(seed: 1, trace: Trace())
            world.add(engine, named: "card")
            world.tap("card")
            bench.world = world
            #expect(bench.look().count == 1, "round \(round)")
            try bench.connect()
            #expect(bench.reader.isAvailable(bench.tag, in: bench.world), "round \(round)")
        }
    }

    private static func plan(_ random: inout TestRandom) -> FaultPlan {
        FaultPlan(
            random.list(upTo: 3) { random in
                .init(Fault(random.pick(faults)), when: EventTrigger(.exchange, nth: random.number(1...20)))
            })
    }

    private static func call(_ bench: inout PhoneBench, _ tag: PhoneTag, _ random: inout TestRandom) throws {
        let lists = (codes: list(&random, 2), blocks: list(&random, 2), data: list(&random, 16))
        switch random.number(below: 15) {
        case 0:
            _ = try bench.reader.polling(
                systemCode: random.pick([[0, 3], [0xFE, 0], [0x12, 0xFC], random.bytes(random.number(below: 4))]),
                requestCode: random.byte() & 3, timeSlot: random.pick([0, 1, 3, 15, random.byte()]), of: tag,
                in: &bench.world)
        case 1: _ = try bench.reader.requestService(lists.codes, of: tag, in: &bench.world)
        case 2: _ = try bench.reader.requestServiceV2(lists.codes, of: tag, in: &bench.world)
        case 3, 4:
            _ = try bench.reader.readWithoutEncryption(
                services: random.oneIn(2) ? [[0x0F, 0x09]] : lists.codes, blocks: lists.blocks, of: tag,
                in: &bench.world)
        case 5:
            _ = try bench.reader.writeWithoutEncryption(
                services: lists.codes, blocks: lists.blocks, data: lists.data, of: tag, in: &bench.world)
        case 6:
            let idm = bench.reader.currentIDm(of: tag)
            let packet = [random.byte()] + idm + random.bytes(random.number(below: random.oneIn(8) ? 260 : 20))
            _ = try bench.reader.sendFeliCaCommand(packet, of: tag, in: &bench.world)
        case 7:
            _ = try bench.reader.sendFeliCaCommand(
                random.bytes(random.number(below: 12)), of: tag, in: &bench.world)
        case 8: _ = try bench.reader.requestSystemCode(of: tag, in: &bench.world)
        case 9: _ = try bench.reader.requestSpecificationVersion(of: tag, in: &bench.world)
        case 10:
            let opcode = random.pick([0x30, 0x3A, 0xA2, 0xA0, 0x1B, 0x60, 0x39, 0x3C, 0x50, random.byte()] as [UInt8])
            let packet = [opcode] + random.bytes(random.number(below: random.oneIn(8) ? 260 : 7))
            _ = try bench.reader.sendMiFareCommand(packet, of: tag, in: &bench.world)
        case 11: _ = try bench.reader.queryNDEFStatus(of: tag, in: &bench.world)
        case 12: _ = try bench.reader.readNDEF(of: tag, in: &bench.world)
        case 13:
            try bench.reader.writeNDEF(random.bytes(random.number(below: 60)), of: tag, in: &bench.world)
        default: try bench.reader.writeLock(of: tag, in: &bench.world)
        }
    }

    /// A list of entries, mostly of the correct length.
    private static func list(_ random: inout TestRandom, _ length: Int) -> [[UInt8]] {
        random.list(upTo: random.oneIn(10) ? 40 : 4) { random in
            var entry = random.bytes(random.oneIn(12) ? random.number(below: 20) : length)
            if length == 2, !entry.isEmpty, random.oneIn(2) { entry[0] = 0x80 }
            return entry
        }
    }
}
