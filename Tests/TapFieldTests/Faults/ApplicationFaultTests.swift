import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A line of a vector file for image faults: a card, a command, and its answer without and with the fault.
struct ImageFaultVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: String
    let card: String
    let command: String
    /// Hexadecimal digits.
    let before: String
    let after: String

    /// Reads `fault | card | command > before > after ; note`.
    init(_ line: String) {
        let parts = line.split(separator: ";", maxSplits: 1)[0].split(separator: "|")
        let fields = parts[2].split(separator: ">").map { $0.filter { $0 != " " } }
        testDescription = line
        fault = String(parts[0])
        card = parts[1].filter { $0 != " " }
        command = fields[0]
        before = fields[1]
        after = fields[2]
    }
}

@Suite struct `Faults of card contents` {
    static let vectors = VectorFile.lines("app-faults.txt").map(ImageFaultVector.init)

    @Test(arguments: vectors) func `the memory changes as the vector specifies`(_ vector: ImageFaultVector) throws {
        var clean = try Self.world(vector.card)
        let before = try Self.answer(&clean, vector.command)
        #expect(before == vector.before)
        let entry = FaultPlan.Entry(
            try fault(vector.fault), when: EventTrigger(.exchange, nth: clean.exchangeCount))
        var world = try Self.world(vector.card, FaultPlan([entry]))
        let after = try Self.answer(&world, vector.command)
        #expect(after == vector.after)
        #expect(world.plan.tallies[0].injected == [clean.exchangeCount])
        #expect(world.card(named: "card")?.isMemoryUnchanged == true)
    }

    @Test func `every fault of the family has a vector`() {
        let tested = Set(Self.vectors.map { $0.fault.split(separator: " ")[0] })
        for kind in FaultCatalogue.all where kind.family == "app" {
            #expect(tested.contains(Substring(kind.name)), "\(kind.name)")
        }
    }

    @Test func `a fault that waits for a tap changes the card before its first command`() throws {
        let trigger = EventTrigger(.card(.tapped, name: "card"))
        var world = try Self.world("transit", FaultPlan([.init(try fault("app.history_zero"), when: trigger)]))
        let answer = try Self.answer(&world, "100601010A1020304050010F09018000")
        #expect(answer == "1D0701010A1020304050000001" + String(repeating: "00", count: 16))
        #expect(world.plan.tallies[0].injected == [1])
    }

    @Test func `a fault of the image has one possible exchange, and none for a card without such an image`() throws {
        var world = try Self.world("tag")
        _ = try Self.answer(&world, "3004")
        _ = try Self.answer(&world, "3008")
        let exchanges = world.trace.exchanges
        let tag = try Self.card("tag")
        #expect(try fault("app.ndef_tnf").places(in: exchanges, cards: [tag]) == [1])
        #expect(try fault("app.text_utf8").places(in: exchanges, cards: [tag]) == [])
        #expect(try fault("app.text_utf8").places(in: exchanges, cards: [try Self.card("text")]) == [1])
        #expect(try fault("app.history_zero").places(in: exchanges, cards: [tag]) == [])
    }

    private static func world(_ name: String, _ plan: FaultPlan = FaultPlan()) throws -> World {
        var world = World(seed: 1, plan: plan, trace: Trace())
        world.add(try card(name), named: "card")
        world.tap("card")
        if try card(name) is NTAGCard { _ = world.selectTypeA(.reqa, waiting: .milliseconds(5)) }
        return world
    }

    private static func answer(_ world: inout World, _ command: String) throws -> String {
        let isTag = world.card(named: "card")?.engine is NTAGCard
        let frame = RFFrame(isTag ? .typeA106 : .felica212, try Hex.bytes(command))
        return world.exchangeWithOneCard(frame, waiting: .milliseconds(50)).map { Hex.text($0.bytes) } ?? "-"
    }

    private static func card(_ name: String) throws -> any CardEngine {
        switch name {
        case "tag": return NTAGCard(SampleTags.t0())
        case "text": return NTAGCard(try textTag())
        case "transit": return try CardS.card()
        case "money": return try FeliCaCard(definition(.commonArea, try money()))
        default: return try FeliCaCard(definition(.ndef, [(0x000B, try type3())]))
        }
    }

    private static func textTag() throws -> NTAGDefinition {
        let text = try NDEFText("Hi!", language: "en")
        let record = try NDEFRecord(format: .wellKnown, type: [UInt8(ascii: "T")], payload: text.bytes)
        let message = NDEFMessage([record]).bytes
        var tag = SampleTags.t0()
        tag.userMemory = [0x03, UInt8(message.count)] + message + [0xFE]
        return tag
    }

    private static func definition(
        _ system: SystemCode, _ services: [(code: UInt16, blocks: [BlockData])]
    ) -> FeliCaCardDefinition {
        FeliCaCardDefinition(
            idm: IDm(0x0101_0A10_2030_4050), pmm: PMm(0x100B_4B42_8485_D0FF),
            systems: [
                FeliCaSystemDefinition(
                    code: system, areas: [.root()],
                    services: services.map { FeliCaServiceDefinition(NodeCode($0.code), blocks: $0.blocks) })
            ])
    }

    /// An attribute information block, and a message of one URI record in one block.
    private static func type3() throws -> [BlockData] {
        let message = try Hex.bytes("D1010C55046578616D706C652E636F6D")
        let attributes = try AttributeInformationBlock(
            blocksPerRead: 4, blocksPerWrite: 1, blockCount: 2, messageLength: UInt32(message.count))
        return [attributes.stored, BlockData(message), .zero]
    }

    /// Number, balance and history of a nanaco card and a WAON card.
    private static func money() throws -> [(code: UInt16, blocks: [BlockData])] {
        let number = CardNumberBlock(number: CardNumber(0x1234_5678_9012_3456)).stored
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 18))
        let noon = try #require(ClockTime(hour: 12, minute: 0))
        let nanaco = NanacoHistoryRecord(
            .payment, amount: 100, balance: 900, time: try NanacoTimestamp(day, noon), sequence: 2)
        let waon = try WAONHistoryRecord(
            .payment, sequence: 2, time: try WAONTimestamp(day, noon), balance: 800, withdrawal: 200)
        return [
            (0x558B, [number]), (0x5597, [PurseBlock(value: 900).stored]), (0x564F, [nanaco.stored, .zero]),
            (0x680B, [waon.stored.first, waon.stored.second]), (0x6817, [PurseBlock(value: 800).stored]),
            (0x684F, [number]),
        ]
    }
}
