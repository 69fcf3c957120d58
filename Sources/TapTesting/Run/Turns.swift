import TapSystem

/// A fair lock whose waiting tasks block no thread.
final class Turns: Sendable {
    /// The turn to hold the process's phone.
    static let ofPhones = Turns()

    private struct State {
        var isTaken = false
        var waiting: [Waiter] = []
        var nextNumber = 0
        var cancelled: Set<Int> = []
    }

    /// A waiting caller, which is called with true when it has the turn, or with false if it was cancelled.
    private struct Waiter {
        let number: Int
        let report: @Sendable (Bool) -> Void
    }

    private let state = Lock(State())

    /// Waits for the turn; ``giveBack()`` must follow.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first, for example by a test's time limit.
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

    /// Waits for the turn on the calling thread; ``giveBack()`` must follow.
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
        next?.report(true)
    }

    private func makeNumber() -> Int {
        state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
    }

    /// Resumes a caller when it has the turn, or immediately if it was cancelled.
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
        if let answer { waiter.report(answer) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if let place = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: place)
            }
            state.cancelled.insert(number)
            return nil
        }
        waiter?.report(false)
    }
}
