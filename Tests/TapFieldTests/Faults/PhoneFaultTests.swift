import TapCards
import TapWire
import Testing

@testable import TapField

@Suite struct `Faults of a phone` {
    private func world(_ name: String, when event: EventPattern, nth: Int = 1, times: IntegerRange? = nil) throws
        -> World
    {
        let kind = try #require(FaultCatalogue.named(name))
        let entry = FaultPlan.Entry(Fault(kind), when: EventTrigger(event, nth: nth), times: times)
        var world = World(seed: 1, plan: FaultPlan([entry]), trace: Trace())
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag")
        world.tap("tag")
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        return world
    }

    private func readPage(_ world: inout World) {
        _ = world.exchange(RFFrame(.typeA106, ReadPages.Request(page: 4).bytes), waiting: .milliseconds(5))
    }

    @Test func `are injected once at the event they wait for, and can be taken once`() throws {
        var world = try world("phone.user_cancel", when: .phone(.connected), nth: 2)
        var taken: [[PhoneFault]] = []
        for event: PhoneEvent in [.began, .activated, .connected, .detected, .connected, .connected] {
            world.happened(event)
            taken.append(world.takePhoneFaults())
        }
        #expect(taken == [[], [], [], [], [.userCancel], []])
        #expect(world.plan.tallies[0].seen == 3 && world.plan.unmet.isEmpty)
        #expect(world.trace.events.count { if case .fault = $0.kind { true } else { false } } == 1)
    }

    @Test func `that wait for a command change the call in progress`() throws {
        var world = try world(
            "phone.connection_lost", when: .command(CommandPattern(try #require(CommandName("ntag.read")))))
        world.happened(.command)
        #expect(world.takePhoneFaults().isEmpty)
        readPage(&world)
        #expect(world.takePhoneFaults() == [.connectionLost] && world.takePhoneFaults().isEmpty)
        #expect(world.plan.tallies[0].injected == [world.exchangeCount])
    }

    @Test func `that wait for a card event are injected at the next matching phone event`() throws {
        var world = try world("phone.system_busy", when: .card(.removed, name: nil))
        world.happened(.began)
        #expect(world.takePhoneFaults().isEmpty)
        world.remove("tag")
        world.happened(.ended)
        #expect(world.takePhoneFaults().isEmpty)
        world.happened(.began)
        #expect(world.takePhoneFaults() == [.systemBusy])
        world.happened(.began)
        #expect(world.takePhoneFaults().isEmpty)
    }

    @Test func `that describe the phone itself are injected every time`() throws {
        var world = try world("phone.unsupported", when: .phone(.available))
        for event: PhoneEvent in [.available, .began, .available] {
            world.happened(event)
            #expect(world.takePhoneFaults() == [.unsupported])
        }
    }

    @Test func `allow RF faults that wait for a phone event`() throws {
        var world = try world("rf.silence", when: .phone(.connected))
        let frame = RFFrame(.typeA106, ReadPages.Request(page: 4).bytes)
        #expect(world.exchange(frame, waiting: .milliseconds(5)) != .silence)
        world.happened(.connected)
        #expect(world.exchange(frame, waiting: .milliseconds(5)) == .silence)
        #expect(world.takePhoneFaults().isEmpty)
    }

    @Test func `allow timeline steps that wait for a phone event`() throws {
        var world = try world("phone.background", when: .phone(.alert))
        world.begin(Timeline([Timeline.Step(.event(EventTrigger(.phone(.call))), [.remove("tag")])]))
        world.happened(.detected)
        #expect(world.card(named: "tag")?.isPresent == true)
        world.happened(.readNDEF)
        #expect(world.card(named: "tag")?.isPresent == false)
    }

    @Test(arguments: [
        (PhoneFault.userCancel, PhoneEvent.detected, 200), (.timeLimit, .command, 201), (.background, .alert, 202),
        (.radioOff, .began, 6), (.systemBusy, .began, 203), (.unsupported, .available, 1),
        (.missingEntitlement, .began, 2), (.connectionLost, .command, 100), (.stackError(nil), .readNDEF, 102),
        (.stackError(nil), .queryNDEF, 104), (.stackError(nil), .writeNDEF, 401), (.stackError(nil), .lockNDEF, 401),
        (.stackError(.tagNotConnected), .writeNDEF, 104),
    ])
    func `have the error codes of Core NFC`(fault: PhoneFault, event: PhoneEvent, code: Int) {
        #expect(fault.code(in: event).rawValue == code)
    }

    @Test func `declare where they are injected and have a single kind of effect`() {
        for kind in FaultCatalogue.all where kind.family == "phone" {
            guard case .phone(let effect) = kind.effect, let events = kind.scope.phoneEvents else {
                Issue.record("\(kind.name) is not a phone fault")
                continue
            }
            let fault = effect(Fault(kind).arguments)
            #expect(fault.keepsSessionFromBeginning == events.contains(.began), "\(kind.name)")
            #expect(fault.endsSession == events.contains(.activated), "\(kind.name)")
            #expect(!events.contains(.ended), "\(kind.name)")
        }
    }

    @Test func `have a unique name for each error`() {
        let words = PhoneErrorCode.allCases.map(\.scenarioName)
        #expect(Set(words).count == words.count)
        for code in PhoneErrorCode.allCases { #expect(PhoneErrorCode(scenarioName: code.scenarioName) == code) }
        #expect(PhoneErrorCode(scenarioName: "none") == nil)
    }
}
