import TapWire

/// What happened in a world, in order; everything a run shows is a rendering of it.
public struct Trace: Sendable {
    /// The events kept.
    public private(set) var events: [TraceEvent] = []
    /// Told of every event as it happens.
    public var observer: (any TraceObserver)?
    /// How many commands there were before the first event that is kept.
    public private(set) var forgottenCommands = 0
    private let keepsEvents: Bool
    private let limit: Int?

    /// Creates an empty trace.
    ///
    /// - Parameters:
    ///   - keepsEvents: Whether events are kept.
    ///   - limit: How many of them, the newest ones, and now and then an eighth more; nothing for all.
    ///   - observer: Told of every event as it happens.
    public init(keepsEvents: Bool = true, limit: Int? = nil, observer: (any TraceObserver)? = nil) {
        self.keepsEvents = keepsEvents
        self.limit = limit
        self.observer = observer
    }

    /// A trace that keeps nothing and costs nothing.
    public static let off = Trace(keepsEvents: false)

    /// Whether anybody wants events.
    public var isOn: Bool { keepsEvents || observer != nil }

    private var count = 0
    private var lastCommand: AirFrame?
    private var lastTime = Duration.zero

    /// Adds an event; one that is known only later has the time of the last event before it at least.
    mutating func record(
        _ kind: consuming TraceEvent.Kind, at time: Duration, source: SourceReference?, isMeasured: Bool,
        reader: String? = nil
    ) {
        guard isOn else { return }
        let event = TraceEvent(
            sequence: count, time: max(time, lastTime), kind: kind, source: source, isMeasured: isMeasured,
            reader: reader)
        count += 1
        lastTime = event.time
        if case .command(let frame) = event.kind { lastCommand = frame }
        observer?.observe(event, answering: lastCommand)
        guard keepsEvents else { return }
        events.append(event)
        if let limit, events.count > limit + limit / 8 { forget(events.count - limit) }
    }

    private mutating func forget(_ number: Int) {
        for event in events[..<number] {
            if case .command = event.kind { forgottenCommands += 1 }
        }
        events.removeFirst(number)
    }
}
