import TapDoors

/// The time for which nobody has called a phone, although whoever wanted to could have.
///
/// A test may share the machine with hundreds of others, whose tasks stand before those of its app. So silence grows
/// in steps, and a step counts only once a task has run that was asked for at the step before: those of the app that
/// stood before it have run too. While the app is at work on what it was told there is no silence.
///
/// An app that calls again and again, with sleep in between, is never silent; ``PhoneWork/followClock()`` is for it.
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

    /// Whether a task that was asked for has not run yet, so that those of the app may not have run either.
    var isTaskDue: Bool { asked != nil }

    /// Something has happened.
    mutating func end() {
        steps = 0
    }

    /// The time of a step has passed.
    ///
    /// - Parameter isAppAtWork: Whether the app has not returned from what it was told.
    /// - Returns: Whether a task is to be asked for that calls ``taskRan()``.
    mutating func grow(isAppAtWork: Bool) -> Bool {
        let now = ContinuousClock.now
        atWork = isAppAtWork ? atWork ?? now : nil
        let isHeldUp = [asked, atWork].contains { begin in begin.map { now - $0 < Self.longestWait } ?? false }
        if !isHeldUp { steps += 1 }
        // The first one counts: threads that block for good are waited for once, not at every step.
        defer { asked = asked ?? now }
        return asked == nil
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
        let (steps, asks) = state.withLock { state in
            let asks = state.silence.grow(isAppAtWork: isAppAtWork)
            return (state.silence.steps, asks)
        }
        state.wakeAll()
        if asks { Task.detached { [state] in state.withLock { $0.silence.taskRan() } } }
        if open != nil, steps >= Silence.stepsOfIdle {
            state.withLock { $0.silence.end() }
            passTime()
        }
    }
}
