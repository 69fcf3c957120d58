import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa block access` {
    private static let idm = CardS.definition.idm

    private static func write(
        _ services: [UInt16], _ blocks: [BlockListElement], _ data: [BlockData]
    ) -> WriteWithoutEncryption.Request {
        .init(idm: idm, services: services.map(NodeCode.init), blocks: blocks, data: data)
    }

    private static func read(_ services: [UInt16], _ blocks: [BlockListElement]) -> ReadWithoutEncryption.Request {
        .init(idm: idm, services: services.map(NodeCode.init), blocks: blocks)
    }

    private static func block(_ byte: UInt8) -> BlockData { BlockData(SIMD16(repeating: byte)) }

    private static func element(_ order: UInt8, _ number: UInt16, mode: UInt8 = 0) -> BlockListElement {
        BlockListElement(serviceOrder: order, accessMode: mode, blockNumber: number)
    }

    private static func card(_ switches: (String, String)...) throws -> FeliCaCard {
        var profile = FeliCaProfile()
        for (name, value) in switches { try profile.set(name, to: value) }
        return try CardS.card(profile)
    }

    // MARK: Counts

    @Test(arguments: [("A1", 0xA1), ("A2", 0xA2)] as [(String, UInt8)])
    func `the chip decides which of two exceeded limits it reports`(_ value: String, _ flag2: UInt8) throws {
        var card = try Self.card(("countErrorPreference", value))
        let both = Self.read(Array(repeating: 0x090F, count: 17), Array(repeating: Self.element(0, 0), count: 13))
        #expect(try card.answer(ReadWithoutEncryption.self, both)?.status == StatusFlags(0xFF, flag2))
    }

    @Test func `a count over its limit is reported even if the lists are cut off`() throws {
        var card = try Self.card()
        #expect(try card.answer(hex: "0E0601010A1020304050110F0901") == compact("0C07 01010A1020304050 FFA1"))
        #expect(try card.answer(hex: "0E0601010A1020304050010F09FF") == compact("0C07 01010A1020304050 FFA2"))
        #expect(try card.answer(hex: "0D0601010A1020304050020F09") == "-")
    }

    // MARK: Lists

    @Test func `a card that requires ascending lists rejects services and elements out of order`() throws {
        var card = try Self.card(("requireAscendingLists", "true"))
        let ascending = Self.read([0x008B, 0x090F], [Self.element(0, 0), Self.element(1, 3), Self.element(1, 3)])
        #expect(try card.answer(ReadWithoutEncryption.self, ascending)?.status == .success)
        let elements = Self.read([0x008B, 0x090F], [Self.element(1, 0), Self.element(0, 0)])
        #expect(try card.answer(ReadWithoutEncryption.self, elements)?.status == StatusFlags(2, .accessDenied))
        let services = Self.read([0x090F, 0x008B], [Self.element(0, 0)])
        #expect(try card.answer(ReadWithoutEncryption.self, services)?.status == StatusFlags(2, .accessDenied))
    }

    @Test(
        arguments: [(0x0040, StatusFlag2.wrongAttribute), (0x120B, .targetMissing), (0x0048, .accessDenied)]
            as [(UInt16, StatusFlag2)])
    func `an eager card checks services that no element refers to`(_ code: UInt16, _ reason: StatusFlag2) throws {
        var card = try Self.card(("serviceListCheck", "eager"))
        let request = Self.read([0x090F, code], [Self.element(0, 0)])
        #expect(try card.answer(ReadWithoutEncryption.self, request)?.status == StatusFlags(2, reason))
    }

    @Test(arguments: 0..<12)
    func `status flag 1 gives the error location in the form of the chip`(_ index: Int) throws {
        let forms: [(String, UInt8)] = [
            ("ordinal", UInt8(index + 1)), ("bitmap", 1 << UInt8(index % 8)), ("flag", 0xFF),
        ]
        for (form, flag1) in forms {
            var card = try Self.card(("statusLocation", form))
            let blocks = (0..<12).map { Self.element(0, $0 == index ? 20 : 0) }
            let status = try card.answer(ReadWithoutEncryption.self, Self.read([0x090F], blocks))?.status
            #expect(status == StatusFlags(flag1, .blockNumber), "\(form)")
        }
    }

    @Test func `a service with a PIN is listed but cannot be read without a session`() throws {
        var definition = CardS.definition
        definition.systems[1].services.append(FeliCaServiceDefinition(NodeCode(0x1429), blocks: [.zero]))
        var card = try FeliCaCard(definition)
        let idm = definition.idm.ofSystem(1)
        let search = SearchServiceCode.Request(idm: idm, index: 4)
        #expect(try card.answer(SearchServiceCode.self, search)?.node == NodeCode(0x1429))
        let read = ReadWithoutEncryption.Request(
            idm: idm, services: [NodeCode(0x1429)], blocks: [Self.element(0, 0)])
        #expect(try card.answer(ReadWithoutEncryption.self, read)?.status == StatusFlags(1, .accessDenied))
    }

    @Test(arguments: ["missing service", "block number", "service order", "access mode", "none"])
    func `a list that ends too early or too late gets no answer, regardless of its elements`(
        _ error: String
    ) throws {
        let first =
            switch error {
            case "missing service": Self.element(1, 0)
            case "block number": Self.element(0, 20)
            case "service order": Self.element(2, 0)
            case "access mode": Self.element(0, 0, mode: 1)
            default: Self.element(0, 0)
            }
        let packet = Self.read([0x090F, 0x120B], [first, Self.element(0, 1), Self.element(0, 0x100)]).bytes
        func mended(_ packet: some Sequence<UInt8>) -> String {
            var packet = Array(packet)
            packet[0] = UInt8(packet.count)
            return Hex.text(packet)
        }
        for trailing in ["ignore", "silence"] {
            var card = try Self.card(("trailingBytes", trailing))
            let whole = try card.answer(hex: mended(packet))
            #expect(whole.hasPrefix("0C07"), "the whole packet must get an error answer")
            for missing in 1...6 {
                #expect(try card.answer(hex: mended(packet.dropLast(missing))) == "-", "\(missing) missing")
            }
            #expect(try card.answer(hex: mended(packet + [0x80])) == (trailing == "ignore" ? whole : "-"))
        }
    }

    /// With lists of neighbouring blocks, of both element lengths, of several services, and with blocks out of range.
    @Test func `a read returns the blocks that its elements name, or the first error`() throws {
        var definition = CardS.definition
        let many = (0..<300).map { BlockData([UInt8($0 & 0xFF), UInt8($0 >> 8)]) }
        definition.systems[0].services.append(FeliCaServiceDefinition(NodeCode(0x300B), blocks: many))
        var card = try FeliCaCard(definition)
        let services: [UInt16] = [0x300B, 0x090F, 0x120B]
        let blocks = services.map { card.blocks(of: NodeCode($0), in: .transit) }
        var random = TestRandom("reads")
        for _ in 0..<TestScale.count(2_000) {
            var order: UInt8 = 0
            let elements = random.list(upTo: 12) { random in
                if random.number(below: 4) == 0 { order = UInt8(random.pick([0, 0, 1, 1, 2, 3])) }
                return BlockListElement(
                    serviceOrder: order, accessMode: random.number(below: 40) == 0 ? 1 : 0,
                    blockNumber: UInt16(random.number(below: random.pick([10, 20, 300, 301]))),
                    isLong: random.number(below: 6) == 0)
            }
            guard !elements.isEmpty else { continue }
            var expected = ReadWithoutEncryption.Response(idm: Self.idm)
            for (index, element) in elements.enumerated() where expected.status.isSuccess {
                let place = UInt8(index + 1)
                if element.serviceOrder >= services.count {
                    expected.status = StatusFlags(place, .serviceOrder)
                } else if element.accessMode != 0 {
                    expected.status = StatusFlags(place, .accessMode)
                } else if let content = blocks[Int(element.serviceOrder)] {
                    if Int(element.blockNumber) < content.count {
                        expected.blocks.append(content[Int(element.blockNumber)])
                    } else {
                        expected.status = StatusFlags(place, .blockNumber)
                    }
                } else {
                    expected.status = StatusFlags(place, .targetMissing)
                }
            }
            if !expected.status.isSuccess { expected.blocks = [] }
            let answer = try card.answer(ReadWithoutEncryption.self, Self.read(services, elements))
            #expect(answer == expected, "\(elements), seed \(TestSeed.value)")
        }
    }

    // MARK: All or nothing

    @Test func `a write whose last element is rejected stores nothing`() throws {
        let refused: [(UInt16, BlockListElement, BlockData)] = [
            (0x1009, Self.element(1, 9), .zero), (0x100B, Self.element(1, 0), .zero),
            (0x0048, Self.element(1, 0), .zero),
            (0x1009, Self.element(2, 0), .zero), (0x104D, Self.element(1, 1), .zero),
            (0x1009, Self.element(1, 0, mode: 3), .zero),
            (0x1095, Self.element(1, 1), Self.block(0xFF)), (0x1091, Self.element(1, 0), Self.block(0xFF)),
        ]
        for (service, element, data) in refused {
            var card = try CardS.card()
            let before = card
            let request = Self.write([0x1009, service], [Self.element(0, 0), element], [Self.block(0x77), data])
            let status = try #require(try card.answer(WriteWithoutEncryption.self, request)?.status)
            #expect(!status.isSuccess && status.flag1 == 2, "\(service), \(element)")
            #expect(card == before)
        }
    }

    @Test func `failing memory stores nothing and reports it`() throws {
        var card = try CardS.card()
        let before = card
        let request = Self.write([0x1009], [Self.element(0, 0)], [Self.block(0x77)])
        let status = try card.answer(WriteWithoutEncryption.self, request, memoryFails: true)?.status
        #expect(status == StatusFlags(.memoryError))
        #expect(card == before)
        #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == .success)
    }

    @Test(arguments: ["00", "FF"])
    func `worn memory stores data and reports a warning`(_ flag1: String) throws {
        var definition = CardS.definition
        definition.rewriteLimit = 2
        try definition.profile.set("warning71Flag1", to: flag1)
        var card = try FeliCaCard(definition)
        let flags = try (UInt8(1)...3).map { byte in
            let request = Self.write([0x1009], [Self.element(0, 0)], [Self.block(byte)])
            return try card.answer(WriteWithoutEncryption.self, request)?.status
        }
        #expect(flags == [.success, .success, StatusFlags(try Hex.bytes(flag1)[0], .rewriteWarning)])
        #expect(card.blocks(of: NodeCode(0x1009), in: .transit)?[0] == Self.block(3))
    }

    // MARK: Random and cyclic

    @Test func `the last of two elements for a block wins, even through overlap services`() throws {
        var card = try CardS.card()
        let request = Self.write(
            [0x1009, 0x1009], [Self.element(0, 2), Self.element(1, 2)], [Self.block(1), Self.block(2)])
        #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x100B), in: .transit)?[2] == Self.block(2))
    }

    @Test func `consecutive elements for a cyclic service are a single push, others are separate pushes`() throws {
        var card = try CardS.card()
        let request = Self.write(
            [0x104D, 0x1009], [Self.element(0, 0), Self.element(1, 0), Self.element(0, 0)],
            [Self.block(4), Self.block(9), Self.block(5)])
        #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x104F), in: .transit) == [5, 4, 3].map(Self.block))
    }

    @Test func `repeating a push of several blocks changes nothing, unless the last block differs`() throws {
        var card = try CardS.card()
        let newest = Self.write([0x104D], [Self.element(0, 0), Self.element(0, 0)], [Self.block(3), Self.block(2)])
        #expect(try card.answer(WriteWithoutEncryption.self, newest)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x104D), in: .transit) == [3, 2, 1].map(Self.block))
        let other = Self.write([0x104D], [Self.element(0, 0), Self.element(0, 0)], [Self.block(3), Self.block(9)])
        #expect(try card.answer(WriteWithoutEncryption.self, other)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x104D), in: .transit) == [3, 9, 3].map(Self.block))
    }

    @Test func `a cyclic service accepts as many blocks as it has, and reports the first block over that`() throws {
        var card = try CardS.card()
        let elements = Array(repeating: Self.element(1, 0), count: 3)
        let full = Self.write([0x1009, 0x104D], elements, [7, 8, 9].map(Self.block))
        #expect(try card.answer(WriteWithoutEncryption.self, full)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x104F), in: .transit) == [7, 8, 9].map(Self.block))
        let tooMany = Self.write(
            [0x1009, 0x104D], [Self.element(0, 0)] + elements + [Self.element(1, 0)], [1, 2, 3, 4, 5].map(Self.block))
        #expect(try card.answer(WriteWithoutEncryption.self, tooMany)?.status == StatusFlags(2, .cyclicOverflow))
    }

    // MARK: Copies

    @Test func `a copy of a card is independent`() throws {
        var card = try CardS.card()
        let pristine = card
        let request = Self.write([0x1009], [Self.element(0, 0)], [Self.block(0x77)])
        #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == .success)
        var copy = card
        #expect(copy == card && copy.hashValue == card.hashValue && copy.hasSameMemory(as: card))
        #expect(card != pristine && !card.hasSameMemory(as: pristine))
        let other = Self.write([0x1009], [Self.element(0, 1)], [Self.block(0x78)])
        #expect(try copy.answer(WriteWithoutEncryption.self, other)?.status == .success)
        #expect(card.blocks(of: NodeCode(0x1009), in: .transit)?[1] != Self.block(0x78))
        #expect(pristine == (try CardS.card()))
        #expect(Set([card, copy, pristine, try CardS.card()]).count == 3)
    }

    @Test func `wear counts as memory only on a card with a rewrite limit`() throws {
        var definition = CardS.definition
        let request = Self.write([0x1009], [Self.element(0, 0)], [BlockData(0xA0...0xAF)])
        for (limit, isSame) in [(nil, true), (10, false)] as [(UInt32?, Bool)] {
            definition.rewriteLimit = limit
            var card = try FeliCaCard(definition)
            let before = card
            #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == .success)
            #expect(
                card.blocks(of: NodeCode(0x1009), in: .transit) == before.blocks(of: NodeCode(0x1009), in: .transit))
            #expect(card.hasSameMemory(as: before) == isSame)
        }
    }

    @Test func `the current system does not count as memory`() throws {
        var card = try CardS.card()
        let before = card
        #expect(try card.answer(hex: "0600FE000000") != "-")
        #expect(card != before && card.hasSameMemory(as: before))
    }
}
