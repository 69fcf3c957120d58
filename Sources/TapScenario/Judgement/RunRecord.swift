import TapField

/// What a run has left behind, for the judge.
public struct RunRecord: Sendable {
    /// A door that was open to a client.
    public struct Door: Hashable, Sendable {
        /// The word by which reports speak of it, such as `nfcpy`.
        public let name: String
        /// The environment variable that told the client where it is.
        public let variable: String

        /// Creates a description.
        public init(name: String, variable: String) {
            self.name = name
            self.variable = variable
        }
    }

    /// The world after the run, with its trace.
    public var world: World
    /// How the client ended and what it printed.
    public var client: ClientReport
    /// The doors that were open to it; none for a built-in client.
    public var doorsOpened: [Door]
    /// The door through which the field was switched on, if any was.
    public var doorUsed: String?

    /// Creates a record.
    public init(world: World, client: ClientReport, doorsOpened: [Door] = [], doorUsed: String? = nil) {
        self.world = world
        self.client = client
        self.doorsOpened = doorsOpened
        self.doorUsed = doorUsed
    }

    /// Whether the client is a program that never reached a card.
    var hasMissedEveryDoor: Bool { !doorsOpened.isEmpty && doorUsed == nil }
}

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
