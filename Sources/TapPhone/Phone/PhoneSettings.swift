import TapHost
import TapSystem
import TapField
import TapScenario
import TapWire

/// The kind of phone that reads the cards, and its app.
public struct PhoneSettings: Sendable {
    /// The time that sessions are counted in.
    public enum Clock: Hashable, Sendable {
        /// Card time: it passes with exchanges, and jumps when an app idles.
        case virtual
        /// The clock of the machine.
        case real
    }

    /// The default idle time of an app, by the clock of the machine, before virtual time jumps; longer than the half
    /// second that apps wait before they look for tags again.
    public static let defaultIdle = Duration.seconds(3)

    /// The text for the user where system codes are stated without one.
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
        // Without system codes those of the cards count, unless an empty text is to be found missing.
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
    /// A Boolean value that indicates whether the text for the user counts as declared although nothing states it.
    var assumesUsage: Bool { !declarations.isGiven || declarations.usageDescription == Self.assumedUsage }
}

/// How far virtual time is behind the clock of the machine.
///
/// An app may sleep by that clock and call again and again, to see whether its card is still there or until one of two
/// cards is gone. Its calls take hardly any card time, so virtual time follows the clock at a distance. An app that
/// does not sleep is done long before, and everything happens to it at the same time in each run.
struct Lag: Sendable {
    /// The most that counts beyond the time of a step; a longer delay is a stopped process, as in a debugger.
    private static let longestDelay = Duration.seconds(1)

    private(set) var time = Duration.zero
    private var looked = ContinuousClock.now
    private var seen = Duration.zero

    /// - Parameters:
    ///   - step: How long the phone sleeps before it looks again.
    ///   - isCounted: Whether the time since the last look counts.
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
    /// Lets virtual time follow the clock of the machine at the distance of ``PhoneSettings/idle``; time in which no
    /// task could run does not count: the app may have wanted to call.
    mutating func followClock() {
        guard settings.clock == .virtual else { return }
        let isTaskDue = state.withLock { $0.silence.isTaskDue }
        lag.look(at: host.perform { $0.now }, after: settings.step, isCounted: !isTaskDue)
        guard open != nil else { return lag.reset() }
        // In whole steps, so that small delays of the machine have no effect.
        let steps = Int((lag.time - settings.idle) / settings.step)
        if steps > 0 { pass(settings.step * steps) }
    }

    /// Lets virtual time pass, at most to the end of a session.
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

/// The time without a call to a phone, although any caller could have run.
///
/// A test may share the machine with hundreds of others, whose tasks run before those of its app. So silence grows in
/// steps, and a step counts only once a task has run that was requested at the step before; earlier tasks of the app
/// have run too. While the app is at work on a call there is no silence.
///
/// An app that calls in a loop with sleep is never silent; ``PhoneWork/followClock()`` is for it.
struct Silence: Sendable {
    /// Steps of silence before virtual time jumps.
    static let stepsOfIdle = 10
    /// How long a task may not run, or an app be at work, before the wait ends, so that blocked threads do not block
    /// the phone too.
    private static let longestWait = Duration.seconds(30)

    private(set) var steps = 0
    /// When the requested task was asked for, until it runs.
    private var asked: ContinuousClock.Instant?
    private var atWork: ContinuousClock.Instant?

    /// Whether a requested task has not run yet, and so perhaps not those of the app.
    var isTaskDue: Bool { asked != nil }

    mutating func end() {
        steps = 0
    }

    /// Counts a step; true if a task is to be started that calls ``taskRan()``.
    mutating func grow(isAppAtWork: Bool) -> Bool {
        let now = ContinuousClock.now
        atWork = isAppAtWork ? atWork ?? now : nil
        let isHeldUp = [asked, atWork].contains { begin in begin.map { now - $0 < Self.longestWait } ?? false }
        if !isHeldUp { steps += 1 }
        // The first request counts: threads that block for good are waited for once, not at every step.
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
    /// A step has passed without a call, or a session's time by the clock of the machine.
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
