import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A line of a vector file for faults: the card's answer to the last of some commands, and the answer that a reader receives
/// with the fault.
struct FaultVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: String
    let commands: [RFFrame]
    /// Hexadecimal digits; `-` for silence.
    let before: String
    let after: String

    /// Parses `fault | command > before > after ; note`, with commas between several commands.
    init(_ line: String) throws {
        let parts = line.split(separator: ";", maxSplits: 1)[0].split(separator: "|")
        let fields = parts[1].split(separator: ">").map { $0.filter { $0 != " " } }
        testDescription = line
        fault = String(parts[0])
        commands = try fields[0].split(separator: ",").map { RFFrame(.felica212, try Hex.bytes($0)) }
        before = fields[1]
        after = fields[2]
    }
}

@Suite struct `Faults of FeliCa cards` {
    static let vectors: [FaultVector] = {
        do {
            return try VectorFile.lines("felica-faults.txt").map(FaultVector.init)
        } catch {
            fatalError("felica-faults.txt: \(error)")
        }
    }()

    private static func world(_ plan: FaultPlan = FaultPlan()) throws -> World {
        var world = World(seed: 1, plan: plan, trace: Trace())
        world.add(try CardS.card(), named: "card")
        world.tap("card")
        return world
    }

    private static func answer(_ world: inout World, _ command: RFFrame) -> String {
        world.exchangeWithOneCard(command, waiting: .milliseconds(100)).map { Hex.text($0.bytes) } ?? "-"
    }

    @Test(arguments: vectors) func `the answer changes as the vector specifies`(_ vector: FaultVector) throws {
        let last = vector.commands.count
        var clean = try Self.world()
        #expect(vector.commands.map { Self.answer(&clean, $0) }.last == vector.before)
        let entry = FaultPlan.Entry(try fault(vector.fault), when: EventTrigger(.exchange, nth: last))
        var world = try Self.world(FaultPlan([entry]))
        #expect(vector.commands.map { Self.answer(&world, $0) }.last == vector.after)
        if vector.before != vector.after { #expect(world.plan.tallies[0].injected == [last]) }
    }

    @Test func `every fault of the family has a vector`() {
        let tested = Set(Self.vectors.map { $0.fault.split(separator: " ")[0] })
        for kind in FaultCatalogue.all where kind.family == "felica" {
            #expect(tested.contains(Substring(kind.name)), "\(kind.name)")
        }
    }

    @Test func `a card that lost its session answers again after polling`() throws {
        let lost = FaultPlan.Entry(try fault("felica.lost_mode"), when: EventTrigger(.exchange))
        var world = try Self.world(FaultPlan([lost]))
        let mode = RFFrame(.felica212, try Hex.bytes("0A0401010A1020304050"))
        let polling = RFFrame(.felica212, try Hex.bytes("0600FFFF0000"))
        let answers = [mode, mode, polling, mode].map { Self.answer(&world, $0) }
        #expect(answers[0] == "-")
        #expect(answers[1] == "-")
        #expect(answers[2] == "120101010A1020304050100B4B428485D0FF")
        #expect(answers[3] == "0B0501010A102030405000")
    }

    @Test func `an encrypted command does not identify its card`() throws {
        let packet = try Hex.bytes("1A142DB7EC8176045C83EB4E33009500749A6C07DA57F8330C6A")
        #expect(CommandFacts(RFFrame(.felica212, packet)).idm == nil)
        let open = try Hex.bytes("0A0401010A1020304050")
        #expect(CommandFacts(RFFrame(.felica212, open)).idm == IDm(0x0101_0A10_2030_4050))
    }

    @Test func `a search that never ends finds a new service at each index`() throws {
        let endless = FaultPlan.Entry(try fault("felica.endless_search"), when: EventTrigger(.exchange))
        var world = try Self.world(FaultPlan([endless]))
        let idm = IDm(0x0101_0A10_2030_4050)
        // The areas and services of system 0003.
        let nodes = 4 + 14
        var found: Set<String> = []
        for index in 0..<500 {
            let command = RFFrame(.felica212, SearchServiceCode.Request(idm: idm, index: UInt16(index)).bytes)
            let answer = Self.answer(&world, command)
            #expect(!answer.hasSuffix("FFFF"))
            found.insert(answer)
        }
        #expect(found.count >= 499)
        #expect(world.plan.tallies[0].injected.count == 500 - nodes)
    }

    @Test func `memory changes by a fault do not count as changes by the client`() throws {
        let shift = FaultPlan.Entry(try fault("felica.cyclic_shift"), when: .exchange)
        var world = try Self.world(FaultPlan([shift]))
        _ = Self.answer(&world, RFFrame(.felica212, try Hex.bytes("100601010A1020304050014F10018000")))
        #expect(world.card(named: "card")?.isMemoryUnchanged == true)
    }

    @Test func `a fault has possible exchanges only where it changes something`() throws {
        var world = try Self.world()
        let commands = [
            "0600FFFF0000", "0A0C01010A1020304050", "100601010A1020304050010F09018000",
            "140601010A1020304050014F10038000 80018002", "0A7E01010A1020304050",
        ]
        for command in commands {
            _ = Self.answer(&world, RFFrame(.felica212, try Hex.bytes(command)))
        }
        func places(_ text: String) throws -> [Int] { try fault(text).places(in: world.trace.exchanges) }
        #expect(try places("felica.length") == [1, 2, 3, 4])
        #expect(try places("felica.silent_command") == [1, 2, 3, 4])
        #expect(try places("felica.reorder") == [4])
        #expect(try places("felica.limits blocks=2") == [4])
        #expect(try places("felica.systems") == [2])
        #expect(try places("felica.cyclic_shift") == [3, 4])
        #expect(try places("felica.idm") == [1, 2, 3, 4])
    }

    @Test func `a history shift is possible only in a read of the history`() throws {
        var world = try Self.world()
        for service in ["8B00", "0F09"] {
            _ = Self.answer(&world, RFFrame(.felica212, try Hex.bytes("100601010A102030405001\(service)018000")))
        }
        let shift = try fault("felica.cyclic_shift")
        #expect(shift.places(in: world.trace.exchanges, cards: world.cards.map(\.original)) == [2])
    }
}

extension EventTrigger {
    /// Any exchange.
    fileprivate static let exchange = EventTrigger(.exchange)
}
