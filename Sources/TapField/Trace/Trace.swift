import TapWire

/// What happened in a world, in order; everything a run shows is a rendering of it.
public struct Trace: Sendable {
    /// The events kept.
    public private(set) var events = TraceEvents()
    /// Told of every event as it happens.
    public var observer: (any TraceObserver)? {
        didSet { lastCommand = nil }
    }
    /// How many commands there were before the first event that is kept.
    public private(set) var forgottenCommands = 0
    private let keepsEvents: Bool
    private let limit: Int?
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
    ///   - limit: How many of them, the newest ones, and now and then an eighth more; nothing for all.
    ///   - observer: Told of every event as it happens.
    public init(keepsEvents: Bool = true, limit: Int? = nil, observer: (any TraceObserver)? = nil) {
        // All at once: what is filled bit by bit is copied at the end.
        self.init(observer: observer, keepsEvents: keepsEvents, limit: limit)
    }

    /// A trace that keeps nothing and costs nothing.
    public static let off = Trace(keepsEvents: false)

    /// Whether anybody wants events.
    public var isOn: Bool { keepsEvents || observer != nil }

    /// Adds an event; one that is known only later has the time of the last event before it at least.
    mutating func record(
        _ kind: consuming TraceEvent.Kind, at time: Duration, source: SourceReference?, isMeasured: Bool,
        reader: String? = nil
    ) {
        guard isOn else { return }
        let circumstances = EventCircumstances(source: source, isMeasured: isMeasured, reader: reader)
        lastTime = max(time, lastTime)
        if let observer { tell(observer, copy kind, circumstances) }
        count += 1
        guard keepsEvents else { return }
        events.append(kind, at: lastTime, circumstances)
        if let limit, events.count > limit + limit / 8 {
            forgottenCommands += events.forget(events.count - limit)
        }
    }

    /// Tells an observer of the event that comes next.
    private mutating func tell(
        _ observer: any TraceObserver, _ kind: TraceEvent.Kind, _ circumstances: EventCircumstances
    ) {
        if case .command(let frame) = kind { lastCommand = frame }
        let event = TraceEvent(sequence: count, time: lastTime, kind: kind, circumstances: circumstances)
        observer.observe(event, answering: lastCommand)
    }
}
