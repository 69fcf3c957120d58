import TapField
import TapWire

/// What has to come out of a case, in the order of the file.
public struct Expectations: Hashable, Sendable {
    /// The single expectations.
    public internal(set) var items: [Expectation]
    /// All of them as the file writes them, parameters filled in; an empty map if it has none.
    public internal(set) var node: Node

    /// No expectation but that the client ends with 0.
    public static let none = Expectations(items: [], node: [:])
}

/// One thing that has to come out.
public struct Expectation: Hashable, Sendable {
    /// Where the file states it, such as `expect.result  /trips/length`.
    public let path: String
    /// The line of the file.
    public let source: SourceReference?
    /// What has to come out.
    public let demand: Demand

    /// What can be demanded.
    public enum Demand: Hashable, Sendable {
        /// The exit code of the client.
        case exit(IntegerRange)
        /// The client ends in time.
        case within(Duration)
        /// A text that the client prints.
        case output(OutputStream, contains: String)
        /// A value of the client's result.
        case result(JSONPointer, Node)
        /// Exchanges of the run.
        case exchanges(ExchangeList)
        /// How many commands of a name readers sent.
        case count(CommandName, IntegerRange)
        /// An exchange that does not happen.
        case never(ExchangePattern)
        /// What a card is like afterwards.
        case card(String, CardDemand)
        /// What may become of the client.
        case verdict([Outcome])
        /// What the client may not do to cards.
        case safety(SafetyPolicy)
        /// What an app with Core NFC shows and hears.
        case phone(PhoneDemand)
    }

    /// Where a program prints.
    public enum OutputStream: String, Hashable, Sendable {
        /// The standard output.
        case stdout
        /// The standard error.
        case stderr
    }

    /// Whether the demand is on what a card is like afterwards.
    var isOnCards: Bool {
        if case .card = demand { true } else { false }
    }

    /// Whether the demand is on what crossed the air.
    var isOnExchanges: Bool {
        switch demand {
        case .exchanges, .count, .never: true
        default: false
        }
    }

    /// Whether the demand is one that clean runs are needed for.
    var isOnOutcome: Bool {
        switch demand {
        case .verdict, .safety: true
        default: false
        }
    }

    /// Whether the demand is on an app and its phone.
    var isOnPhone: Bool {
        if case .phone = demand { true } else { false }
    }

    /// Whether the demand is on output, which another client would write differently.
    var isOnOutput: Bool {
        switch demand {
        case .output, .result: true
        default: false
        }
    }
}

/// What a card is like after a run.
public enum CardDemand: Hashable, Sendable {
    /// All that survives power-off is as it was.
    case unchanged
    /// Wrong passwords since the last right one.
    case authenticationFailures(IntegerRange)
    /// The NFC counter.
    case counter(IntegerRange)
    /// A block of a service.
    case block(service: NodeCode, number: Int, BlockData)
    /// A page, PWD and PACK included.
    case page(Int, PageData)
    /// The protocol state in the words of the card's manual.
    case state(String)
}

/// Exchanges that have to happen, and in which order.
public struct ExchangeList: Hashable, Sendable {
    /// How the list is to be found in the run.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The run has these exchanges and no others.
        ///
        /// Frames of ISO/IEC 14443-3 count only where the list names one, since readers select in different ways.
        case exact
        /// In this order, others between them.
        case subsequence
        /// In any order, others between them.
        case any
    }

    /// How the list is to be found in the run.
    public let order: Order
    /// The patterns, each with the line that states it.
    public let patterns: [Located]

    /// A pattern and the line that states it.
    public struct Located: Hashable, Sendable {
        /// The pattern.
        public let pattern: ExchangePattern
        public let source: SourceReference?
    }
}
