/// A program under test, as it is started.
public struct ClientCommand: Hashable, Sendable {
    /// Program and arguments; a program without a slash is looked up in `PATH`.
    public var arguments: [String]
    /// Variables set for the client, in place of those of the same name in our own environment.
    public var environment: [String: String]
    /// What it reads from standard input.
    public var input: [UInt8]

    public init(_ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []) {
        self.arguments = arguments
        self.environment = environment
        self.input = input
    }
}

/// Bounds of a client's run.
public struct ClientLimits: Hashable, Sendable {
    /// How long it may run, by the clock; nothing for as long as it likes.
    public var wall: Duration?
    /// How long it may take to end after it was asked to.
    public var grace: Duration
    /// How much is kept of each output stream; what is beyond is read and counted.
    public var outputBytes: Int

    public init(wall: Duration? = .seconds(60), grace: Duration = .seconds(2), outputBytes: Int = 1 << 20) {
        self.wall = wall
        self.grace = grace
        self.outputBytes = outputBytes
    }
}
