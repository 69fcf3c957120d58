import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TapYAML
import TestSupport
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Card templates` {
    static let names = CardLanguage.templates.map(\.name)
    static let transit = CardLanguage.templates.filter { $0.keys.contains("gates") }.map(\.name)

    @Test func `have unique names`() {
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test(arguments: names)
    func `produce the same card for the same seed, also when read back from the explicit form`(_ name: String) throws {
        var random = TestRandom()
        for _ in 0..<20 {
            let seed: UInt64 = random.any()
            let (card, diagnostics) = CardDocument.card("template: \(name)", seed: seed)
            let made = try #require(card, "seed \(seed): \(diagnostics.text())")
            #expect(diagnostics.isEmpty, "seed \(seed)")
            #expect(CardDocument.card("template: \(name)", seed: seed).card == made, "seed \(seed)")
            #expect(CardDocument.card("template: \(name)", seed: seed &+ 1).card != made, "seed \(seed)")
            let again = CardDocument.card(made.node, seed: seed &+ 1)
            #expect(again.diagnostics.text() == "" && again.card == made, "seed \(seed)")
        }
    }

    @Test(arguments: ICCatalogue.all.map(\.name))
    func `work with every IC of their families that has blocks`(_ ic: String) throws {
        let product = try #require(ICCatalogue.named(ic))
        for template in CardLanguage.templates {
            let hasBlocks = FeliCaLiteIC.named(ic)?.model.hasBlocks ?? true
            let isSame = template.families.contains(product.family) && hasBlocks
            let (card, diagnostics) = CardDocument.card("template: \(template.name), ic: \"\(ic)\"")
            #expect((card != nil) == isSame, "\(template.name): \(diagnostics.text())")
            guard let card else { continue }
            #expect(card.icName == product.name && CardDocument.card(card.node).card == card, "\(template.name)")
        }
    }

    @Test(arguments: transit)
    func `of transit cards are consistent trip by trip`(_ name: String) throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let seed: UInt64 = random.any()
            let balance = random.number(below: 20_001)
            let count = random.number(below: 21)
            let text = "template: \(name), balance: \(balance), trips: \(count)"
            let card = try #require(CardDocument.card(text, seed: seed).card, "seed \(seed)")
            let comment: Comment = "\(text), seed \(seed)"
            let trips = TransitHistory(blocks: try #require(CardContent.blocks(titled: "usage history", on: card)))
                .trips
            #expect(trips.count == count, comment)
            let block = CardContent.blocks(titled: "balance", on: card)?.first
            // No source documents where an OKICA stores its balance.
            #expect(block.map { Int(TransitBalance($0).balance) } == (name == "okica" ? nil : balance), comment)
            #expect(trips.isEmpty || Int(trips[0].record.balance) == balance, comment)
            for (newer, older) in zip(trips, trips.dropFirst()) {
                #expect(newer.record.sequence == older.record.sequence + 1, comment)
                let (day, before) = try (#require(newer.record.date.date), #require(older.record.date.date))
                #expect(day >= before, comment)
                let amount = try #require(newer.amount)
                let isTopUp = newer.record.kind == .topUp
                #expect(newer.record.kind != nil && (amount > 0) == isTopUp && amount != 0, comment)
            }
        }
    }

    @Test func `of transit cards vary their stations and include return trips`() throws {
        let card = try #require(CardDocument.card("template: suica, trips: 20").card)
        let records = TransitHistory(blocks: try CardContent.blocks(of: TransitServices.history, on: card)).records
        var stations: Set<StationCode> = []
        for record in records {
            if case .rail(let entry, let exit) = record.place {
                stations.formUnion([entry, exit])
                #expect(entry != exit)
            }
        }
        #expect(stations.count >= 3)
        let gates = try CardContent.blocks(of: TransitServices.gates, on: card).map { TransitGateRecord($0) }
        #expect(gates.first?.event == .exit && gates.dropFirst().first?.event == .entry)
    }

    @Test(arguments: ["edy", "nanaco", "waon"])
    func `of electronic money are consistent record by record`(_ name: String) throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let seed: UInt64 = random.any()
            let balance = random.number(below: 50_001)
            let text = "template: \(name), balance: \(balance)"
            let card = try #require(CardDocument.card(text, seed: seed).card, "seed \(seed)")
            let uses = try MoneyUse.all(of: name, on: card)
            let comment: Comment = "\(text), seed \(seed): \(uses)"
            #expect(uses.count == ["edy": 6, "nanaco": 5, "waon": 5][name], comment)
            #expect(uses.first?.balance == balance, comment)
            for (newer, older) in zip(uses, uses.dropFirst()) {
                #expect(newer.balance - newer.change == older.balance && newer.change != 0, comment)
                #expect(newer.number == older.number + 1 && newer.moment >= older.moment, comment)
            }
            #expect(uses.allSatisfy { $0.balance - $0.change >= 0 }, comment)
        }
    }

    @Test(arguments: [(6, 3), (9, 4), (2, 1), (40, 20)])
    func `of WAON cards have as many history blocks as the file states`(blocks: Int, records: Int) throws {
        let card = try #require(CardDocument.card("template: waon, history_blocks: \(blocks)").card)
        let content = try CardContent.blocks(of: WAONServices.history, on: card)
        #expect(content.count == blocks)
        let used = stride(from: 0, to: blocks - 1, by: 2).filter {
            !WAONHistoryRecord(BlockPair(content[$0], content[$0 + 1])).isUnused
        }
        #expect(used.count == records)
        let (tooMany, diagnostics) = CardDocument.card(
            "template: waon, history_blocks: \(blocks), trips: \(records + 1)")
        #expect(tooMany == nil && diagnostics.text().contains(blocks == 40 ? "20" : "at most \(records) records"))
        #expect(CardDocument.card("template: nanaco, history_blocks: 6").card == nil)
    }

    @Test func `of Ryuto are consistent ride by ride`() throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let seed: UInt64 = random.any()
            let balance = random.number(below: 20_001)
            let text = "template: ryuto, balance: \(balance)"
            let card = try #require(CardDocument.card(text, seed: seed).card, "seed \(seed)")
            let records = try CardContent.blocks(of: RyutoServices.history, on: card).map { RyutoHistoryRecord($0) }
            let comment: Comment = "\(text), seed \(seed)"
            #expect(records.count == 20 && Int(records[0].balance) == balance, comment)
            for (newer, older) in zip(records, records.dropFirst()) {
                let change = newer.type == .ride ? -Int(newer.fare) : Int(newer.fare)
                #expect(newer.type.name != nil && Int(older.balance) + change == Int(newer.balance), comment)
                #expect(try #require(newer.date.date) >= #require(older.date.date), comment)
                #expect(try #require(newer.boarding.time) < #require(newer.alighting.time), comment)
            }
        }
        let stated = "template: ryuto, trips: 1, history: [{kind: ride, amount: 210, balance: 790, time: \"08:20\"}]"
        let card = try #require(CardDocument.card(stated).card)
        let record = RyutoHistoryRecord(try CardContent.blocks(of: RyutoServices.history, on: card)[0])
        #expect((record.type, record.fare, record.balance) == (.ride, 210, 790))
        #expect(record.alighting.time == ClockTime("08:20"))
        for wrong in ["number: 3", "from: 001-002", "kind: payment", "balance: 65536"] {
            #expect(CardDocument.card("template: ryuto, history: [{\(wrong)}]").card == nil, "\(wrong)")
        }
    }

    @Test func `of an Octopus store tenths of a dollar with the debt limit as offset`() throws {
        let card = try #require(CardDocument.card("template: octopus, balance: 123").card)
        let block = try CardContent.blocks(of: OctopusServices.balance, on: card)[0]
        // 623 tenths, of which a card may owe 500 since October 2017. Source: FareBot; metrodroid, issue 635.
        #expect(block.bytes.prefix(4) == [0x00, 0x00, 0x02, 0x6F])
        #expect(OctopusBalance(block).balance.description == "12.3 dollars")
        let older = try #require(CardDocument.card("template: octopus, balance: 123, debt: 350").card)
        #expect(
            try CardContent.blocks(of: OctopusServices.balance, on: older)[0].bytes.prefix(4) == [0, 0, 0x01, 0xD9])
        #expect(CardDocument.card("template: suica, debt: 350").card == nil)
        let most = OctopusAmount.maximumTenths(debt: OctopusAmount.debt)
        #expect(CardDocument.card("template: octopus, balance: \(most)").card != nil)
        let (tooMuch, diagnostics) = CardDocument.card("template: octopus, balance: \(most + 1)")
        #expect(tooMuch == nil && diagnostics.text().contains(" to \(most)"))
        #expect(CardDocument.card("template: octopus, trips: 1").card == nil)
    }

    /// A phone has the generation of phones regardless of the default, unless `generation` is set.
    @Test(arguments: [("suica", 3), ("pasmo", 2)]) func `on a phone's IC use the phone's generation`(
        template: String, generation: Int
    ) throws {
        let phone = try #require(CardDocument.card("template: \(template), ic: Apple Wallet").card)
        let stated = "template: \(template), ic: Apple Wallet, generation: \(generation)"
        #expect(CardDocument.card(stated).card == phone)
        guard case .felica(let made, _) = phone else { return #expect(Bool(false)) }
        #expect(made.definition.systems.map(\.code) == [.transit])
        let plastic = CardDocument.card("template: \(template), ic: Apple Wallet, generation: 1").card
        #expect(plastic != phone)
    }

    /// A Pixel phone in pull request 3112 of Proxmark3: IDm 0140…, container F140….
    @Test func `of a phone have a container with the system number F`() throws {
        let text = "template: suica, ic: Mobile FeliCa 4.1, idm: \"01 40 02 03 04 05 06 07\", container: {}"
        guard case .felica(let made, _)? = CardDocument.card(text).card else { return #expect(Bool(false)) }
        #expect(made.definition.containerIDm == IDm(0xF140_0203_0405_0607))
    }

    @Test func `of a clone have the stated UID, or one that starts with 1D`() throws {
        let stated = CardDocument.card("ic: NTAG213, preset: clone, uid: \"53 5C 4D EE 02 1F 00\"").card
        let drawn = CardDocument.card("ic: NTAG213, preset: clone").card
        guard case .ntag(let stated)? = stated, case .ntag(let drawn)? = drawn else { return #expect(Bool(false)) }
        #expect(stated.definition.uid.bytes == [0x53, 0x5C, 0x4D, 0xEE, 0x02, 0x1F, 0x00])
        #expect(drawn.definition.uid.bytes[0] == 0x1D)
    }

    @Test func `of SAPICA contain points, and of other transit cards do not`() throws {
        let card = try #require(CardDocument.card("template: sapica, points: 4660").card)
        let block = try CardContent.blocks(of: SapicaServices.points, on: card)[0]
        #expect(block.bytes.prefix(4) == [0x34, 0x12, 0x00, 0x00] && SapicaPoints(block).points == 4660)
        #expect(CardDocument.card("template: suica, points: 1").card == nil)
    }

    @Test func `of NDEF tags contain a message`() throws {
        let card = try #require(CardDocument.card("template: ndef").card)
        guard case .ntag(let template) = card else { return #expect(Bool(false)) }
        #expect(card.icName == "NTAG215")
        #expect(template.definition.userMemory.prefix(4) == [0x03, 0x10, 0xD1, 0x01])
    }

    @Test func `derive later balances from the first stated balance`() throws {
        var random = TestRandom()
        for _ in 0..<20 {
            let seed: UInt64 = random.any()
            let text = "template: suica, history: [{kind: shop}, {kind: top-up}, {kind: bus, balance: 3330}]"
            let card = try #require(CardDocument.card(text, seed: seed).card)
            let trips = TransitHistory(blocks: try CardContent.blocks(of: TransitServices.history, on: card)).trips
            #expect(trips.count == 3 && trips[2].record.balance == 3330, "seed \(seed)")
            #expect((trips[0].amount ?? 0) < 0, "seed \(seed)")
            #expect([1_000, 2_000, 3_000, 5_000].contains(trips[1].amount), "seed \(seed)")
        }
    }

    @Test func `keep the other cards unchanged if one card is changed`() throws {
        let text = "format: 1\ncards:\n  a: {template: suica}\n  b: {template: edy}\n"
        let changed = "format: 1\ncards:\n  a: {template: suica, balance: 5}\n  b: {template: edy}\n"
        #expect(CardDocument(text).cards.last?.card == CardDocument(changed).cards.last?.card)
        #expect(CardDocument(text).cards.first?.card.identifier == CardDocument(changed).cards.first?.card.identifier)
    }
}

/// A history record of any electronic money brand.
private struct MoneyUse {
    let change: Int
    let balance: Int
    let number: Int
    let moment: Int

    static func all(of name: String, on card: CardDefinition) throws -> [MoneyUse] {
        switch name {
        case "edy":
            try CardContent.blocks(of: EdyServices.history, on: card).map { block in
                let record = EdyHistoryRecord(block)
                let sign = record.type == .payment ? -1 : 1
                return try MoneyUse(sign * Int(record.amount), record.balance, Int(record.sequence), record.time)
            }
        case "nanaco":
            try CardContent.blocks(of: NanacoServices.history, on: card).map { block in
                let record = NanacoHistoryRecord(block)
                let sign = record.type == .payment ? -1 : 1
                return try MoneyUse(sign * Int(record.amount), record.balance, Int(record.sequence), record.time)
            }
        default:
            try {
                let blocks = try CardContent.blocks(of: WAONServices.history, on: card)
                return try stride(from: 0, to: blocks.count, by: 2).map { index in
                    let record = WAONHistoryRecord(BlockPair(blocks[index], blocks[index + 1]))
                    let change = Int(record.charge) - Int(record.withdrawal)
                    return try MoneyUse(change, record.balance, Int(record.sequence), record.time)
                }
            }()
        }
    }

    private init(_ change: Int, _ balance: UInt32, _ number: Int, _ time: some PackedTimestamp) throws {
        self.change = change
        self.balance = Int(balance)
        self.number = number
        let (day, clock) = try (#require(time.date), #require(time.time))
        moment = day.daysSince2000 * ClockTime.secondsPerDay + clock.secondOfDay
    }
}
