/// How a client ended and what it printed.
public struct ClientReport: Sendable {
    /// How a client ends.
    public enum End: Hashable, Sendable {
        /// By itself, with an exit code; a built-in client that fails ends with 1.
        case exit(Int32)
        /// By a signal that nobody here sent.
        case signal(Int32)
        /// It was ended at its time limit.
        case timeLimit
        /// It was ended when readers had sent as many frames as a run may have.
        case exchangeLimit
        /// Not at all: whoever started it waits for its end.
        case elsewhere
    }

    /// How it ended.
    public var end: End
    /// What it printed on its standard output.
    public var standardOutput: String
    /// What it printed on its standard error; of a built-in client, why it failed.
    public var standardError: String
    /// Its result: of a built-in client its own, of a program its standard output read as JSON, if it is that.
    public var result: Node?
    /// How long it ran, or nothing for a built-in client, whose time is card time.
    public var wall: Duration?

    /// Creates a report.
    public init(
        end: End, standardOutput: String = "", standardError: String = "", result: Node? = nil,
        wall: Duration? = nil
    ) {
        self.end = end
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.result = result
        self.wall = wall
    }
}
