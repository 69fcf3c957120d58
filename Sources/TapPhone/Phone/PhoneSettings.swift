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
    public static let usualIdle = Duration.seconds(3)

    /// What the app declares.
    public var declarations: PhoneDeclarations
    /// How the phone behaves where devices differ.
    public var policy: PhonePolicy
    /// What time is counted in.
    public var clock: Clock
    /// How long an app may do nothing before virtual time jumps on.
    public var idle: Duration
    /// How long a session stays open.
    public var sessionLimit: Duration

    /// Creates settings.
    public init(
        declarations: PhoneDeclarations = .notGiven, policy: PhonePolicy = .usual,
        clock: Clock = .virtual, idle: Duration = usualIdle, sessionLimit: Duration = PhoneSpec.usualTimeLimit
    ) {
        self.declarations = declarations
        self.policy = policy
        self.clock = clock
        self.idle = idle
        self.sessionLimit = sessionLimit
    }

    /// The phone that a case states; what it leaves open is as usual.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case.
    ///   - clock: What time is counted in where the case does not say it.
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
        if phone.nak == .byte { policy.refusal = .oneByte }
        if phone.secondSession == .queue { policy.secondSession = .queued }
        sessionLimit = phone.timeLimit ?? sessionLimit
    }
}
