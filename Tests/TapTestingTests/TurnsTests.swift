import TapSystem
import Testing

@testable import TapTesting

@Suite struct TurnsTests {
    @Test func onlyOneTaskAtATimeHasTheTurn() async throws {
        let turns = Turns()
        let state = Lock((inside: 0, most: 0, all: 0))
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try await turns.take()
                    state.withLock { state in
                        state.inside += 1
                        state.most = max(state.most, state.inside)
                    }
                    await Task.yield()
                    state.withLock { state in
                        state.inside -= 1
                        state.all += 1
                    }
                    turns.giveBack()
                }
            }
            try await group.waitForAll()
        }
        #expect(state.withLock { $0 } == (0, 1, 200))
    }

    @Test func aThreadWaitsForATaskAndATaskForAThread() async throws {
        let turns = Turns()
        let order = Lock<[String]>([])
        try await turns.take()
        async let thread: Void = BlockingThread.value {
            turns.takeBlocking()
            order.withLock { $0.append("thread") }
            turns.giveBack()
        }
        order.withLock { $0.append("task") }
        turns.giveBack()
        try await thread
        try await turns.take()
        turns.giveBack()
        #expect(order.withLock { $0 } == ["task", "thread"])
    }

    @Test func aCancelledTaskLeavesTheQueue() async throws {
        let turns = Turns()
        try await turns.take()
        let cancelled = Task { try await turns.take() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        turns.giveBack()
        try await turns.take()
        turns.giveBack()
    }
}
