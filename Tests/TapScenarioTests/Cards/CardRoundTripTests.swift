import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TestSupport
import Testing

@Suite struct `The explicit form of a card` {
    @Test func `round-trips any FeliCa card`() throws {
        var random = TestRandom()
        for _ in 0..<200 {
            let ic = random.pick(FeliCaIC.catalogue)
            guard let template = try? FeliCaTemplate(Self.felica(ic, &random)) else { continue }
            let card = CardDefinition.felica(template, ic: ic.name)
            let again = CardDocument.card(card.node, seed: random.any())
            #expect(again.card == card, "seed \(TestSeed.value): \(again.diagnostics.text())")
        }
    }

    @Test func `round-trips any FeliCa Lite`() throws {
        var random = TestRandom()
        for _ in 0..<200 {
            let ic = random.pick(FeliCaLiteIC.catalogue.filter(\.model.hasBlocks))
            let card = CardDefinition.lite(FeliCaLiteTemplate(Self.lite(ic, &random)), ic: ic.name)
            let again = CardDocument.card(card.node, seed: random.any())
            #expect(again.card == card, "seed \(TestSeed.value): \(again.diagnostics.text())")
        }
    }

    @Test func `round-trips any NTAG`() throws {
        var random = TestRandom()
        for _ in 0..<100 {
            let card = CardDefinition.ntag(NTAGTemplate(try Self.tag(&random)))
            let again = CardDocument.card(card.node, seed: random.any())
            #expect(again.card == card, "seed \(TestSeed.value): \(again.diagnostics.text())")
        }
    }

    @Test func `never traps, whatever is changed in it`() throws {
        var random = TestRandom()
        for _ in 0..<400 {
            let template = random.pick(CardLanguage.templates.map(\.name))
            let whole = try #require(CardDocument.card(["template": .text(template)], seed: random.any()).card).node
            _ = CardDocument.card(Self.disturbed(whole, &random), seed: random.any())
            let history: Node = .map(
                Self.historyKeys.map { (key: $0, value: Self.value(&random)) }.shuffled(using: &random))
            let written: Node = [
                "template": .text(template), "trips": Self.value(&random), "balance": Self.value(&random),
                "history": .list([Self.disturbed(history, &random), Self.disturbed(history, &random)]),
            ]
            _ = CardDocument.card(Self.disturbed(written, &random), seed: random.any())
        }
    }

    private static let historyKeys = [
        "date", "time", "kind", "from", "to", "machine", "amount", "balance", "number", "data",
    ]

    private static func felica(_ ic: FeliCaIC, _ random: inout TestRandom) -> FeliCaCardDefinition {
        var card = FeliCaCardDefinition(
            idm: IDm(random.any()), pmm: PMm(random.any()), profile: ic.profile,
            systems: (0...random.number(below: 3)).map { _ in system(&random) })
        card.chip = ic.reports
        if random.oneIn(3) {
            card.container = FeliCaContainer(idm: IDm(random.any()), properties: random.list(upTo: 3) { $0.bytes(2) })
        }
        if random.oneIn(3) { card.productInformation = .init(data: random.bytes(5)) }
        if random.oneIn(3) {
            card.specificationVersion = .init(
                format: random.byte(), basic: .init(random.any()), options: [.init(random.any())])
        }
        if random.oneIn(3) { card.systemStatus = .init(flag: random.byte(), data: random.bytes(3)) }
        if random.oneIn(3) { card.rewriteLimit = random.any() }
        if random.oneIn(2) { card.profile.maxReadBlocks = 1 + random.number(below: 15) }
        if random.oneIn(2) { card.profile.trailingBytes = .silenceFor([.polling, .echo]) }
        return card
    }

    private static func lite(_ ic: FeliCaLiteIC, _ random: inout TestRandom) -> FeliCaLiteDefinition {
        var card = FeliCaLiteDefinition(ic.model, idm: IDm(random.any()), pmm: PMm(random.any()), profile: ic.profile)
        for _ in 0..<random.number(below: 8) { card.pads[random.number(below: 14)] = BlockData(random.bytes(16)) }
        if random.oneIn(2) { card.registers = BlockData(random.bytes(16)) }
        if random.oneIn(2) { card.userID = random.any() }
        if random.oneIn(2) { card.serviceCode = BlockData(random.bytes(16)) }
        if random.oneIn(2) { card.keyVersion = BlockData(random.bytes(16)) }
        if random.oneIn(2) { card.cardKey = BlockData(random.bytes(16)) }
        switch random.number(below: 3) {
        case 0: card.configurationBlock = BlockData(random.bytes(16))
        case 1 where ic.model.hasMACA:
            card.configurationBlock = BlockData(
                [0xFF, random.byte(), 0, 1, 7, 1] + random.bytes(6).map { $0 & 0x7F } + [1])
        default: break
        }
        if ic.model.hasMACA, random.oneIn(2) { card.writeCounter = random.any() & 0xFF_FFFF }
        if random.oneIn(2) { card.profile.liteRegViolation = .merge }
        return card
    }

