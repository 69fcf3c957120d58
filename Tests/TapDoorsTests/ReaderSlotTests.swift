import TapDoors
import TapField
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
}
