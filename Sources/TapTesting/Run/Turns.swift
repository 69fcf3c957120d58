import TapDoors

/// A turn that one at a time has, in the order of asking; who waits in a task holds no thread.
final class Turns: Sendable {
    /// The turn of those who hold the phone of the process.
    static let ofPhones = Turns()

    private struct State {
        var isTaken = false
        var waiting: [Waiter] = []
        var nextNumber = 0
        /// Those that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    /// Somebody who waits, and is told whether it is his turn; it is not when he was cancelled.
    private struct Waiter {
        let number: Int
        let tell: @Sendable (Bool) -> Void
    }

    private let state = Lock(State())

    /// Waits for the turn; ``giveBack()`` has to follow.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, as the time limit of a test does.
    func take() async throws {
        let number = makeNumber()
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(Waiter(number: number) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            cancel(number)
        }
        guard isMine else { throw CancellationError() }
    }

    /// Waits for the turn on the calling thread; ``giveBack()`` has to follow.
    func takeBlocking() {
        let isMine = Condition(false)
        wait(
            Waiter(number: makeNumber()) { _ in
                isMine.withLock { $0 = true }
                isMine.wakeAll()
            })
        isMine.waitUntilDone { $0 ? .done(()) : .wait(until: nil) }
    }

    func giveBack() {
        let next = state.withLock { state -> Waiter? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.tell(true)
    }

    private func makeNumber() -> Int {
        state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
    }

    /// Tells when it is the turn of somebody, at once where nobody has it or he was cancelled.
    private func wait(_ waiter: Waiter) {
        let answer = state.withLock { state -> Bool? in
            if state.cancelled.remove(waiter.number) != nil { return false }
            if state.isTaken {
                state.waiting.append(waiter)
                return nil
            }
            state.isTaken = true
            return true
        }
        if let answer { waiter.tell(answer) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if let place = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: place)
            }
            state.cancelled.insert(number)
            return nil
        }
        waiter?.tell(false)
    }
}
