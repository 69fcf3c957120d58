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
        /// It was ended after the time that its scenario gives it; its exit code if no signal was needed for that.
        case killed(after: Duration, exit: Int32?)
        /// It was ended when readers had sent as many frames as a run may have.
        case exchangeLimit
        /// It was ended when it had neither printed anything nor sent a frame for so long.
        case idleLimit(Duration)
        /// It was ended when readers had sent the same command so often in a row and got nowhere.
        case retryLimit(Int)
        /// It was asked to end when no card was to come any more, and did; its exit code if no signal was needed for that.
        case dismissed(exit: Int32?)
        /// Not at all: whoever started it waits for its end.
        case elsewhere
    }

    /// Visits of cards to a client that stays.
    public struct Visits: Hashable, Sendable {
        /// How many there were to be.
        public var planned: Int
        /// How many were over when the client ended.
        public var finished: Int

        public init(planned: Int, finished: Int = 0) {
            self.planned = planned
            self.finished = finished
        }
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
    /// What it never printed although cards waited for it, or nothing if they did not wait or it did.
    public var missedReady: LinePattern?
    /// The visits of cards, of a client that stays for several.
    public var visits: Visits?

    /// Whether the client stayed until it was ended here, as it was meant to.
    var wasEndedHere: Bool {
        switch end {
        case .dismissed, .killed: true
        default: false
        }
    }

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
