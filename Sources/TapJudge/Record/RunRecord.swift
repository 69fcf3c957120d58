import TapDocument
import TapField
import TapScenario

public struct RunRecord: Sendable {
    public struct Transport: Hashable, Sendable {
        /// Its name in reports, such as `nfcpy`.
        public let name: String
        /// The environment variable that told the client its place, if any.
        public let variable: String?

        public init(name: String, variable: String?) {
            self.name = name
            self.variable = variable
        }
    }

    public var world: World
    public var client: ClientReport
    /// Empty for a built-in client.
    public var transportsOpened: [Transport]
    /// The transport through which the field was switched on, if any.
    public var transportUsed: String?
    /// Whether the client is a program built on VirtualCoreNFC, which opens no transport.
    public var readsByPhone = false
    /// What the clock of the machine decided, sentences without their stop: another run may differ.
    public var clockDecisions: [String] = []
    /// Edges of the client's control flow that it took, where it was built to count them.
    public var edges: Set<UInt32> = []
    /// What the client did with our PC/SC service, if there was one.
    public var service: ServiceUse?
    /// What an app and its phone did; expectations on them are judged only then.
    public var phone: PhoneReport?
    /// The outcome, where the case asks for it, or why baseline runs give none; filled in by the runner.
    public var outcome: Result<OutcomeFinding, BaselineError>?

    public init(
        world: World, client: ClientReport, transportsOpened: [Transport] = [], transportUsed: String? = nil,
        service: ServiceUse? = nil
    ) {
        self.world = world
        self.client = client
        self.transportsOpened = transportsOpened
        self.transportUsed = transportUsed
        self.service = service
    }

    /// The exchange to look at where none shows more: the first with a fault, else the last one; later ones may be
    /// searches that depend on the clock.
    var place: Int? {
        let first = world.plan.tallies.flatMap(\.injected).filter { $0 > 0 }.min()
        return first ?? (world.exchangeCount > 0 ? world.exchangeCount : nil)
    }

    var hasMissedEveryTransport: Bool { !transportsOpened.isEmpty && transportUsed == nil }
}

public struct ClientReport: Sendable {
    public enum End: Hashable, Sendable {
        /// A built-in client that fails ends with 1.
        case exit(Int32)
        /// A function in this process gave its result.
        case returned
        /// A function in this process reported an error.
        case threw
        /// A signal not sent by TapSim.
        case signal(Int32)
        case timeLimit
        /// Ended after the time that its scenario gives; with its exit code if no signal was needed.
        case killed(after: Duration, exit: Int32?)
        /// Ended at the limit of frames of a run.
        case exchangeLimit
        /// Ended after neither output nor a frame for so long.
        case idleLimit(Duration)
        /// Ended after it had only looked for cards for so long, without a line that was to contain a text.
        case lineLimit(String, Duration)
        /// Ended after the same command so often in a row without success.
        case retryLimit(Int)
        /// Ended when no more cards were to come; with its exit code if no signal was needed.
        case dismissed(exit: Int32?)
        /// Started elsewhere; its end is not seen.
        case elsewhere

        /// The end of a client whose world takes no more frames.
        package static func limit(of world: World) -> End { world.stuckAfter.map(End.retryLimit) ?? .exchangeLimit }
    }

    /// Visits of cards to a client that stays.
    public struct Visits: Hashable, Sendable {
        public var planned: Int
        public var finished: Int

        public init(planned: Int, finished: Int = 0) {
            self.planned = planned
            self.finished = finished
        }
    }

    public var end: End
    public var standardOutput: String
    /// Its standard error; of a built-in client, why it failed.
    public var standardError: String
    /// Its result: a program's standard output read as JSON, if it is JSON.
    public var result: Node?
    /// When a program wrote its output, in order; empty for a built-in client.
    public var marks: [OutputMark] = []
    /// `nil` for a built-in client, whose time is card time.
    public var wall: Duration?
    /// Whether, when it was ended, it had only waited for another card since the last one left.
    public var isWaitingForCards = false
    /// A Boolean value that indicates whether it ended while a process that it had started had the reader open,
    /// although nobody said that one stays.
    public var hasLeftReaderInUse = false
    /// The ready line it never printed although cards waited for it.
    public var missedReady: LinePattern?
    /// For a client that stays for several visits.
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

/// A moment up to which a client had written so much.
public struct OutputMark: Hashable, Sendable {
    public enum Stream: String, Hashable, Sendable {
        case output = "out"
        case error = "err"
    }

    public let stream: Stream
    /// The length of the stream's text up to here, in bytes of UTF-8.
    public let end: Int
    /// How many exchanges there were by then.
    public let exchange: Int
    /// Card time.
    public let time: Duration

    public init(_ stream: Stream, end: Int, exchange: Int, time: Duration) {
        self.stream = stream
        self.end = end
        self.exchange = exchange
        self.time = time
    }
}

public struct PhoneReport: Hashable, Sendable {
    public struct Session: Hashable, Sendable {
        /// The texts on its sheet, in order; repeats count once.
        public var alerts: [String]
        /// The text that the app gave to `invalidate(errorMessage:)`, if any.
        public var errorMessage: String?
        /// The number of its error, 200 also where the app ended it; `nil` while it is open.
        public var error: Int?
        /// Whether the app ended it, with or without an error message.
        public var isEndedByApp: Bool
        /// The names of the cards reported to the app, each as often as it was.
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

    /// In order, including those that failed to begin.
    public var sessions: [Session]

    public init(_ sessions: [Session] = []) {
        self.sessions = sessions
    }
}

/// What clients did with the PC/SC service, as the service saw it.
public struct ServiceUse: Hashable, Sendable {
    public struct Misuse: Hashable, Sendable {
        /// Such as `SCardTransmit`.
        public let call: String
        /// A clause that follows the call: `on a handle whose card was removed`.
        public let reason: String
        /// The number of exchanges before it.
        public let exchange: Int

        public init(call: String, reason: String, exchange: Int) {
            self.call = call
            self.reason = reason
            self.exchange = exchange
        }
    }

    public var contexts = 0
    /// Card handles not disconnected when their context or the client ended.
    public var cards = 0
    /// Those of these that are not the only one for their reader.
    public var surplusCards = 0
    /// Transactions not ended when their handle, context or client ended.
    public var transactions = 0
    /// How many clients ended inside SCardGetStatusChange.
    public var waits = 0
    /// A Boolean value that indicates whether a client was given the ATR of a card.
    public var hasGivenATR = false
    public var misuses: [Misuse] = []

    public init() {}
}
