import TapCards
import TapWire
import TestSupport
import Testing

/// Compares cards with models that were written independently of the engine, from the text of the manual.
@Suite struct `FeliCa cards compared with models` {
    // MARK: Request Code List

    @Test func `the packets of Request Code List list each node below an area once`() throws {
        var random = TestRandom("code lists")
        for number in 0..<TestScale.count(60) {
            let directory = Directory(&random)
            var card = try FeliCaCard(directory.definition)
            for parent in directory.areas {
                let answer = try Self.codeList(of: parent.code, &card)
                let inside = { (code: UInt16) in code != parent.code && (parent.code...parent.end).contains(code) }
                let areas = directory.areas.filter { inside($0.code) }.sorted { $0.code < $1.code }
                let services = directory.services.filter(inside).sorted()
                #expect(answer.areas == areas, "card \(number), seed \(TestSeed.value)")
                #expect(answer.services == services, "card \(number), seed \(TestSeed.value)")
                // A packet contains at most 241 bytes of codes, in whole areas.
                let bytes = 4 * areas.count + 2 * services.count
                #expect(answer.packets == max(1, (bytes + 239) / 240), "card \(number), seed \(TestSeed.value)")
            }
        }
    }

    @Test func `Request Code List of a service or a missing node is rejected`() throws {
        var random = TestRandom("no code lists")
        let directory = Directory(&random)
        var card = try FeliCaCard(directory.definition)
        let refusals: [(UInt16, UInt8)] = [(directory.services[0], 0xA4), (0x7FC9, 0xA6)]
        for (node, reason) in refusals {
            let answer = try Self.packet(1, of: node, &card)
            #expect(answer.dropFirst(10) == [0xFF, reason])
        }
        #expect(try Self.packet(9_999, of: 0, &card).dropFirst(10) == [0xFF, 0xA6])
        #expect(try Self.packet(0, of: 0, &card).dropFirst(10) == [0xFF, 0xA6])
    }

    /// The combined answers to packets 1, 2 and so on.
    private static func codeList(
        of area: UInt16, _ card: inout FeliCaCard
    ) throws -> (areas: [Directory.Area], services: [UInt16], packets: Int) {
        var (areas, services, number): ([Directory.Area], [UInt16], UInt16) = ([], [], 0)
        while true {
            number += 1
            let answer = try packet(number, of: area, &card)
            try #require(answer.count > 13 && answer[10] == 0 && answer[11] == 0)
            let areaEnd = 14 + 4 * Int(answer[13])
            let words = { (range: Range<Int>) in
                stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                    UInt16(answer[$0]) | UInt16(answer[$0 + 1]) << 8
                }
            }
            let codes = words(14..<areaEnd)
            areas += stride(from: 0, to: codes.count, by: 2).map { Directory.Area(code: codes[$0], end: codes[$0 + 1]) }
            services += words(areaEnd + 1..<areaEnd + 1 + 2 * Int(answer[areaEnd]))
            try #require(answer.count == areaEnd + 1 + 2 * Int(answer[areaEnd]))
            if answer[12] == 0 { return (areas, services, Int(number)) }
        }
    }

    private static func packet(_ number: UInt16, of area: UInt16, _ card: inout FeliCaCard) throws -> [UInt8] {
        let request = RequestCodeList.Request(idm: Directory.idm, area: NodeCode(area), packetIndex: number)
        var context = CardContext(random: SeededGenerator(seed: 1))
        return try #require(card.answer(request.bytes, context: &context)).bytes
    }

    // MARK: Purses

    @Test(arguments: [nil, PurseLimits(lower: -500, upper: 2_000)])
    func `a purse matches its model after any sequence of writes`(_ limits: PurseLimits?) throws {
        var random = TestRandom("purses \(limits != nil)")
        for number in 0..<TestScale.count(200) {
            var model = PurseModel(value: Int64(random.number(below: 1_000)), limits: limits)
            var card = try model.card()
            for step in 0..<40 {
                let write = PurseModel.Write(&random)
                let expected = model.status(after: write)
                let answer = try card.answer(WriteWithoutEncryption.self, write.request)
                #expect(
                    answer?.status.flag2 == expected,
                    "\(write), card \(number), step \(step), seed \(TestSeed.value)")
                #expect(
                    card.blocks(of: NodeCode(0x0097), in: Directory.system)?.first == model.block,
                    "\(write), card \(number), step \(step), seed \(TestSeed.value)")
            }
        }
    }

    // MARK: Services with a PIN

    @Test(arguments: 0x20...0x3F as ClosedRange<UInt16>)
    func `a service with a PIN needs a session, and other attributes of that range are not services`(
        _ attribute: UInt16
    ) throws {
        let isService = (0x28...0x37).contains(attribute)
        let code = NodeCode(0x0100 | attribute)
        var definition = Directory.empty
        if isService { definition.systems[0].services = [FeliCaServiceDefinition(code, blocks: [.zero])] }
        var card = try FeliCaCard(definition)
        let blocks = [BlockListElement(serviceOrder: 0, blockNumber: 0)]
        let read = try card.answer(
            ReadWithoutEncryption.self,
            ReadWithoutEncryption.Request(idm: Directory.idm, services: [code], blocks: blocks))
        let write = try card.answer(
            WriteWithoutEncryption.self,
            WriteWithoutEncryption.Request(idm: Directory.idm, services: [code], blocks: blocks, data: [.zero]))
        #expect(read?.status == StatusFlags(0x01, isService ? .accessDenied : .wrongAttribute))
        #expect(write?.status == StatusFlags(0x01, isService ? .accessDenied : .wrongAttribute))
    }
}

