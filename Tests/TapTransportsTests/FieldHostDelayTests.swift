import TapCards
import TapHost
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A field with a fault that delays an answer` {
    @Test func `makes the external client wait for the delay`() throws {
        let kind = try #require(FaultCatalogue.named("rf.delay"))
        let delay = Duration.milliseconds(3)
        let fault = Fault(kind, ["by": .time(.duration(delay))])
        var world = World(seed: 1, plan: FaultPlan([.init(fault, when: EventTrigger(.exchange, nth: 1))]))
        world.add(try CardS.card(), named: "card")
        world.tap("card")
        let host = FieldHost(world)
        let polling = RFFrame(.felica212, Polling.Request(systemCode: .transit).bytes)
        let begin = ContinuousClock.now
        #expect(host.exchange(polling) != nil)
        // A clock that continues can only increase the time.
        #expect(ContinuousClock.now - begin >= delay)
        var paid = host.snapshot
        #expect(paid.takeUnpaidDelay() == .zero)
    }
}
