import TapWire

/// What happened in a world, in order; everything a run shows is a rendering of it.
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
    /// Creates an empty trace.
    ///
    /// - Parameters:
    ///   - keepsEvents: Whether events are kept.
    ///   - bound: How many of them; `nil` for all.
    ///   - observer: Told of every event as it happens.
    public init(keepsEvents: Bool = true, bound: TraceBound? = nil, observer: (any TraceObserver)? = nil) {
        self.init(events: TraceEvents(bound: bound), observer: observer, keepsEvents: keepsEvents)
    }

    /// A trace that keeps nothing and costs nothing.
    public static let off = Trace(keepsEvents: false)

    /// What is left out of the events; `nil` if all are kept.
    public var omission: TraceOmission? { events.gap == nil ? nil : events.omission }

    /// Whether anybody wants events.
    public var isOn: Bool { keepsEvents || observer != nil }

    /// Adds an event; one that is known only later has the time of the last event before it at least.
    mutating func record(
        _ kind: TraceEvent.Kind, at time: Duration, source: SourceReference?, isMeasured: Bool, reader: String? = nil
    ) {
        guard isOn else { return }
        let circumstances = EventCircumstances(source: source, isMeasured: isMeasured, reader: reader)
        lastTime = max(time, lastTime)
        if let observer {
            if case .command(let frame) = kind { lastCommand = frame }
            let event = TraceEvent(sequence: count, time: lastTime, kind: kind, circumstances: circumstances)
            observer.observe(event, answering: lastCommand)
        }
        count += 1
        if keepsEvents { events.append(kind, at: lastTime, circumstances) }
    }
}

/// Is told of events while a world runs, to print exchanges as they happen.
public protocol TraceObserver: AnyObject, Sendable {
    /// An event has happened.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - command: The last command this observer was told of, which an answer answers; `nil` before the first.
    func observe(_ event: TraceEvent, answering command: AirFrame?)
}

/// How much of a run a trace keeps: its beginning and its end, each at most half of it.
///
/// What begins a run says how a client found its card, what ends it where it got to; what is left out lies between.
public struct TraceBound: Hashable, Sendable {
    /// Most exchanges.
    public let exchanges: Int
    /// Most memory, in bytes.
    public let bytes: Int

    /// Creates a bound; whole chunks of some hundred events are left out, so that a small one is not met exactly.
    public init(exchanges: Int, bytes: Int) {
        self.exchanges = exchanges
        self.bytes = bytes
    }

    /// What a run keeps: as many exchanges as one may have unless its scenario says otherwise.
    public static let run = TraceBound(exchanges: World.defaultExchangeLimit, bytes: 64 << 20)
}

/// What a trace has left out between the beginning and the end that it keeps.
public struct TraceOmission: Hashable, Sendable {
    /// How many exchanges.
    public internal(set) var exchanges = 0
    /// How many commands of hosts that led to no exchange.
    public internal(set) var calls = 0
    /// How many exchanges are kept before it.
    public internal(set) var exchangesBefore = 0
    /// How often each command was among the exchanges.
    private var counts: [CommandName: Int] = [:]
    /// How many events, so that those that are kept have the numbers they always had.
    var events = 0

    /// The numbers of the exchanges, from 1; `nil` where none is left out.
    public var numbers: ClosedRange<Int>? {
        exchanges > 0 ? exchangesBefore + 1...exchangesBefore + exchanges : nil
    }

    /// How often a command was among the exchanges.
    public func count(of command: CommandName) -> Int { counts[command] ?? 0 }

    /// How many of the exchanges were commands of which a condition holds; those without a name are none.
    public func count(where isCounted: (CommandName) -> Bool) -> Int {
        counts.reduce(0) { isCounted($1.key) ? $0 + $1.value : $0 }
    }

    /// Adds events that are left out, too.
    mutating func add(_ chunk: EventChunk) {
        events += chunk.count
        for place in 0..<chunk.count {
            switch chunk.event(at: place, sequence: 0).kind {
            case .command(let frame):
                exchanges += 1
                if let name = CommandName(of: frame) { counts[name, default: 0] += 1 }
            case .call: calls += 1
            default: break
            }
        }
    }
}