/// A random card with nested areas, and services inside and outside of them.
private struct Directory {
    struct Area: Hashable {
        let code: UInt16
        let end: UInt16
    }

    static let idm = IDm(0x0101_0A10_2030_4050)
    static let system = SystemCode(0x0003)

    var areas = [Area(code: 0, end: 0xFFFE)]
    var services: [UInt16] = []

    init(_ random: inout TestRandom) {
        let count = random.pick([0, 3, 70])
        var start: UInt16 = 1
        for _ in 0..<count {
            let length = UInt16(2 + random.number(below: 6))
            areas.append(Area(code: start << 6, end: (start + length) << 6 | 0x3F))
            if random.number(below: 3) == 0 { areas.append(Area(code: start << 6 | 1, end: (start + 1) << 6 | 0x3F)) }
            start += length + 1 + UInt16(random.number(below: 3))
        }
        for number in 1..<(start + 8) where services.isEmpty || random.number(below: 3) != 0 {
            services += random.pick([[0x09, 0x0B], [0x0C], [0x13, 0x15, 0x17], [0x2A]]).map { number << 6 | $0 }
        }
    }

    static var empty: FeliCaCardDefinition {
        var profile = FeliCaProfile()
        profile.supportedCommands = .aes.union(.mobile)
        return FeliCaCardDefinition(
            idm: idm, pmm: PMm(0x0118_8B86_8FBE_CBFF), profile: profile,
            systems: [FeliCaSystemDefinition(code: system, areas: [.root()], services: [])])
    }

    var definition: FeliCaCardDefinition {
        var definition = Self.empty
        definition.systems[0].areas = areas.map {
            FeliCaAreaDefinition(NodeCode($0.code), end: NodeCode($0.end))
        }
        definition.systems[0].services = services.map { FeliCaServiceDefinition(NodeCode($0), blocks: [.zero]) }
        return definition
    }
}

/// A purse modelled with integers, from the manual's text on purse services.
private struct PurseModel {
    enum Kind: UInt16, CaseIterable {
        case direct = 0x0091
        case decrement = 0x0095
        case cashback = 0x0093
        case readOnly = 0x0097
    }

    struct Write: CustomStringConvertible {
        let kind: Kind
        let amount: UInt32
        let cashback: UInt32
        let id: UInt32

        init(_ random: inout TestRandom) {
            kind = random.pick([.direct, .decrement, .decrement, .cashback, .cashback, .readOnly])
            amount = random.pick([0, 1, 50, 400, 999, 3_000, 0xFFFF_FFFF, 0xFFFF_FF00])
            cashback = random.pick([0, 1, 50, 400])
            id = UInt32(random.number(below: 6))
        }

        var request: WriteWithoutEncryption.Request {
            let mode: UInt8 = kind == .cashback ? 1 : 0
            return WriteWithoutEncryption.Request(
                idm: Directory.idm, services: [NodeCode(kind.rawValue)],
                blocks: [BlockListElement(serviceOrder: 0, accessMode: mode, blockNumber: 0)],
                data: [PurseModel.block(amount, cashback, 0xAABB_CCDD, id)])
        }

        var description: String { "\(kind) \(amount) \(cashback) \(id)" }
    }

    var value: Int64
    var cashback: UInt32 = 0
    var user: UInt32 = 7
    var id: UInt32 = 0
    let limits: PurseLimits?

    init(value: Int64, limits: PurseLimits?) {
        self.value = value
        self.limits = limits
    }

    /// Performs a write and returns the expected status flag 2.
    mutating func status(after write: Write) -> UInt8 {
        let refusal: UInt8 = limits == nil ? 0x01 : 0x03
        let range = limits.map { Int64($0.lower)...Int64($0.upper) } ?? 0...0xFFFF_FFFF
        switch write.kind {
        case .readOnly: return 0xA5
        case .direct:
            let new = limits == nil ? Int64(write.amount) : Int64(Int32(bitPattern: write.amount))
            if new > value || write.cashback > cashback { return 0xA5 }
            if !range.contains(new) { return refusal }
            (value, cashback, user, id) = (new, write.cashback, 0xAABB_CCDD, write.id)
        case .decrement:
            if write.id == id { return 0 }
            if !range.contains(value - Int64(write.amount)) { return refusal }
            (value, cashback, id) = (value - Int64(write.amount), write.amount, write.id)
        case .cashback:
            if write.id == id { return 0 }
            if write.amount > cashback { return 0x02 }
            if !range.contains(value + Int64(write.amount)) { return refusal }
            (value, cashback, id) = (value + Int64(write.amount), 0, write.id)
        }
        return 0
    }

    var block: BlockData { Self.block(UInt32(truncatingIfNeeded: value), cashback, user, id) }

    func card() throws -> FeliCaCard {
        var definition = Directory.empty
        definition.systems[0].services = Kind.allCases.map { kind in
            FeliCaServiceDefinition(
                NodeCode(kind.rawValue), blocks: [block], purseLimits: limits)
        }
        return try FeliCaCard(definition)
    }

    static func block(_ numbers: UInt32...) -> BlockData {
        BlockData(numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    }
}
