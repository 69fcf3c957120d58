import TapField
import TapWire
import TestSupport
import Testing

/// What a transport has to let its client wait for.
@Suite struct `The time by which a fault delays an answer` {
    /// The session with a FeliCa card up to an exchange into which a fault is injected.
    private func world(_ text: String, waiting: Duration?) throws -> World {
        let session = try FaultSession("felica")
        let trigger = EventTrigger(.exchange, nth: 2)
        var world = session.world(FaultPlan([.init(try fault(text), when: trigger)]))
        for frame in session.frames.prefix(2) { _ = world.exchange(frame, waiting: waiting) }
        return world
    }

    @Test func `is owed once`() throws {
        var world = try world("rf.delay by=3ms", waiting: nil)
        #expect(world.takeUnpaidDelay() == .milliseconds(3))
        #expect(world.takeUnpaidDelay() == .zero)
    }

    @Test func `ends where the reader gives up`() throws {
        let undelayed = try #require(try world("rf.delay by=0ms", waiting: nil).trace.exchanges.last)
        let punctual = try #require(undelayed.answers.first).time - undelayed.time - undelayed.command.commandAirTime
        var world = try world("rf.delay by=500ms", waiting: .milliseconds(20))
        #expect(world.takeUnpaidDelay() == .milliseconds(20) - punctual)
    }

    @Test func `is nothing for an answer that is on time, or never comes`() throws {
        for text in ["rf.silence", "rf.lose_tag", "rf.bad_crc"] {
            var world = try world(text, waiting: .milliseconds(20))
            #expect(world.takeUnpaidDelay() == .zero, "\(text)")
        }
    }
}
