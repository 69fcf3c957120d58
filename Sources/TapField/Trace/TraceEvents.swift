import TapWire

public struct TraceEvents: Sendable {
    /// The beginning, at most half of the bound.
    private var first = EventRun()
    /// The events after the beginning is full; with a bound, the oldest are dropped.
    private var rest = EventRun()
    private var isFirstFull = false
    /// Half of the bound.
    private let half: TraceBound?
    private(set) var omission = TraceOmission()

    /// - Parameter bound: The maximum to keep; `nil` to keep everything.
    init(bound: TraceBound? = nil) {
        half = bound.map { TraceBound(exchanges: $0.exchanges / 2, bytes: $0.bytes / 2) }
    }

    mutating func append(_ event: TraceEvent) {
        guard isFirstFull else {
            first.append(event)
            isFirstFull = half.map(first.exceeds) ?? false
            return
        }
        rest.append(event)
        guard let half else { return }
        while rest.exceeds(half), let dropped = rest.removeFullChunk() {
            if omission.events == 0 { omission.exchangesBefore = first.commandCount }
            omission.add(dropped)
        }
    }

    /// Makes all events so far the beginning, after which events are omitted.
    mutating func leaveOut(exchanges: Int, calls: Int, before next: Int) {
        isFirstFull = true
        (omission.exchanges, omission.calls) = (exchanges, calls)
        (omission.exchangesBefore, omission.events) = (first.commandCount, next - first.count)
    }

    var commandCount: Int { first.commandCount + rest.commandCount }

    /// The approximate size of the kept events, in bytes.
    package var byteCount: Int { first.byteCount + rest.byteCount }
}

extension TraceEvents: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { first.count + rest.count }

    /// The index before which events were dropped; `nil` if there are none.
    var gap: Int? { omission.events > 0 ? first.count : nil }

    /// The event at an index, not counting dropped events.
    public subscript(place: Int) -> TraceEvent {
        place < first.count ? first[place] : rest[place - first.count]
    }
}

extension TraceEvents: Hashable {
    public static func == (left: TraceEvents, right: TraceEvents) -> Bool {
        left.elementsEqual(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for event in self { hasher.combine(event) }
    }
}

/// Consecutive events in chunks of equal length, so that appending copies no other events and the oldest are dropped by chunk.
private struct EventRun: Sendable {
    private static let chunkLength = 512

    /// The chunks, all full except the last.
    private var chunks: [[TraceEvent]] = []
    private(set) var commandCount = 0
    /// The approximate size, in bytes.
    private(set) var byteCount = 0

    var count: Int { max(0, chunks.count - 1) * Self.chunkLength + (chunks.last?.count ?? 0) }

    subscript(place: Int) -> TraceEvent {
        chunks[place / Self.chunkLength][place % Self.chunkLength]
    }

    func exceeds(_ bound: TraceBound) -> Bool {
        commandCount > bound.exchanges || byteCount > bound.bytes
    }

    mutating func append(_ event: TraceEvent) {
        if count % Self.chunkLength == 0 {
            var chunk: [TraceEvent] = []
            // Most traces are short.
            if !chunks.isEmpty { chunk.reserveCapacity(Self.chunkLength) }
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(event)
        tally(event, 1)
    }

    /// Removes the oldest chunk; `nil` if it is not full.
    mutating func removeFullChunk() -> [TraceEvent]? {
        guard let oldest = chunks.first, oldest.count == Self.chunkLength else { return nil }
        chunks.removeFirst()
        for event in oldest { tally(event, -1) }
        return oldest
    }

    private mutating func tally(_ event: TraceEvent, _ sign: Int) {
        if case .command = event.kind { commandCount += sign }
        byteCount += sign * (MemoryLayout<TraceEvent>.stride + event.kind.byteCount)
    }
}

extension TraceEvent.Kind {
    /// The approximate size of the data it refers to, in bytes.
    fileprivate var byteCount: Int {
        // The overhead of an array.
        let array = 40
        return switch self {
        case .command(let frame), .answer(let frame, _, _, _), .collision(let frame, _, _):
            array + frame.bytes.count
        case .opened(let frame, let command):
            2 * array + frame.bytes.count + (command?.bytes.count ?? 0)
        case .call(let call):
            MemoryLayout<HostCall>.stride + 2 * array + call.command.count + call.outcome.answer.count
        case .note(let text): array + text.utf8.count
        case .slot(let name, let atr): 2 * array + name.utf8.count + (atr ?? []).count
        case .silence(let states): array + states.count * MemoryLayout<TraceEvent.CardState>.stride
        case .fault: array + MemoryLayout<Fault>.stride
        case .field, .card: 0
        }
    }
}
