import TapField
import TapWire
import TestSupport
import Testing

/// Random faults with random arguments on random sessions.
@Suite struct `Random faults` {
    private static func value(_ parameter: FaultParameter, _ random: inout TestRandom) -> FaultValue {
        switch parameter.kind {
        case .integer(let bounds): .integer(random.oneIn(3) ? bounds.upperBound : random.number(bounds))
        case .bytes(let count): .bytes(random.bytes(random.number(count.clamped(to: 0...300))))
        case .duration: .time(.duration(.microseconds(random.number(below: 50_000))))
        case .timeAmount: .time(.percent(random.number(0...1_000)))
        case .share(let bounds): .time(.percent(random.number(bounds)))
        case .keyword(let words): .keyword(random.pick(words))
        case .flag: .flag(random.oneIn(2))
        case .card: .keyword(random.pick(["card", "another card", "nobody"]))
        }
    }

    private static func entry(_ random: inout TestRandom) -> FaultPlan.Entry {
        let kind = random.pick(FaultCatalogue.all)
        var arguments: [String: FaultValue] = [:]
        for parameter in kind.parameters where random.oneIn(2) { arguments[parameter.name] = value(parameter, &random) }
        let fault = Fault(kind, arguments, fix: Set(Fault.Fix.allCases.filter { _ in random.oneIn(4) }))
        let times = IntegerRange(1, through: random.oneIn(3) ? nil : random.number(1...3))
        return FaultPlan.Entry(fault, when: EventTrigger(.exchange, nth: random.number(1...8)), times: times)
    }

    /// Plays a reader that looks for both kinds of cards and ignores errors.
    private static func play(_ session: FaultSession, in world: inout World) -> [FieldAnswer] {
        var answers: [FieldAnswer] = []
        for frame in session.frames + session.frames {
            answers.append(world.exchange(frame, waiting: answers.count % 5 == 0 ? nil : FaultSession.patience))
        }
        _ = world.selectTypeA(.wupa, waiting: FaultSession.patience)
        let polling = RFFrame(.felica212, Polling.Request(systemCode: .any).bytes)
        _ = world.exchangeWithOneCard(polling, waiting: FaultSession.patience)
        return answers
    }

    @Test(arguments: ["felica", "ntag"])
    func `cause no trap, and the same seed gives the same trace`(card: String) throws {
        var random = TestRandom(card)
        for round in 0..<TestScale.count(100) {
            let plan = FaultPlan((0...random.number(below: 4)).map { _ in Self.entry(&random) })
            let session = try FaultSession(card)
            let faults = plan.entries.map { "\($0.trigger.nth): \($0.fault)" }.joined(separator: "; ")
            var (first, second) = (session.world(plan), session.world(plan, trace: .off))
            let answers = Self.play(session, in: &first)
            let seed = "TAPSIM_TEST_SEED=\(TestSeed.value), round \(round): \(faults)"
            #expect(Self.play(session, in: &second) == answers, "the trace changes answers; \(seed)")
            var third = session.world(plan)
            _ = Self.play(session, in: &third)
            #expect(third.trace.events == first.trace.events, "\(seed)")
            let times = first.trace.events.map(\.time)
            #expect(times == times.sorted(), "time runs backwards; \(seed)")
            for frame in first.trace.exchanges.flatMap(\.answers).map(\.frame) {
                #expect(frame.bytes.count == (frame.bitCount + 7) / 8 && frame.bitCount > 0, "\(seed)")
            }
        }
    }

    @Test func `can be injected with default arguments at every possible exchange`() throws {
        for kind in FaultCatalogue.all {
            for card in ["felica", "ntag"] {
                let session = try FaultSession(card)
                var clean = session.world(FaultPlan())
                for frame in session.frames { _ = clean.exchange(frame, waiting: FaultSession.patience) }
                let fault = Fault(kind)
                for place in fault.places(in: clean.trace.exchanges, cards: clean.cards.map(\.engine)) {
                    var world = session.world(FaultPlan([.init(fault, when: EventTrigger(.exchange, nth: place))]))
                    for frame in session.frames { _ = world.exchange(frame, waiting: FaultSession.patience) }
                    #expect(world.plan.tallies[0].injected.first == place, "\(kind.name) with \(card)")
                }
            }
        }
    }
}
