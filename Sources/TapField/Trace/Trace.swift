import TapWire

/// The events of a world, in order; all output of a run is derived from it.
public struct Trace: Sendable {
    public private(set) var events: TraceEvents
    /// An observer that is notified of every event as it happens.
    public var observer: (any TraceObserver)? {
        didSet { lastCommand = nil }
    }
    private let keepsEvents: Bool
    private var count = 0
    /// The last command passed to the observer.
    private var lastCommand: RFFrame?
    private var lastTime = Duration.zero
}

extension Trace {
    /// Creates an empty trace.
    ///
    /// - Parameters:
    ///   - keepsEvents: A Boolean value that indicates whether the trace keeps events, or only passes them to the observer.
    ///   - bound: The maximum to keep; `nil` to keep everything.
    ///   - observer: An observer that is notified of every event as it happens.
    public init(keepsEvents: Bool = true, bound: TraceBound? = nil, observer: (any TraceObserver)? = nil) {
        self.init(events: TraceEvents(bound: bound), observer: observer, keepsEvents: keepsEvents)
    }

    /// A trace that records nothing, at no cost.
    public static let off = Trace(keepsEvents: false)

    /// The omitted events; `nil` if all are kept.
    public var omission: TraceOmission? { events.gap == nil ? nil : events.omission }

    /// A Boolean value that indicates whether events are kept or observed.
    public var isOn: Bool { keepsEvents || observer != nil }

    /// Adds an event of a finished run, read from a file.
    package mutating func restore(
        _ kind: TraceEvent.Kind, at time: Duration, source: SourceReference?, reader: String?
    ) {
        record(kind, at: time, source: source, isMeasured: false, reader: reader)
    }

    /// Marks events after the last one as omitted, as recorded in a file.
    ///
    /// - Parameter next: The number of the following event.
    package mutating func restore(omitting exchanges: Int, calls: Int, before next: Int) {
        events.leaveOut(exchanges: exchanges, calls: calls, before: next)
        count = next
    }

    /// Adds an event, no earlier than the previous event.
    mutating func record(
        _ kind: TraceEvent.Kind, at time: Duration, source: SourceReference?, isMeasured: Bool, reader: String? = nil
    ) {
        guard isOn else { return }
        let circumstances = EventCircumstances(source: source, isMeasured: isMeasured, reader: reader)
        lastTime = max(time, lastTime)
        let event = TraceEvent(sequence: count, time: lastTime, kind: kind, circumstances: circumstances)
        if let observer {
            if case .command(let frame) = kind { lastCommand = frame }
            observer.observe(event, answering: lastCommand)
        }
        count += 1
        if keepsEvents { events.append(event) }
    }
}

/// Observes events while a world runs, to print exchanges as they happen.
public protocol TraceObserver: AnyObject, Sendable {
    /// Receives an event, with the last command observed before it; `nil` before the first command.
    func observe(_ event: TraceEvent, answering command: RFFrame?)
}

/// The amount of a run that a trace keeps: its beginning and its end, each at most half of the bound.
///
/// The beginning shows how a client found its card, the end how far it got. Events between them are dropped in chunks of a few
/// hundred, so a small bound is not met exactly.
public struct TraceBound: Hashable, Sendable {
    public let exchanges: Int
    /// The maximum memory, in bytes.
    public let bytes: Int

    /// The bound of a run: the default exchange limit of a run.
    public static let run = TraceBound(exchanges: World.defaultExchangeLimit, bytes: 64 << 20)
}

/// The events that a trace dropped between the beginning and the end that it keeps.
public struct TraceOmission: Hashable, Sendable {
    public internal(set) var exchanges = 0
    /// The number of host commands that led to no exchange.
    public internal(set) var calls = 0
    /// The number of exchanges kept before the gap.
    public internal(set) var exchangesBefore = 0
    /// The number of times each command occurred in the exchanges.
    private var counts: [CommandName: Int] = [:]
    /// The number of omitted events, so that kept events keep their numbers.
    var events = 0

    /// The numbers of the omitted exchanges, counted from 1; `nil` if there are none.
    public var numbers: ClosedRange<Int>? {
        exchanges > 0 ? exchangesBefore + 1...exchangesBefore + exchanges : nil
    }

    /// Returns the number of times a command occurred in the omitted exchanges.
    public func count(of command: CommandName) -> Int { counts[command] ?? 0 }

    /// Returns the number of omitted exchanges whose command has a name that satisfies a condition.
    public func count(where isCounted: (CommandName) -> Bool) -> Int {
        counts.reduce(0) { isCounted($1.key) ? $0 + $1.value : $0 }
    }

    mutating func add(_ left: [TraceEvent]) {
        events += left.count
        for event in left {
            switch event.kind {
            case .command(let frame):
                exchanges += 1
                if let name = CommandName(of: frame) { counts[name, default: 0] += 1 }
            case .call(let call) where call.isWithoutExchange: calls += 1
            default: break
            }
        }
    }
}