    private static func system(_ random: inout TestRandom) -> FeliCaSystemDefinition {
        let codes = Set(
            random.list(upTo: 12) { NodeCode(UInt16(0x1000 + 64 * $0.number(below: 6) + 8 + $0.number(below: 16))) })
        var filled: Set<NodeCode.Store> = []
        let services = codes.sorted { $0.rawValue < $1.rawValue }.shuffled(using: &random).map { code in
            let isFirst = filled.insert(code.store).inserted
            let blocks = (0...random.number(below: 4)).map { _ in
                random.oneIn(2) ? BlockData.zero : BlockData(random.bytes(16))
            }
            return FeliCaServiceDefinition(
                code, keys: keys(&random), blocks: isFirst ? blocks : [],
                purseLimits: code.attribute.kind == .purse && random.oneIn(2) ? PurseLimits(lower: -5, upper: 9) : nil,
                hasMACCommunication: random.oneIn(4))
        }
        return FeliCaSystemDefinition(
            code: SystemCode(random.any()), idm: random.oneIn(4) ? IDm(random.any()) : nil, keys: keys(&random),
            issue: random.oneIn(2) ? FeliCaIssue() : FeliCaIssue(id: random.any(), parameter: random.any()),
            areas: [
                .root(keys: keys(&random)),
                FeliCaAreaDefinition(
                    NodeCode(0x1000), end: NodeCode(0x17BF), keys: keys(&random),
                    assignedBlocks: random.oneIn(2) ? 500 : nil, information: random.oneIn(2) ? random.any() : 0),
            ],
            services: services)
    }

    private static func keys(_ random: inout TestRandom) -> FeliCaKeys {
        FeliCaKeys(
            desVersion: random.oneIn(4) ? nil : random.any(), desKey: random.oneIn(2) ? random.bytes(8) : nil,
            aesVersion: random.oneIn(2) ? random.any() : nil, aesKey: random.oneIn(3) ? random.bytes(16) : nil)
    }

    private static func tag(_ random: inout TestRandom) throws -> NTAGDefinition {
        // The fourth byte must not be the cascade tag, 88.
        let uid = try #require(UID([0x04] + random.bytes(2) + [random.byte() & 0x7F] + random.bytes(3)))
        var tag = try NTAGDefinition(random.pick(NTAGProduct.allCases), uid: uid)
        for _ in 0..<random.number(below: 20) {
            tag[page: random.number(below: tag.product.layout.pageCount)] = PageData(random.bytes(4))
        }
        tag.counter = random.any()
        tag.failedAuthentications = random.byte()
        if random.oneIn(2) { tag.version = GetVersion.Response(random.any()) }
        if random.oneIn(2) { tag.signature = try OriginalitySignature(parsing: random.bytes(32)) }
        for entry in NTAGQuirks.switches where random.oneIn(4) {
            try tag.quirks.set(entry.name, to: random.pick(entry.listedValues))
            tag.assumptions.decide(entry.name)
        }
        return tag
    }

    /// Returns the tree with some values and keys replaced.
    private static func disturbed(_ node: Node, _ random: inout TestRandom) -> Node {
        if random.oneIn(40) { return value(&random) }
        switch node {
        case .scalar: return random.oneIn(20) ? value(&random) : node
        case .list(let list):
            var items: [Node] = []
            for item in list.items where !random.oneIn(20) { items.append(disturbed(item, &random)) }
            return .list(items)
        case .map(let map):
            var entries: [(key: String, value: Node)] = []
            for entry in map.entries where !random.oneIn(20) {
                let key = random.oneIn(20) ? random.pick(keys) : entry.key.text
                entries.append((key: key, value: disturbed(entry.value, &random)))
            }
            return .map(entries)
        }
    }

    private static let keys = [
        "0003", "FE00", "090F", "1009", "0", "4", "230", "ic", "uid", "history", "data", "blocks",
    ]

    private static func value(_ random: inout TestRandom) -> Node {
        switch random.number(below: 8) {
        case 0: .number(random.pick([0, 1, -1, 255, 65_535, 65_536, 4_294_967_295, -16_777_215, 16_777_215]))
        case 1: .text(Hex.text(random.bytes(random.pick([0, 1, 2, 4, 7, 8, 16, 32]))))
        case 2: .text(random.pick(["2026-11-18", "1999-12-31", "9999-12-31", "2000-01-01", "0001-01-01"]))
        case 3: .text(random.pick(["00:00", "23:59:59", "001-230"]))
        case 4: .text(random.pick(["shop", "fare-gate", "payment", "top-up", "refund", "bus", "NTAG213", "SD2"]))
        case 5: .list([])
        case 6: .map([:] as KeyValuePairs<String, Node?>)
        default: true
        }
    }
}
