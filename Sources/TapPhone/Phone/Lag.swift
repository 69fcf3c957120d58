import TapDoors
import TapField

/// How far virtual time is behind the clock of the machine.
///
/// An app may sleep by that clock and call again and again: to see whether its card still lies there, or until one of two
/// cards is taken away. Its calls take hardly any card time, so virtual time follows the clock at a distance. An app that
/// does not sleep is done long before that, and everything happens to it at the same time in each run.
struct Lag: Sendable {
    /// What counts at most beyond the time of a step: what is longer is a process that was stopped, as by a debugger.
    private static let longestDelay = Duration.seconds(1)

    /// How far it is behind.
    private(set) var time = Duration.zero
    private var looked = ContinuousClock.now
    private var seen = Duration.zero

    /// Compares the two.
    ///
    /// - Parameters:
    ///   - now: What virtual time it is.
    ///   - step: How long the phone sleeps before it looks again.
    ///   - isCounted: Whether the time since the last look counts.
    mutating func look(at now: Duration, after step: Duration, isCounted: Bool) {
        let clock = ContinuousClock.now
        let passed = isCounted ? min(clock - looked, step + Self.longestDelay) : .zero
        time = max(.zero, time + passed - (now - seen))
        (looked, seen) = (clock, now)
    }

    /// Begins anew.
    mutating func reset() {
        time = .zero
    }
}

extension PhoneWork {
    /// Lets virtual time follow the clock of the machine, at the distance of ``PhoneSettings/idle``.
    ///
    /// Time in which no task could run does not count: the app may have wanted to call.
    mutating func followClock() {
        guard settings.clock == .virtual else { return }
        let isTaskDue = state.withLock { $0.silence.isTaskDue }
        lag.look(at: host.perform { $0.now }, after: settings.step, isCounted: !isTaskDue)
        guard open != nil else { return lag.reset() }
        // In whole steps, so that small delays of the machine show nowhere.
        let steps = Int((lag.time - settings.idle) / settings.step)
        if steps > 0 { pass(settings.step * steps) }
    }

    /// Lets virtual time pass, as far as the end of a session at once.
    mutating func pass(_ time: Duration) {
        var left = max(.zero, time)
        while left > .zero {
            let (now, presence) = host.perform { ($0.now, $0.presenceCount) }
            let limit = open.map { $0.began + settings.sessionLimit - now } ?? left
            let step = min(left, max(.nanoseconds(1), limit))
            host.perform { $0.advance(by: step) }
            left -= step
            if host.perform({ $0.presenceCount }) != presence { fieldHasChanged() }
            moveOn()
        }
    }
}
