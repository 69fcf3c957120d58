import TapCards
import TapWire
import TestSupport
import Testing

@testable import TapField

@Suite struct `Every fault` {
    /// A fault of the catalogue with arguments within their bounds.
    private static func fault(_ kind: FaultKind, _ random: inout TestRandom) -> Fault {
        var arguments: [String: FaultValue] = [:]
        for parameter in kind.parameters where random.oneIn(2) {
            arguments[parameter.name] = value(parameter, &random)
        }
        let fix = Fault.Fix.allCases.filter { _ in random.oneIn(4) }
        return Fault(kind, arguments, fix: Set(fix))
    }

    private static func value(_ parameter: FaultParameter, _ random: inout TestRandom) -> FaultValue {
        switch parameter.kind {
        case .integer(let bounds): .integer(random.oneIn(3) ? bounds.upperBound : random.number(bounds))
        case .bytes(let count): .bytes(random.bytes(random.number(count)))
        case .duration: .time(.duration(.microseconds(random.number(below: 20_000))))
        case .timeAmount: .time(random.oneIn(2) ? .percent(random.number(0...300)) : .duration(.milliseconds(3)))
        case .share(let bounds): .time(.percent(random.number(bounds)))
        case .keyword(let words): .keyword(random.pick(words))
        case .flag: .flag(random.oneIn(2))
        case .card: .keyword("tag")
        }
    }

    /// A frame that a reader may send, valid or not, mostly addressed to a card that answers.
    private static func command(_ random: inout TestRandom) -> RFFrame {
        let idm = IDm(0x0101_0A10_2030_4050)
        let blocks = random.list(upTo: 14) { BlockListElement(blockNumber: UInt16($0.number(below: 22))) }
        let services = [NodeCode(random.pick([0x090F, 0x100B, 0x104F, 0x1091, 0x1234]))]
        let bytes: [UInt8]
        switch random.number(below: 14) {
        case 0: bytes = Polling.Request(systemCode: .any, requestCode: .init(random.byte() & 3)).bytes
        case 1: bytes = ReadWithoutEncryption.Request(idm: idm, services: services, blocks: blocks).bytes
        case 2: bytes = RequestService.Request(idm: idm, nodes: services).bytes
        case 3: bytes = SearchServiceCode.Request(idm: idm, index: UInt16(random.number(below: 40))).bytes
        case 4: bytes = RequestCodeList.Request(idm: idm, area: .root, packetIndex: random.any()).bytes
        case 5: bytes = RequestSystemCode.Request(idm: idm).bytes
        case 6: bytes = random.bytes(random.number(0...20))
        case 7: return RFFrame(.typeA106, random.bytes(random.number(1...18)))
        case 8: return RFFrame(.typeA106, FastRead.Request(first: random.byte() & 7, last: random.byte()).bytes)
        case 9: return RFFrame(.typeA106, WritePage.Request(page: random.byte() & 0x8F, data: .zero).bytes)
        case 10:
            return RFFrame(
                .typeA106, PasswordAuthentication.Request(password: .init(repeatElement(0xFF, count: 4))).bytes)
        case 11: return RFFrame(.typeA106, random.pick([[0x60], [0x39, 0x02], [0x3C, 0x00], [0x50, 0x00]]))
        default: return RFFrame(.typeA106, ReadPages.Request(page: random.byte()).bytes)
        }
        return RFFrame(random.pick([.felica212, .felica424]), bytes)
    }

    /// A world with both cards, frequently injected faults and random exchanges.
    private static func run(_ kinds: [FaultKind], exchanges: Int, _ random: inout TestRandom) throws -> World {
        let plan = FaultPlan(
            kinds.map { kind in
                FaultPlan.Entry(fault(kind, &random), when: EventTrigger(.exchange), times: .always)
            })
        var world = World(seed: 7, plan: plan, trace: Trace())
        world.add(try CardS.card(), named: "card")
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag")
        world.tap("card")
        world.tap("tag")
        for number in 0..<exchanges {
            if number % 3 == 0 { _ = world.selectTypeA(.reqa, waiting: .milliseconds(5)) }
            _ = world.exchangeWithOneCard(command(&random), waiting: .milliseconds(20))
        }
        return world
    }

    @Test func `causes no trap with any valid arguments, whatever is sent`() throws {
        var random = TestRandom()
        for kind in FaultCatalogue.all {
            for _ in 0..<TestScale.count(4) {
                let world = try Self.run([kind], exchanges: 24, &random)
                #expect(world.exchangeCount >= 24, "seed \(TestSeed.value), \(kind.name)")
            }
        }
    }

    @Test func `causes no trap in combination with others`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(60) {
            let kinds = (0..<4).map { _ in random.pick(FaultCatalogue.all) }
            let world = try Self.run(kinds, exchanges: 20, &random)
            #expect(world.exchangeCount >= 20, "seed \(TestSeed.value), \(kinds.map(\.name))")
        }
    }

    @Test func `gives the same trace for the same commands`() throws {
        for kind in FaultCatalogue.all {
            var (first, second) = (TestRandom(kind.name), TestRandom(kind.name))
            let worlds = (try Self.run([kind], exchanges: 12, &first), try Self.run([kind], exchanges: 12, &second))
            #expect(worlds.0.trace.events == worlds.1.trace.events, "seed \(TestSeed.value), \(kind.name)")
        }
    }

    @Test func `has default values that are valid for their parameters`() {
        for kind in FaultCatalogue.all {
            for parameter in kind.parameters {
                guard let standard = parameter.standard else { continue }
                #expect(Self.allows(parameter.kind, standard), "\(kind.name) \(parameter.name)")
            }
        }
    }

    private static func allows(_ kind: FaultParameter.Kind, _ value: FaultValue) -> Bool {
        switch (kind, value) {
        case (.integer(let bounds), .integer(let number)): bounds.contains(number)
        case (.bytes(let count), .bytes(let bytes)): count.contains(bytes.count)
        case (.duration, .time(.duration)), (.timeAmount, .time), (.flag, .flag), (.card, .keyword): true
        case (.share(let bounds), .time(.percent(let share))): bounds.contains(share)
        case (.keyword(let words), .keyword(let word)): words.contains(word)
        default: false
        }
    }
}
