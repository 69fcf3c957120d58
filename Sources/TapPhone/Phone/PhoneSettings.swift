import TapHost
import TapSystem
import TapField
import TapScenario
import TapWire

/// The settings of a phone that reads the cards, and of its app.
public struct PhoneSettings: Sendable {
    /// The clock that measures sessions.
    public enum Clock: Hashable, Sendable {
        /// Card time, which advances with exchanges and jumps when an app is idle.
        case virtual
        /// Real time.
        case real
    }

    /// The default idle time of an app, in real time, before virtual time jumps.
    ///
    /// It is longer than the half second for which apps wait before they look for tags again.
    public static let defaultIdle = Duration.seconds(3)

    /// The usage description if system codes are given without one.
    private static let assumedUsage = "No text is stated."

    public var declarations: PhoneDeclarations
    public var policy: PhonePolicy
    public var clock: Clock
    /// The idle time of an app before virtual time jumps.
    public var idle: Duration
    public var sessionLimit: Duration

    public init(
        declarations: PhoneDeclarations = .notGiven, policy: PhonePolicy = .default,
        clock: Clock = .virtual, idle: Duration = defaultIdle, sessionLimit: Duration = PhoneSpec.defaultTimeLimit
    ) {
        self.declarations = declarations
        self.policy = policy
        self.clock = clock
        self.idle = idle
        self.sessionLimit = sessionLimit
    }

    public init(_ scenarioCase: ScenarioCase, clock: Clock = .virtual) {
        self.init(clock: clock)
        switch scenarioCase.settings.clock {
        case .virtual: self.clock = .virtual
        case .real: self.clock = .real
        case .auto: break
        }
        idle = scenarioCase.limits.idle ?? idle
        guard let phone = scenarioCase.phone else { return }
        // If no system codes are given, those of the cards count, unless the test wants an empty usage description to be
        // noticed.
        if phone.systemCodes != nil || phone.usage == "" {
            declarations = PhoneDeclarations(
                feliCaSystemCodes: (phone.systemCodes ?? []).map(\.description),
                usageDescription: phone.usage ?? Self.assumedUsage)
        }
        policy.nak = phone.nak ?? policy.nak
        policy.secondSession = phone.secondSession ?? policy.secondSession
        sessionLimit = phone.timeLimit ?? sessionLimit
    }
}

extension PhoneSettings {
    /// A Boolean value that indicates whether the usage description counts as declared although it is not given.
    var assumesUsage: Bool { !declarations.isGiven || declarations.usageDescription == Self.assumedUsage }
}

/// The lag of virtual time behind real time.
///
/// An app may sleep in real time and call again and again, to see whether its card is still present or until one of two cards
/// has left. Its calls take hardly any card time, so virtual time follows real time at a distance. An app that does not sleep
/// finishes long before that, and everything happens to it at the same time in each run.
struct Lag: Sendable {
    /// The maximum that counts beyond the time of a step; a longer delay means a stopped process, as in a debugger.
    private static let longestDelay = Duration.seconds(1)

    private(set) var time = Duration.zero
    private var looked = ContinuousClock.now
    private var seen = Duration.zero

    /// - Parameters:
    ///   - step: The time for which the phone sleeps before it looks again.
    ///   - isCounted: A Boolean value that indicates whether the time since the last look counts.
    mutating func look(at now: Duration, after step: Duration, isCounted: Bool) {
        let clock = ContinuousClock.now
        let passed = isCounted ? min(clock - looked, step + Self.longestDelay) : .zero
        time = max(.zero, time + passed - (now - seen))
        (looked, seen) = (clock, now)
    }

    mutating func reset() {
        time = .zero
    }
}

extension PhoneWork {
    /// Lets virtual time follow real time at the distance of ``PhoneSettings/idle``.
    ///
    /// Time in which no task could run does not count, since the app may have wanted to call.
    mutating func followClock() {
        guard settings.clock == .virtual else { return }
        let isTaskDue = state.withLock { $0.silence.isTaskDue }
        lag.look(at: host.perform { $0.now }, after: settings.step, isCounted: !isTaskDue)
        guard open != nil else { return lag.reset() }
        // In whole steps, so that small delays of the machine have no effect.
        let steps = Int((lag.time - settings.idle) / settings.step)
        if steps > 0 { pass(settings.step * steps) }
    }

    /// Advances virtual time, at most to the end of the session.
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

/// The time without a call to the phone in which any caller could have run.
///
/// A test may share the machine with hundreds of others, whose tasks run before those of its app. So silence grows in steps,
/// and a step counts only after a task has run that was requested at the previous step; earlier tasks of the app have then
/// run too. While the app is working on a call, there is no silence.
///
/// An app that calls in a loop with sleeps is never silent; ``PhoneWork/followClock()`` handles it.
struct Silence: Sendable {
    /// The number of silent steps before virtual time jumps.
    static let stepsOfIdle = 10
    /// The maximum time to wait for a task to run or an app to finish its work, so that blocked threads do not also block the
    /// phone.
    private static let longestWait = Duration.seconds(30)

    private(set) var steps = 0
    /// The time at which a task was requested, until it runs.
    private var asked: ContinuousClock.Instant?
    private var atWork: ContinuousClock.Instant?

    /// A Boolean value that indicates whether a requested task has not run yet, and so perhaps the app's tasks have not
    /// either.
    var isTaskDue: Bool { asked != nil }

    mutating func end() {
        steps = 0
    }

    /// Counts a step; returns true if the caller has to start a task that calls ``taskRan()``.
    mutating func grow(isAppAtWork: Bool) -> Bool {
        let now = ContinuousClock.now
        atWork = isAppAtWork ? atWork ?? now : nil
        let isHeldUp = [asked, atWork].contains { begin in begin.map { now - $0 < Self.longestWait } ?? false }
        if !isHeldUp { steps += 1 }
        // Only the first request counts: threads that block forever are waited for once, not at every step.
        defer { asked = asked ?? now }
        return asked == nil
    }

    mutating func taskRan() {
        asked = nil
    }
}

extension PhoneSettings {
    var step: Duration { max(.milliseconds(1), idle / Silence.stepsOfIdle) }
}

extension PhoneWork {
    /// Handles a step without a call or, in real time, the end of a session's time.
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
