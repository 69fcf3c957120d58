import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A line of a vector file for faults: commands to a selected tag, and the last answer without and with the fault.
struct TagFaultVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: String
    let commands: [RFFrame]
    /// Frames as text; `-` for silence.
    let before: String
    let after: String

    /// Parses `fault | command, command > before > after ; note`.
    init(_ line: String) throws {
        let parts = line.split(separator: ";", maxSplits: 1)[0].split(separator: "|")
        let fields = parts[1].split(separator: ">").map { $0.filter { $0 != " " } }
        testDescription = line
        fault = String(parts[0])
        commands = try fields[0].split(separator: ",").map { RFFrame(.typeA106, try Hex.bytes($0)) }
        before = fields[1]
        after = fields[2]
    }
}

@Suite struct `Faults of NTAG21x` {
    static let vectors: [TagFaultVector] = {
        do {
            return try VectorFile.lines("ntag-faults.txt").map(TagFaultVector.init)
        } catch {
            fatalError("ntag-faults.txt: \(error)")
        }
    }()

    /// The frames that a reader sends to select the tag.
    private static let selectionLength = 5

    /// A selected tag that requires the password from page 40 on and has its counter on.
    private static func world(_ plan: FaultPlan = FaultPlan()) -> World {
        var world = World(seed: 1, plan: plan, trace: Trace())
        var tag = SampleTags.t4()
        tag.configuration.auth0 = 0x40
        tag.configuration.access.prot = true
        tag.password = SampleTags.password
        tag.pack = SampleTags.pack
        world.add(NTAGCard(tag), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        return world
    }

    private static func answers(_ world: inout World, _ commands: [RFFrame]) -> [String] {
        commands.map { command in
            world.exchangeWithOneCard(command, waiting: .milliseconds(50))
                .map { FrameText.text($0.bytes, bitCount: $0.bitCount) } ?? "-"
        }
    }

    private static func plan(_ text: String, at command: Int) throws -> FaultPlan {
        FaultPlan([FaultPlan.Entry(try fault(text), when: EventTrigger(.exchange, nth: selectionLength + command))])
    }

    @Test(arguments: vectors) func `the last answer changes as the vector specifies`(_ vector: TagFaultVector) throws {
        var clean = Self.world()
        #expect(clean.exchangeCount == Self.selectionLength)
        #expect(Self.answers(&clean, vector.commands).last == vector.before)
        var world = Self.world(try Self.plan(vector.fault, at: vector.commands.count))
        #expect(Self.answers(&world, vector.commands).last == vector.after)
        if vector.before != vector.after {
            #expect(world.plan.tallies[0].injected == [Self.selectionLength + vector.commands.count])
        }
    }

    @Test func `every fault of the family has a vector`() {
        let tested = Set(Self.vectors.map { $0.fault.split(separator: " ")[0] })
        for kind in FaultCatalogue.all where kind.family == "ntag" {
            #expect(tested.contains(Substring(kind.name)), "\(kind.name)")
        }
    }

    /// The answer to a READ after the fault, and the content of page 5 at that time.
    @Test(arguments: [
        ("ntag.nak", "-", "10550465"), ("ntag.nak stay=true", "data", "01020304"),
        ("ntag.data_for_ack", "data", "01020304"), ("ntag.acked_not_written", "data", "10550465"),
        ("ntag.written_not_acked", "data", "01020304"),
    ])
    func `a write with a fault leaves the expected data and selection state`(
        _ text: String, _ next: String, _ page: String
    ) throws {
        var world = Self.world(try Self.plan(text, at: 1))
        let commands = try ["A20501020304", "3004"].map { RFFrame(.typeA106, try Hex.bytes($0)) }
        let answer = Self.answers(&world, commands)[1]
        #expect(next == "data" ? answer.count == 32 : answer == next)
        let tag = try #require(world.card(named: "tag")?.engine as? NTAGCard)
        #expect(tag[page: 5].description == page)
    }

    @Test func `a fault has possible exchanges only where it changes something`() throws {
        var world = Self.world()
        let commands = try ["60", "3004", "3A0420", "A20501020304", "5000"].map {
            RFFrame(.typeA106, try Hex.bytes($0))
        }
        _ = Self.answers(&world, commands)
        func places(_ text: String) throws -> [Int] { try fault(text).places(in: world.trace.exchanges) }
        #expect(try places("ntag.nak") == [6, 7, 8, 9])
        #expect(try places("ntag.ack_for_data") == [6, 7, 8])
        #expect(try places("ntag.data_for_ack") == [9])
        #expect(try places("ntag.acked_not_written") == [9])
        #expect(try places("ntag.fast_read_limit") == [8])
        #expect(try places("ntag.roll_over") == [])
        #expect(try places("ntag.version") == [6])
    }
}
