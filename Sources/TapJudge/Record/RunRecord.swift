import TapDocument
import TapField
import TapScenario

public struct RunRecord: Sendable {
    public struct Transport: Hashable, Sendable {
        /// The name in reports, such as `nfcpy`.
        public let name: String
        /// The environment variable that gave the client its address, if any.
        public let variable: String?

        public init(name: String, variable: String?) {
            self.name = name
            self.variable = variable
        }
    }

    public var world: World
    public var client: ClientReport
    /// The transports that were opened; empty for a built-in client.
    public var transportsOpened: [Transport]
    /// The transport through which the field was switched on, if any.
    public var transportUsed: String?
    /// A Boolean value that indicates whether the client is a program built on VirtualCoreNFC, which opens no transport.
    public var readsByPhone = false
    /// Decisions that depended on the machine's clock, as sentences without full stop: another run may differ.
    public var clockDecisions: [String] = []
    /// The control-flow edges that the client took, if it was built to count them.
    public var edges: Set<UInt32> = []
    public var service: ServiceUse?
    /// The events between an app and its phone; expectations on them are judged only if this is set.
    public var phone: PhoneReport?
    /// The outcome, if the case asks for it, or the reason why baseline runs give none; the runner fills it in.
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

    /// The exchange to look at if no other one is more relevant: the first one with a fault, or else the last one.
    ///
    /// Later ones may be searches that depend on the clock.
    var place: Int? {
        let first = world.plan.tallies.flatMap(\.injected).filter { $0 > 0 }.min()
        return first ?? (world.exchangeCount > 0 ? world.exchangeCount : nil)
    }

    var hasMissedEveryTransport: Bool { !transportsOpened.isEmpty && transportUsed == nil }
}

public struct ClientReport: Sendable {
    public enum End: Hashable, Sendable {
        /// An exit code; a built-in client that fails ends with 1.
        case exit(Int32)
        case returned
        case threw
        /// A signal not sent by TapSim.
        case signal(Int32)
        case timeLimit
        /// Ended after the time in its scenario; with its exit code if no signal was needed.
        case killed(after: Duration, exit: Int32?)
        /// Ended at the frame limit of the run.
        case exchangeLimit
        /// Ended after neither output nor a frame for this long.
        case idleLimit(Duration)
        /// Ended after only looking for cards for this long without printing a line that contains the expected text.
        case lineLimit(String, Duration)
        /// Ended after this many identical commands in a row without success.
        case retryLimit(Int)
        /// Ended when no more cards were to come; with its exit code if no signal was needed.
        case dismissed(exit: Int32?)
        case elsewhere

        /// Returns the end of a client whose world accepts no more frames.
        package static func limit(of world: World) -> End { world.stuckAfter.map(End.retryLimit) ?? .exchangeLimit }
    }

    /// The visits of cards to a client that stays.
    public struct Visits: Hashable, Sendable {
        public var planned: Int
        public var finished: Int
        /// The numbers of the visits that the client reported as done without using the card.
        public var unread: [Int]

        public init(planned: Int, finished: Int = 0, unread: [Int] = []) {
            self.planned = planned
            self.finished = finished
            self.unread = unread
        }

        /// Returns the note with which a planned visit begins in the trace: `visit 2 of 3`.
        package static func note(_ number: Int, of count: Int) -> String { "visit \(number) of \(count)" }

        /// Returns the number of the visit that begins with a note; `nil` for any other note.
        static func number(inNote text: String) -> Int? {
            let words = text.split(separator: " ")
            guard words.count == 4, let number = Int(words[1]), let count = Int(words[3]) else { return nil }
            return text == note(number, of: count) ? number : nil
        }
    }

    public var end: End
    public var standardOutput: String
    /// The standard error; for a built-in client, the reason for its failure.
    public var standardError: String
    /// The result: a program's standard output parsed as JSON, if it is JSON.
    public var result: Node?
    /// The moments at which a program wrote output, in order; empty for a built-in client.
    public var marks: [OutputMark] = []
    /// The wall-clock time; `nil` for a built-in client, whose time is card time.
    public var wall: Duration?
    /// A Boolean value that indicates whether, when stopped, the client had only waited for another card since the last one
    /// left.
    public var isWaitingForCards = false
    /// A Boolean value that indicates whether the client ended while a process it had started still had the reader open,
    /// although the case does not say that a process stays.
    public var hasLeftReaderInUse = false
    /// The ready line that the client never printed although cards waited for it.
    public var missedReady: LinePattern?
    /// The visits of a client that stays for several; `nil` for other clients.
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

/// A moment, and the length of the output that a client had written by then.
public struct OutputMark: Hashable, Sendable {
    public enum Stream: String, Hashable, Sendable {
        case output = "out"
        case error = "err"
    }

    public let stream: Stream
    /// The length of the stream's text up to this moment, in bytes of UTF-8.
    public let end: Int
    public let exchange: Int
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
        /// The texts on the sheet, in order; consecutive repeats count once.
        public var alerts: [String]
        /// The text that the app passed to `invalidate(errorMessage:)`, if any.
        public var errorMessage: String?
        /// The number of the error, 200 also if the app ended the session; `nil` while the session is open.
        public var error: Int?
        /// A Boolean value that indicates whether the app ended the session, with or without an error message.
        public var isEndedByApp: Bool
        /// The names of the cards reported to the app, each as often as it was reported.
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

    public var sessions: [Session]

    public init(_ sessions: [Session] = []) {
        self.sessions = sessions
    }
}

/// The clients' use of the PC/SC service, as the service saw it.
public struct ServiceUse: Hashable, Sendable {
    public struct Misuse: Hashable, Sendable {
        /// A function name such as `SCardTransmit`.
        public let call: String
        /// A clause that follows the call: `on a handle whose card was removed`.
        public let reason: String
        public let exchange: Int

        public init(call: String, reason: String, exchange: Int) {
            self.call = call
            self.reason = reason
            self.exchange = exchange
        }
    }

    public var contexts = 0
    /// The card handles that were not disconnected when their context or the client ended.
    public var cards = 0
    /// The card handles among them that are not the only one for their reader.
    public var surplusCards = 0
    /// The transactions that were not ended when their handle, context or client ended.
    public var transactions = 0
    /// The number of clients that ended inside SCardGetStatusChange.
    public var waits = 0
    /// A Boolean value that indicates whether a client received the ATR of a card.
    public var hasGivenATR = false
    public var misuses: [Misuse] = []

    public init() {}
}
