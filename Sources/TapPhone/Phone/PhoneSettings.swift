import TapDoors
import TapField
import TapScenario
import TapWire

/// What kind of phone reads the cards, and for which app.
public struct PhoneSettings: Sendable {
    /// What the time of a session is counted in.
    public enum Clock: Hashable, Sendable {
        /// Card time: it passes with exchanges, and jumps on where an app does nothing.
        case virtual
        /// The clock of the machine.
        case real
    }

    /// How long an app may do nothing, by the clock of the machine, before virtual time jumps on.
    ///
    /// Longer than the half second that apps wait before they look for tags again.
    public static let defaultIdle = Duration.seconds(3)

    public var declarations: PhoneDeclarations
    /// How the phone behaves where devices differ.
    public var policy: PhonePolicy
    public var clock: Clock
    /// How long an app may do nothing before virtual time jumps on.
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

    /// The phone that a case states; what it leaves open has its default.
    public init(_ scenarioCase: ScenarioCase, clock: Clock = .virtual) {
        self.init(clock: clock)
        switch scenarioCase.settings.clock {
        case .virtual: self.clock = .virtual
        case .real: self.clock = .real
        case .auto: break
        }
        idle = scenarioCase.limits.idle ?? idle
        guard let phone = scenarioCase.phone else { return }
        // Without system codes those of the cards count, unless an empty text shall be found missing.
        if phone.systemCodes != nil || phone.usage == "" {
            declarations = PhoneDeclarations(
                feliCaSystemCodes: (phone.systemCodes ?? []).map(\.description),
                usageDescription: phone.usage ?? "The scenario states no text.")
        }
        policy.nak = phone.nak ?? policy.nak
        policy.secondSession = phone.secondSession ?? policy.secondSession
        sessionLimit = phone.timeLimit ?? sessionLimit
    }
}

/// How far virtual time is behind the clock of the machine.
///
/// An app may sleep by that clock and call again and again: to see whether its card still lies there, or until one of two
/// cards is taken away. Its calls take hardly any card time, so virtual time follows the clock at a distance. An app that
/// does not sleep is done long before that, and everything happens to it at the same time in each run.
struct Lag: Sendable {
    /// What counts at most beyond the time of a step: what is longer is a process that was stopped, as by a debugger.
    private static let longestDelay = Duration.seconds(1)

    private(set) var time = Duration.zero
    private var looked = ContinuousClock.now
    private var seen = Duration.zero

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
