import TapDoors
import TapField
import TapReaders
import TestSupport
import Testing

/// A slot of a reader tells of cards that come and go.
@Suite struct `A slot of a reader` {
    /// Of a thread on which nothing may pile up.
    private static let stackSize = 512 * 1_024

    @Test func `tells of the last of many changes as it did of the first`() throws {
        var world = World(seed: 1)
        world.add(try CardS.card(), named: "suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(ScriptedReader(), on: host)
        let told = Lock(0)
        slot.onChange { told.withLock { $0 += 1 } }
        let thread = try BlockingThread(stackSize: Self.stackSize) {
            for _ in 0..<10_000 {
                host.perform { $0.tap("suica") }
                slot.refresh()
                host.perform { $0.remove("suica") }
                slot.refresh()
            }
        }
        thread.join()
        #expect(told.withLock { $0 } == 20_000)
    }

    /// It has lost power, which the reader would not know.
    @Test func `lets its card leave and come back where its reader was unplugged and plugged in at once`() throws {
        var world = World(seed: 1)
        world.place([ReaderField("desk")])
        world.add(try CardS.card(), named: "suica")
        world.tap("suica")
        let host = FieldHost(world)
        let slot = ReaderSlot(StorageCardReader(), on: host)
        let command: [UInt8] = [0xFF, 0xCA, 0, 0, 0]
        slot.refresh()
        #expect(slot.current.changes == 1)
        host.perform { world in
            world.unplug("desk")
            world.plug("desk")
        }
        #expect(slot.transmit(command, afterChanges: 1) == .noCard)
        #expect(slot.current.changes == 3)
        #expect(slot.transmit(command, afterChanges: 3) != .noCard)
    }
}
