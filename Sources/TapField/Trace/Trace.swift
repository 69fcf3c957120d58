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
    ///   - bound: How many of them; nothing for all.
    ///   - observer: Told of every event as it happens.
    public init(keepsEvents: Bool = true, bound: TraceBound? = nil, observer: (any TraceObserver)? = nil) {
        // All at once: what is filled bit by bit is copied at the end.
        self.init(events: TraceEvents(bound: bound), observer: observer, keepsEvents: keepsEvents)
    }

    /// A trace that keeps nothing and costs nothing.
    public static let off = Trace(keepsEvents: false)

    /// What is left out of the events; nothing if all are kept.
    public var omission: TraceOmission? { events.gap == nil ? nil : events.omission }

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
