import TapDoors

/// A turn that one at a time has, in the order of asking; who waits in a task holds no thread.
final class Turns: Sendable {
    /// The turn of those who hold the phone of the process.
    static let ofPhones = Turns()

    private struct State {
        var isTaken = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Waits for the turn; ``giveBack()`` has to follow.
    func take() async {
        await withCheckedContinuation { continuation in
            call { continuation.resume() }
        }
    }

    /// Waits for the turn on the calling thread; ``giveBack()`` has to follow.
    func takeBlocking() {
        let isMine = Condition(false)
        call {
            isMine.withLock { $0 = true }
            isMine.wakeAll()
        }
        isMine.waitUntilDone { $0 ? .done(()) : .wait(until: nil) }
    }

    /// Gives the turn to who waits longest.
    func giveBack() {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?()
    }

    /// Calls when it is the caller's turn, at once where nobody has it.
    private func call(_ body: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.isTaken { state.waiting.append(body) }
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { body() }
    }
}
