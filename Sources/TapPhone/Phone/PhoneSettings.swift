/// What kind of phone reads the cards, and for which app.
public struct PhoneSettings: Sendable {
    /// What the time of a session is counted in.
    public enum Clock: Hashable, Sendable {
        /// Card time: it passes with exchanges, and jumps on where an app does nothing.
        case virtual
        /// The clock of the machine.
        case real
    }

    /// How long a session stays open.
    ///
    /// Source: Core NFC, NFCTagReaderSession.
    public static let sessionLimit = Duration.seconds(60)
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

    /// Creates settings.
    public init(
        declarations: PhoneDeclarations = .notGiven, policy: PhonePolicy = .usual,
        clock: Clock = .virtual, idle: Duration = usualIdle
    ) {
        self.declarations = declarations
        self.policy = policy
        self.clock = clock
        self.idle = idle
    }
}
