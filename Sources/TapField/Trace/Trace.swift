import TapWire

/// What happened in a world, in order; everything a run shows is a rendering of it.
public struct Trace: Sendable {
    /// The events kept.
    public private(set) var events: [TraceEvent] = []
    /// Told of every event as it happens.
    public var observer: (any TraceObserver)?
    private let keepsEvents: Bool

    /// Creates an empty trace.
    ///
    /// - Parameters:
    ///   - keepsEvents: Whether events are kept.
    ///   - observer: Told of every event as it happens.
    public init(keepsEvents: Bool = true, observer: (any TraceObserver)? = nil) {
        self.keepsEvents = keepsEvents
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
        if keepsEvents { events.append(event) }
    }
}
