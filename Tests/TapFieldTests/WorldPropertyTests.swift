import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A random run: cards of both kinds, a timeline, and a reader's actions.
private struct RandomRun {
    enum Move {
        case exchange(RFFrame, waiting: Duration?)
        case wait(Duration)
        case field(isOn: Bool)
    }

    let seed: UInt64
    let timeline: Timeline
    let moves: [Move]
    private static let names = ["transit", "money", "tag", "other tag"]

    init(_ random: inout TestRandom) {
        seed = random.next()
        timeline = Timeline(random.list(upTo: 8) { Self.step(&$0) })
        moves = (0..<60).map { _ in Self.move(&random) }
    }

    private static func step(_ random: inout TestRandom) -> Timeline.Step {
        let trigger: Timeline.Trigger =
            switch random.number(below: 3) {
            case 0: .immediately
            case 1: .at(.microseconds(random.number(below: 100_000)))
            default: .after(.microseconds(random.number(below: 20_000)))
            }
        let name = random.pick(names)
        let gap = Duration.microseconds(random.number(below: 5_000))
        let action: Timeline.Action =
            random.pick([.tap(name), .tap(name), .remove(name), .swap(out: name, in: random.pick(names), gap: gap)])
        return Timeline.Step(trigger, [action])
    }

    private static func move(_ random: inout TestRandom) -> Move {
        switch random.number(below: 12) {
        case 0: return .wait(.microseconds(random.number(below: 10_000)))
        case 1: return .field(isOn: random.oneIn(2))
        default:
            let waiting = Duration.microseconds(random.number(below: 30_000))
            return .exchange(frame(&random), waiting: random.oneIn(4) ? nil : waiting)
        }
    }

    private static func frame(_ random: inout TestRandom) -> RFFrame {
        switch random.number(below: 4) {
        case 0: return RFFrame(.typeA106, [random.pick([0x26, 0x52])], bitCount: TypeAFraming.shortFrameBits)
        case 1: return RFFrame(.typeA106, random.pick([[0x93, 0x20], [0x30, 0x00], [0x60]]))
        default:
            let slots: UInt8 = random.pick([0, 1, 3, 15])
            return RFFrame(.felica212, Polling.Request(systemCode: .any, timeSlot: slots).bytes)
        }
    }

    func world(_ trace: Trace, plan: FaultPlan = FaultPlan()) throws -> World {
        var world = World(seed: seed, timeline: timeline, plan: plan, trace: trace)
        var money = CardS.definition
        money.idm = IDm(0x0112_0000_0000_0001)
        world.add(try FeliCaCard(CardS.definition), named: Self.names[0])
        world.add(try FeliCaCard(money), named: Self.names[1])
        for (name, last) in zip(Self.names[2...], [0x80, 0x83] as [UInt8]) {
            let uid = try #require(UID([0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, last]))
            world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: name)
        }
        return world
    }

    /// Performs the reader's actions and returns the received answers.
    static func play(_ moves: some Sequence<Move>, in world: inout World) -> [FieldAnswer] {
        var answers: [FieldAnswer] = []
        for move in moves {
            switch move {
            case .exchange(let frame, let waiting): answers.append(world.exchange(frame, waiting: waiting))
            case .wait(let duration): world.advance(by: duration)
            case .field(let isOn): world.switchField(on: isOn)
            }
        }
        return answers
    }
}

@Suite struct `Random runs` {
    private static let runs = 300

    @Test func `are reproducible with the same seed, with and without a trace`() throws {
        var random = TestRandom()
        var heard = 0
        for _ in 0..<Self.runs {
            let run = RandomRun(&random)
            var (first, second, untraced) = (
                try run.world(Trace()), try run.world(Trace()), try run.world(.off)
            )
            let answers = RandomRun.play(run.moves, in: &first)
            #expect(RandomRun.play(run.moves, in: &second) == answers, "seed \(TestSeed.value)")
            #expect(RandomRun.play(run.moves, in: &untraced) == answers, "seed \(TestSeed.value)")
            #expect(first.trace.events == second.trace.events, "seed \(TestSeed.value)")
            #expect(first.now == untraced.now, "seed \(TestSeed.value)")
            heard += answers.count { $0 != .silence }
        }
        #expect(heard > Self.runs, "most runs must not be silent")
    }

