import TapDoors

/// The time for which nobody has called a phone, although whoever wanted to could have.
///
/// A test may share the machine with hundreds of others, whose tasks stand before those of its app. So silence grows
/// in steps, and a step counts only once a task has run that was asked for at the step before: those of the app that
/// stood before it have run too. While the app is at work on what it was told there is no silence.
struct Silence: Sendable {
    /// How many steps make the time after which virtual time jumps on.
    static let stepsOfIdle = 10
    /// How long a task may not run, or an app be at work, before the waiting for it ends.
    ///
    /// Threads that block for good do not block the phone too.
    private static let longestWait = Duration.seconds(30)

    /// The steps since something last happened.
    private(set) var steps = 0
    /// When the task was asked for that has not run yet.
    private var asked: ContinuousClock.Instant?
    /// Since when the app is at work on what it was told.
    private var atWork: ContinuousClock.Instant?

    /// Something has happened.
    mutating func end() {
        steps = 0
    }

    /// The time of a step has passed.
    ///
    /// - Parameter isAppAtWork: Whether the app has not returned from what it was told.
    /// - Returns: Whether the silence has grown; a task is to be asked for then that calls ``taskRan()``.
    mutating func grow(isAppAtWork: Bool) -> Bool {
        atWork = isAppAtWork ? atWork ?? .now : nil
        for begin in [asked, atWork].compactMap(\.self) where ContinuousClock.now - begin < Self.longestWait {
            return false
        }
        steps += 1
        asked = .now
        return true
    }

    /// A task that was asked for has run.
    mutating func taskRan() {
        asked = nil
    }
}

extension PhoneSettings {
    /// The time of a step.
    var step: Duration { max(.milliseconds(1), idle / Silence.stepsOfIdle) }
}

extension PhoneWork {
    /// The time of a step has passed without a call, or the time of a session by the clock of the machine.
    mutating func silenceGrew() {
        guard settings.clock == .virtual else {
            passTime()
            return
        }
        let isAppAtWork = open?.session.isAppAtWork ?? false
        let (steps, grows) = state.withLock { state in
            let grows = state.silence.grow(isAppAtWork: isAppAtWork)
            return (state.silence.steps, grows)
        }
        guard grows else { return }
        state.wakeAll()
        Task.detached { [state] in state.withLock { $0.silence.taskRan() } }
        if open != nil, steps >= Silence.stepsOfIdle {
            state.withLock { $0.silence.end() }
            passTime()
        }
    }
}

extension VirtualPhone {
    /// Waits until something is there.
    ///
    /// - Parameters:
    ///   - patience: For how long nothing may happen to the phone where time is virtual, else how long to wait, by the
    ///     clock of the machine.
    ///   - body: What is waited for; asked again each time something has happened.
    /// - Returns: What is there, or nothing if it did not come in time.
    func wait<Value>(_ patience: Duration, for body: (inout State) -> Value?) -> Value? {
        let deadline = ContinuousClock.now + patience
        let isVirtual = settings.clock == .virtual
        let steps = max(1, patience / settings.step)
        state.withLock { state in
            state.waiters += 1
            state.silence.end()
        }
        state.wakeAll()
        defer { state.withLock { $0.waiters -= 1 } }
        return state.waitUntilDone { state in
            if let value = body(&state) { return .done(value) }
            if isVirtual, !state.isClosed {
                return Double(state.silence.steps) >= steps ? .done(nil) : .wait(until: nil)
            }
            return ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }
}
