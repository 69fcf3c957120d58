import TapField
import TapWire
import TestSupport
import Testing

/// The delay that a transport must pass on to its client.
@Suite struct `The delay that a fault adds to an answer` {
    /// Plays the session with a FeliCa card up to the exchange into which a fault is injected.
    private func world(_ text: String, waiting: Duration?) throws -> World {
        let session = try FaultSession("felica")
        let trigger = EventTrigger(.exchange, nth: 2)
        var world = session.world(FaultPlan([.init(try fault(text), when: trigger)]))
        for frame in session.frames.prefix(2) { _ = world.exchange(frame, waiting: waiting) }
        return world
    }

    @Test func `is reported once`() throws {
        var world = try world("rf.delay by=3ms", waiting: nil)
        #expect(world.takeUnpaidDelay() == .milliseconds(3))
        #expect(world.takeUnpaidDelay() == .zero)
    }

    @Test func `is limited by the reader's timeout`() throws {
        let undelayed = try #require(try world("rf.delay by=0ms", waiting: nil).trace.exchanges.last)
        let punctual =
            try #require(undelayed.answers.first).time - undelayed.time - undelayed.command.commandTransmissionTime
        var world = try world("rf.delay by=500ms", waiting: .milliseconds(20))
        #expect(world.takeUnpaidDelay() == .milliseconds(20) - punctual)
    }

    @Test func `is zero if the answer is on time or never arrives`() throws {
        for text in ["rf.silence", "rf.lose_tag", "rf.bad_crc"] {
            var world = try world(text, waiting: .milliseconds(20))
            #expect(world.takeUnpaidDelay() == .zero, "\(text)")
        }
    }
}
