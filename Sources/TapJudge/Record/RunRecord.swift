import TapDocument
import TapField
import TapScenario

/// What a run has left behind, for the judge.
public struct RunRecord: Sendable {
    /// A door that was open to a client.
    public struct Door: Hashable, Sendable {
        /// The word by which reports speak of it, such as `nfcpy`.
        public let name: String
        /// The environment variable that told the client where it is, if one did.
        public let variable: String?

        public init(name: String, variable: String?) {
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
    /// Whether the client is a program that reads with Core NFC's shape, which opens no door.
    public var readsByPhone = false
    /// What the clock of the machine decided in the run, sentences without their stop: another run may differ.
    public var clockDecisions: [String] = []
    /// What the client did with the PC/SC service, if there was one of ours.
    public var service: ServiceUse?
    /// What an app and its phone did, if a phone read the cards; expectations on it are judged only then.
    public var phone: PhoneReport?
    /// What became of the client, where the case asks for that, or why clean runs say nothing about it; who runs the
    /// case finds it out.
    public var outcome: Result<OutcomeFinding, BaselineError>?

    public init(
        world: World, client: ClientReport, doorsOpened: [Door] = [], doorUsed: String? = nil,
        service: ServiceUse? = nil
    ) {
        self.world = world
        self.client = client
        self.doorsOpened = doorsOpened
        self.doorUsed = doorUsed
        self.service = service
    }

    /// The exchange to look at where none shows more: the first that a fault was injected in, else the last one.
    ///
    /// Behind it readers may look for cards by themselves, as often as the clock has it.
    var place: Int? {
        let first = world.plan.tallies.flatMap(\.injected).filter { $0 > 0 }.min()
        return first ?? (world.exchangeCount > 0 ? world.exchangeCount : nil)
    }

    /// Whether the client is a program that never reached a card.
    var hasMissedEveryDoor: Bool { !doorsOpened.isEmpty && doorUsed == nil }
}

/// How a client ended and what it printed.
public struct ClientReport: Sendable {
    public enum End: Hashable, Sendable {
        /// By itself, with an exit code; a built-in client that fails ends with 1.
        case exit(Int32)
        /// By a signal that nobody here sent.
        case signal(Int32)
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

    public var end: End
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

/// What an app and its phone did in a run, session by session.
public struct PhoneReport: Hashable, Sendable {
    /// A session of Core NFC.
    public struct Session: Hashable, Sendable {
        /// The texts that its sheet showed, in their order; the same one again counts once.
        public var alerts: [String]
        /// The text that the app gave to `invalidate(errorMessage:)`, if it ended the session so.
        public var errorMessage: String?
        /// The number of the error with which it ended, 200 also where the app itself ended it; nothing while it is open.
        public var error: Int?
        /// Whether the app ended it, with or without an error message.
        public var isEndedByApp: Bool
        /// The names of the cards of which the app was told, each as often as it was told of it.
        public var tags: [String]

        public init(
            alerts: [String] = [], errorMessage: String? = nil, error: Int? = nil, isEndedByApp: Bool = false,
            tags: [String] = []
        ) {
            self.alerts = alerts
            self.errorMessage = errorMessage
            self.error = error
            self.isEndedByApp = isEndedByApp
            self.tags = tags
        }
    }

    /// The sessions that the app began, in their order, those that did not come about among them.
    public var sessions: [Session]

    public init(_ sessions: [Session] = []) {
        self.sessions = sessions
    }
}

/// What clients of a run did with the PC/SC service, as the service itself saw it.
public struct ServiceUse: Hashable, Sendable {
    /// A call that no sound client makes.
    public struct Misuse: Hashable, Sendable {
        /// The call, such as `SCardTransmit`.
        public let call: String
        /// What is wrong about it, a clause that goes on after the call: `on a handle whose card was removed`.
        public let reason: String
        /// How many exchanges there had been in the field.
        public let exchange: Int

        public init(call: String, reason: String, exchange: Int) {
            self.call = call
            self.reason = reason
            self.exchange = exchange
        }
    }

    /// Contexts that were not released when the client ended.
    public var contexts = 0
    /// Card handles that were not disconnected when their context or the client ended.
    public var cards = 0
    /// Transactions that were not ended when their handle, their context or the client ended.
    public var transactions = 0
    /// Calls that no sound client makes, in order.
    public var misuses: [Misuse] = []

    /// Nothing left open and nothing misused.
    public init() {}
}