    @Test func `do not change if a planned fault is never injected`() throws {
        var random = TestRandom()
        let fault = Fault(try #require(FaultCatalogue.named("rf.silence")))
        let polling = try #require(CommandName("felica.polling"))
        let plan = FaultPlan([.init(fault, when: .command(polling, nth: 1_000))])
        for _ in 0..<Self.runs {
            let run = RandomRun(&random)
            var (plain, planned) = (try run.world(Trace()), try run.world(Trace(), plan: plan))
            let answers = RandomRun.play(run.moves, in: &plain)
            #expect(RandomRun.play(run.moves, in: &planned) == answers, "seed \(TestSeed.value)")
            #expect(planned.trace.events == plain.trace.events, "seed \(TestSeed.value)")
            #expect(planned.now == plain.now, "seed \(TestSeed.value)")
            #expect(planned.answeringCard == plain.answeringCard, "seed \(TestSeed.value)")
            #expect(planned.plan.tallies[0].injected.isEmpty)
        }
    }

    @Test func `continue from a snapshot exactly like the original`() throws {
        var random = TestRandom()
        for _ in 0..<Self.runs {
            let run = RandomRun(&random)
            var world = try run.world(Trace())
            let cut = random.number(below: run.moves.count)
            _ = RandomRun.play(run.moves.prefix(cut), in: &world)
            var snapshot = world
            let answers = RandomRun.play(run.moves.dropFirst(cut), in: &world)
            #expect(RandomRun.play(run.moves.dropFirst(cut), in: &snapshot) == answers, "seed \(TestSeed.value)")
            #expect(snapshot.trace.events == world.trace.events, "seed \(TestSeed.value)")
        }
    }

    @Test func `have a trace ordered by card time`() throws {
        var random = TestRandom()
        for _ in 0..<Self.runs {
            let run = RandomRun(&random)
            var world = try run.world(Trace())
            _ = RandomRun.play(run.moves, in: &world)
            let times = world.trace.events.map(\.time)
            #expect(times == times.sorted(), "seed \(TestSeed.value)")
            #expect(world.trace.events.map(\.sequence) == Array(times.indices), "seed \(TestSeed.value)")
        }
    }
}

@Suite struct `Several FeliCa cards` {
    private func world(seed: UInt64, cards: Int) throws -> World {
        var world = World(seed: seed)
        for number in 0..<cards {
            var definition = CardS.definition
            definition.idm = IDm(0x0112_0000_0000_0000 + UInt64(number))
            world.add(try FeliCaCard(definition), named: "card\(number)")
            world.tap("card\(number)")
        }
        return world
    }

    @Test func `answer the same Polling in slots drawn from the seed`() throws {
        let frame = RFFrame(.felica212, Polling.Request(systemCode: .any, timeSlot: 15).bytes)
        var seen: Set<FieldAnswer> = []
        for seed in UInt64(0)..<40 {
            var (first, second) = (try world(seed: seed, cards: 2), try world(seed: seed, cards: 2))
            let answer = first.exchange(frame, waiting: .milliseconds(30))
            #expect(second.exchange(frame, waiting: .milliseconds(30)) == answer)
            if case .slots(let slots) = answer {
                #expect(slots.map(\.slot) == slots.map(\.slot).sorted())
                #expect(slots.allSatisfy { $0.frame.integrity == .good })
            }
            seen.insert(answer)
        }
        #expect(seen.count > 20)
    }

    @Test func `that collide are polled again until the first answers alone`() throws {
        let frame = RFFrame(.felica212, Polling.Request(systemCode: .any).bytes)
        for seed in UInt64(0)..<40 {
            var world = try world(seed: seed, cards: 3)
            let received = world.exchangeWithOneCard(frame, waiting: .milliseconds(30))
            let answer = try #require(received)
            #expect(answer.integrity == .good)
            #expect(try Polling.Response(parsing: answer.bytes).idm.rawValue >> 48 == 0x0112)
        }
    }
}
