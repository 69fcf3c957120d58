import TapCards
@testable import TapField
import TapWire
import TestSupport
import Testing

/// Keeps all reported events for comparison with the trace.
private final class Witness: TraceObserver, @unchecked Sendable {
    var events: [TraceEvent] = []

    func observe(_ event: TraceEvent, answering command: RFFrame?) { events.append(event) }
}

@Suite struct `Events of a trace` {
    /// Makes a random event happen in a world: frames of all lengths, some of them invalid, remarks, and silence.
    private static func happen(in world: inout World, _ random: inout TestRandom) {
        switch random.number(below: 16) {
        case 0: world.note(random.text(random.number(below: 40)), source: SourceReference(file: "a", line: 1))
        case 1: world.advance(by: .seconds(random.number(below: 1_000_000)) + .nanoseconds(random.number(below: 9)))
        case 2: world.switchField(on: random.oneIn(2))
        case 3: world.remove("tag")
        case 4: world.tap("tag")
        case 5:
            let (command, answer) = (random.bytes(random.number(below: 20)), random.bytes(2))
            world.noteHost(since: world.rfCount, HostCall(.apdu, command, .answer(answer)))
        default: _ = world.exchange(frame(&random), waiting: .milliseconds(5))
        }
    }

    /// Frames share a common beginning or end, or neither.
    private static func frame(_ random: inout TestRandom) -> RFFrame {
        let alike = random.pick([0, 0, 10, 10, 10, 254, 255, 256, 300])
        let others = random.oneIn(4) ? 0 : random.oneIn(50) ? 7_000 : random.number(below: 40)
        let bytes = (0..<alike).map { UInt8(truncatingIfNeeded: $0) } + random.bytes(others)
        let technology = random.pick([Technology.typeA106, .typeA106, .felica212])
        return RFFrame(
            technology, bytes, bitCount: max(0, bytes.count * 8 - random.number(below: 8)),
            integrity: random.pick([.good, .good, .badCRC, .badParity]))
    }

    private static func world(bound: TraceBound? = nil) -> (World, Witness) {
        let witness = Witness()
        var world = World([
            ("tag", ScriptedCard(answer: [0xAA, 0xBB])), ("one with a longer name", ScriptedCard(answer: [])),
        ])
        world.trace = Trace(bound: bound, observer: witness)
        return (world, witness)
    }

    @Test func `are returned as they were recorded`() {
        var random = TestRandom()
        for length in [0, 1, 2, 511, 512, 513, 1_024, 3_000] {
            var (world, witness) = Self.world()
            while witness.events.count < length { Self.happen(in: &world, &random) }
            let events = world.trace.events
            #expect(Array(events) == witness.events, "seed \(TestSeed.value), \(length) events")
            #expect(events.map(\.sequence) == Array(events.indices), "seed \(TestSeed.value), \(length) events")
            let places = events.indices.shuffled(using: &random)
            #expect(places.allSatisfy { events[$0] == witness.events[$0] }, "seed \(TestSeed.value), \(length) events")
        }
    }

    private static let bounds = [
        TraceBound(exchanges: 0, bytes: .max), TraceBound(exchanges: 600, bytes: .max),
        TraceBound(exchanges: 2_000, bytes: .max), TraceBound(exchanges: .max, bytes: 0),
        TraceBound(exchanges: .max, bytes: 400_000), TraceBound(exchanges: .max, bytes: 1_000_000),
    ]

    @Test(arguments: bounds)
    func `are the first and the newest events if the trace is bounded`(bound: TraceBound) throws {
        var random = TestRandom("\(bound)")
        var (world, witness) = Self.world(bound: bound)
        while witness.events.count < 8_000 { Self.happen(in: &world, &random) }
        let trace = world.trace
        let sequences = trace.events.map(\.sequence)
        #expect(trace.events.map { $0 } == sequences.map { witness.events[$0] }, "seed \(TestSeed.value)")
        #expect(sequences == sequences.sorted() && sequences.last == witness.events.count - 1, "seed \(TestSeed.value)")
        let first = zip(sequences, 0...).prefix { $0 == $1 }.count
        let rest = Array(sequences[first...])
        #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 + 1 == $1 }, "one gap, seed \(TestSeed.value)")

        let kept = Set(sequences)
        let left = witness.events.filter { !kept.contains($0.sequence) }
        let omission = try #require(trace.omission)
        let commands = left.compactMap { event -> RFFrame? in
            if case .command(let frame) = event.kind { frame } else { nil }
        }
        #expect(omission.exchanges == commands.count)
        #expect(omission.exchangesBefore == trace.exchanges.count { $0.time < left[0].time })
        let names = commands.compactMap(CommandName.init(of:))
        #expect(Set(names).allSatisfy { name in omission.count(of: name) == names.count { $0 == name } })
        // Whole chunks are dropped, so at least the last chunk remains.
        let exchanges = trace.exchanges
        #expect(exchanges.count <= max(bound.exchanges, 512))
        #expect(trace.exchangeCount == exchanges.count + commands.count)
        // The last chunk may begin after the last command.
        if let last = exchanges.last { #expect(last.number == trace.exchangeCount, "seed \(TestSeed.value)") }
    }

    @Test func `can be requested from the end`() {
        var random = TestRandom()
        for bound in [nil, TraceBound(exchanges: 1_500, bytes: .max)] {
            var (world, _) = Self.world(bound: bound)
            for _ in 0..<4_000 { Self.happen(in: &world, &random) }
            let all = Array(world.trace.entries)
            for count in [0, 1, 2, 700] {
                #expect(Array(world.trace.lastEntries(count)) == all.suffix(count), "seed \(TestSeed.value)")
            }
        }
    }

    @Test func `in a copy do not change later`() {
        var random = TestRandom()
        var (world, witness) = Self.world(bound: TraceBound(exchanges: 700, bytes: .max))
        var copies: [(events: TraceEvents, told: [TraceEvent])] = []
        for _ in 0..<2_000 {
            Self.happen(in: &world, &random)
            guard random.oneIn(100) else { continue }
            let events = world.trace.events
            copies.append((events, events.map { witness.events[$0.sequence] }))
        }
        for copy in copies { #expect(Array(copy.events) == copy.told, "seed \(TestSeed.value)") }
    }

    @Test func `equal those of a copy until the next event`() {
        var random = TestRandom()
        var (world, _) = Self.world()
        for _ in 0..<600 { Self.happen(in: &world, &random) }
        let other = world
        #expect(world.trace.events == other.trace.events)
        #expect(world.trace.events.hashValue == other.trace.events.hashValue)
        world.note("more")
        #expect(world.trace.events != other.trace.events)
    }

    @Test func `of 100,000 exchanges take at most 32 MiB`() throws {
        var world = World(seed: 1, trace: Trace())
        let card = CardS.definition
        world.add(try FeliCaCard(card), named: "card")
        world.tap("card")
        let read = ReadWithoutEncryption.Request(
            idm: card.idm, services: [NodeCode(0x090F)], blocks: [BlockListElement(blockNumber: 0)]
        ).bytes
        // All exchanges take the same space, so a tenth of them must fit into a tenth.
        var answers = 0
        for _ in 0..<10_000 {
            if world.exchange(RFFrame(.felica212, read), waiting: nil) != .silence { answers += 1 }
        }
        #expect(answers == 10_000 && world.trace.exchangeCount == 10_000)
        #expect(world.trace.events.byteCount <= (32 << 20) / 10)
    }
}
