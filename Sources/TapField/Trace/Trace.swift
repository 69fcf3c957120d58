import TapWire

/// The events of a world, in order; all output of a run is derived from it.
public struct Trace: Sendable {
    /// The events kept.
    public private(set) var events: TraceEvents
    /// Told of every event as it happens.
    public var observer: (any TraceObserver)? {
        didSet { lastCommand = nil }
    }
    private let keepsEvents: Bool
    private var count = 0
    /// The last command the observer was told of.
    private var lastCommand: AirFrame?
    private var lastTime = Duration.zero
}

extension Trace {
    /// - Parameter bound: How many events are kept; `nil` for all.
    public init(keepsEvents: Bool = true, bound: TraceBound? = nil, observer: (any TraceObserver)? = nil) {
        self.init(events: TraceEvents(bound: bound), observer: observer, keepsEvents: keepsEvents)
    }

    /// A trace without events, at no cost.
    public static let off = Trace(keepsEvents: false)

    /// The events left out; `nil` if all are kept.
    public var omission: TraceOmission? { events.gap == nil ? nil : events.omission }

    /// Whether events are kept or observed.
    public var isOn: Bool { keepsEvents || observer != nil }

    /// Adds an event of a run that is over, as a file holds it.
    package mutating func restore(
        _ kind: TraceEvent.Kind, at time: Duration, source: SourceReference?, reader: String?
    ) {
        record(kind, at: time, source: source, isMeasured: false, reader: reader)
    }

    /// Leaves out events behind the last one, as a file says.
    ///
    /// - Parameter next: The number of the event that follows.
    package mutating func restore(omitting exchanges: Int, calls: Int, before next: Int) {
        events.leaveOut(exchanges: exchanges, calls: calls, before: next)
        count = next
    }

    /// Adds an event, at the time of the previous event at the earliest.
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
    /// Takes an event, with the last command observed before it; `nil` before the first.
    func observe(_ event: TraceEvent, answering command: AirFrame?)
}

/// How much of a run a trace keeps: its beginning and its end, each at most half of the bound.
///
/// The beginning shows how a client found its card, the end how far it got. Between them some hundred events at a time are
/// left out, so a small bound is not met exactly.
public struct TraceBound: Hashable, Sendable {
    /// Most exchanges.
    public let exchanges: Int
    /// Most memory, in bytes.
    public let bytes: Int

    /// The bound of a run: as many exchanges as a run may have by default.
    public static let run = TraceBound(exchanges: World.defaultExchangeLimit, bytes: 64 << 20)
}

/// The events that a trace has left out between the beginning and the end that it keeps.
public struct TraceOmission: Hashable, Sendable {
    public internal(set) var exchanges = 0
    /// How many commands of hosts that led to no exchange.
    public internal(set) var calls = 0
    /// How many exchanges are kept before the gap.
    public internal(set) var exchangesBefore = 0
    /// How often each command was among the exchanges.
    private var counts: [CommandName: Int] = [:]
    /// How many events, so that the kept ones keep their numbers.
    var events = 0

    /// The numbers of the exchanges, from 1; `nil` if none is left out.
    public var numbers: ClosedRange<Int>? {
        exchanges > 0 ? exchangesBefore + 1...exchangesBefore + exchanges : nil
    }

    /// How often a command was among the exchanges.
    public func count(of command: CommandName) -> Int { counts[command] ?? 0 }

    /// How many exchanges had a command with a name that fits a condition.
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
