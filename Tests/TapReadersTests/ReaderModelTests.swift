import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Every reader model` {
    @Test func `has its own name and phrase`() {
        // Sony has one driver for both the RC-S330 and the RC-S380.
        let names = ReaderModel.allCases.filter { $0 != .rcs330 }.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(ReaderModel.allCases.map(\.summary)).count == ReaderModel.allCases.count)
        for model in ReaderModel.allCases {
            #expect(model.makeReader().name == model.name)
            #expect(model.makeReader(name: "Another").name == "Another")
        }
    }

    @Test(arguments: [
        (ReaderModel.storageCard, "54617053696D00", "00000001", "05010000"),
        (.acr122u, "41435300", "00000702", "05010000"), (.rcs380, "534F4E5900", "00001101", "05010000"),
        (.rcs300, "534F4E5900", "00000001", "00020000"),
    ])
    func `has the attributes that the CCID driver gets from its descriptors`(
        model: ReaderModel, vendor: String, version: String, maximumInput: String
    ) {
        let reader = model.makeReader()
        let values = [0x0001_0100, 0x0001_0102, 0x0007_A007].map { reader.attribute($0).map { Hex.text($0) } }
        #expect(values == [vendor, version, maximumInput])
        #expect(reader.attribute(0x0001_0101) == nil)
    }

    private static func bench(_ model: ReaderModel, _ cards: [String]) throws -> ReaderBench {
        let engines = try cards.map { $0 == "tag" ? try TraceCards.tag() : try TraceCards.felica() }
        return ReaderBench(model.makeReader(), engines)
    }

    @Test(arguments: ReaderModel.allCases)
    func `distinguishes a card that returned from one that stayed`(model: ReaderModel) throws {
        var bench = try Self.bench(model, ["tag"])
        guard case .card(let first) = bench.look() else {
            Issue.record("no card")
            return
        }
        let exchanges = bench.world.exchangeCount
        #expect(bench.look() == .card(first))
        #expect(bench.world.exchangeCount == exchanges, "a card that stays must not be selected again")
        bench.world.remove("tag")
        #expect(bench.look() == .empty)
        #expect(try bench.send("FFCA000000") == "no card")
        bench.world.tap("tag")
        guard case .card(let second) = bench.look() else {
            Issue.record("no card")
            return
        }
        #expect((second.card, second.visit, second.atr) == (first.card, first.visit + 1, first.atr))
    }

    @Test(arguments: ReaderModel.allCases)
    func `detects a swap`(model: ReaderModel) throws {
        var bench = try Self.bench(model, ["tag", "felica"])
        bench.world.remove("felica")
        _ = bench.reset()
        #expect(try bench.send("FFCA000000") == "04A1B2C3D4E5F69000")
        bench.world.remove("tag")
        bench.world.tap("felica")
        guard case .card(let card) = bench.look() else {
            Issue.record("no card")
            return
        }
        #expect(card.card == 1)
        #expect(try bench.send("FFCA000000") == "02FE1122334455669000")
    }

    @Test(arguments: ReaderModel.allCases)
    func `selects one of two cards`(model: ReaderModel) throws {
        var bench = try Self.bench(model, ["tag", "felica"])
        guard case .card(let card) = bench.look() else {
            Issue.record("no card")
            return
        }
        let identifier = card.card == 0 ? "04A1B2C3D4E5F69000" : "02FE1122334455669000"
        #expect(try bench.send("FFCA000000") == identifier)
        bench.world.remove(bench.world.cards[card.card].name)
        guard case .card(let other) = bench.look() else {
            Issue.record("expected to find the other card")
            return
        }
        #expect(other.card == 1 - card.card)
    }

    @Test(arguments: ReaderModel.allCases)
    func `identifies the right one of two FeliCa cards`(model: ReaderModel) throws {
        var bench = ReaderBench(model.makeReader(), [try BenchCards.cardS(), try TraceCards.felica()])
        for _ in 0..<20 {
            guard case .card(let card) = bench.reset() else { continue }
            let identifier = card.card == 0 ? "01010A10203040509000" : "02FE1122334455669000"
            #expect(try bench.send("FFCA000000") == identifier)
        }
    }

    @Test(arguments: ReaderModel.allCases)
    func `can lose a card in the middle of an exchange`(model: ReaderModel) throws {
        var bench = try Self.bench(model, ["tag"])
        #expect(try bench.send("FFB0000410") == "0310D1010C55046578616D706C652E6F9000")
        // A READ and its answer take 2 ms.
        let leave = bench.world.now + .microseconds(500)
        var world = World(seed: 1, timeline: Timeline([.init(.at(leave), [.remove("tag")])]))
        let card = try TraceCards.tag()
        world.add(card.engine, named: card.name)
        world.tap(card.name)
        bench.world = world
        _ = bench.reset()
        bench.world.advance(by: leave - bench.world.now - .microseconds(100))
        let answer = try bench.send("FFB0000410")
        #expect(answer == (model == .acr122u ? "6300" : "6401"))
        #expect(bench.look() == .empty)
    }

    @Test(arguments: ReaderModel.allCases)
    func `powers a card down and up again`(model: ReaderModel) throws {
        var bench = try Self.bench(model, ["tag"])
        bench.reader.powerDown(in: &bench.world)
        #expect(!bench.world.isFieldOn)
        #expect(bench.world.cards[0].engine.stateName != "ACTIVE")
        #expect(bench.look() != .empty, "a card without power is still present")
        #expect(!bench.world.isFieldOn)
        #expect(bench.reset() != .empty)
        #expect(bench.world.cards[0].engine.stateName == "ACTIVE")
        #expect(try bench.send("FFB0000404") == "0310D1019000")
    }

    @Test(arguments: ReaderModel.allCases)
    func `gives a bounded answer to any command`(model: ReaderModel) throws {
        var random = TestRandom("\(#function) \(model)")
        for _ in 0..<TestScale.count(60) {
            let cards = random.pick([[], ["tag"], ["felica"], ["tag", "felica"]])
            var bench = try Self.bench(model, cards)
            for _ in 0..<40 {
                let command = RandomAPDU.bytes(&random)
                if let name = cards.first, random.oneIn(10) {
                    if bench.world.card(named: name)?.isPresent ?? false {
                        bench.world.remove(name)
                    } else {
                        bench.world.tap(name)
                    }
                }
                if random.oneIn(10) { _ = bench.look() }
                if random.oneIn(20) { bench.reader.powerDown(in: &bench.world) }
                if random.oneIn(20) { _ = bench.reset() }
                let answer =
                    random.oneIn(3)
                    ? bench.reader.control(ControlCode.escape.rawValue, command, in: &bench.world)
                    : bench.reader.transmit(command, in: &bench.world)
                Self.check(answer, to: command, model)
            }
        }
    }

    private static func check(_ answer: ReaderAnswer, to command: [UInt8], _ model: ReaderModel) {
        guard case .answer(let bytes) = answer else { return }
        let comment = Comment(rawValue: "\(model): \(Hex.text(command)), seed \(TestSeed.value)")
        // An ACR122U gives an APDU for another card an empty answer.
        let isForeign = model == .acr122u && command.first != CommandAPDU.reader && bytes.isEmpty
        #expect(2...600 ~= bytes.count || isForeign, comment)
        let isFirmwareText = model == .acr122u && command.starts(with: [0xFF, 0x00, 0x48])
        guard !isFirmwareText, let response = try? ResponseAPDU(parsing: bytes) else { return }
        #expect(
            [0x62, 0x63, 0x64, 0x65, 0x67, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x90].contains(response.status.sw1),
            comment)
    }
}
