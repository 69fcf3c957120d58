import TapField
import TapReaders
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// A reader's slot, which reports cards that come and go.
@Suite struct `A reader slot` {
    /// The stack size of a thread that would overflow if calls piled up.
    private static let stackSize = 512 * 1_024

    @Test func `reports the last of many changes just like the first`() throws {
        var world = World(seed: 1)
        world.add(try CardS.card(), named: "suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(ScriptedReader(), on: host)
        let told = Lock(0)
        slot.follow { _ in told.withLock { $0 += 1 } }
        let thread = try BlockingThread(stackSize: Self.stackSize) {
            for _ in 0..<10_000 {
                host.perform { $0.tap("suica") }
                slot.refresh()
                host.perform { $0.remove("suica") }
                slot.refresh()
            }
        }
        thread.join()
        #expect(told.withLock { $0 } == 20_001)
    }

    @Test func `reports a change before anybody else uses it`() throws {
        var world = World(seed: 1)
        world.add(try CardS.card(), named: "suica")
        world.tap("suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(ScriptedReader(), on: host)
        let (gate, steps) = (Gate(), Lock<[String]>([]))
        slot.follow { state in
            guard state.content == .empty else { return }
            steps.withLock { $0.append("begin") }
            gate.pass()
            steps.withLock { $0.append("end") }
        }
        host.perform { $0.remove("suica") }
        let first = try BlockingThread { slot.refresh() }
        rest(while: steps.withLock { $0.isEmpty })
        let second = try BlockingThread {
            _ = slot.transmit([0xFF, 0xCA, 0, 0, 0], afterChanges: 1)
            steps.withLock { $0.append("used") }
        }
        BlockingThread.sleep(until: .now + .milliseconds(20))
        gate.open()
        for thread in [first, second] { thread.join() }
        #expect(steps.withLock { $0 } == ["begin", "end", "used"])
    }

    /// Otherwise the frames of the reader would count as those of a client that never ends.
    @Test(arguments: [(silences: 4, isFound: true), (silences: 1_000, isFound: false)])
    func `polls again for a card that faults hide, but only a few times`(silences: Int, isFound: Bool) throws {
        let silence = Fault(try #require(FaultCatalogue.named("rf.silence")))
        let times = IntegerRange(1, through: silences)
        var world = World(seed: 1, plan: FaultPlan([.init(silence, when: EventTrigger(.exchange), times: times)]))
        world.add(try CardS.card(), named: "suica")
        world.tap("suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(StorageCardReader(), on: host)
        #expect(slot.refresh().content == .empty)
        slot.retry()
        let count = host.perform { $0.plan.tallies[0].injected.count }
        for _ in 0..<10 { slot.retry() }
        #expect((slot.refresh().content != .empty) == isFound)
        #expect(host.perform { $0.plan.tallies[0].injected.count } == count)
    }

    /// The card has lost power, which the reader would not notice.
    @Test func `makes its card leave and return if the reader is unplugged and plugged in immediately`() throws {
        var world = World(seed: 1)
        world.place([ReaderField("desk")])
        world.add(try CardS.card(), named: "suica")
        world.tap("suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(StorageCardReader(), on: host)
        let command: [UInt8] = [0xFF, 0xCA, 0, 0, 0]
        #expect(slot.refresh().changes == 1)
        host.perform { world in
            world.unplug("desk")
            world.plug("desk")
        }
        #expect(slot.transmit(command, afterChanges: 1) == .noCard)
        #expect(slot.refresh().changes == 3)
        #expect(slot.transmit(command, afterChanges: 3) != .noCard)
    }
}
