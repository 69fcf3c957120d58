/// The events of a trace, in order, each packed as it comes and unpacked as it is asked for.
///
/// They lie in chunks, so that a trace that grows copies nothing of what it holds, and one with a bound drops chunks
/// between its beginning and its end.
public struct TraceEvents: Sendable {
    /// Chunks that take no more events, each with the number of its first event.
    private var fullChunks: [(first: Int, chunk: EventChunk)] = []
    private var lastChunk = EventChunk()
    /// How many of the full chunks are the beginning that is kept, once anything is left out.
    private var firstChunks = 0
    /// How many events the beginning has.
    private var firstCount = 0
    /// How many events the full chunks have.
    private var fullCount = 0
    /// How many commands the full chunks have.
    private var fullCommandCount = 0
    /// How many bytes the full chunks take.
    private var fullByteCount = 0
    private let bound: TraceBound?
    /// What is left out behind the beginning.
    private(set) var omission = TraceOmission()

    /// Creates a list of no events.
    ///
    /// - Parameter bound: How much of them is kept; nothing for all.
    init(bound: TraceBound? = nil) {
        self.bound = bound
    }

    /// Adds an event behind the others; its number is one more than that of the last.
    mutating func append(_ kind: consuming TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        if lastChunk.isFull {
            let full = lastChunk
            fullChunks.append((nextNumber - full.count, full))
            fullCount += full.count
            fullCommandCount += full.commandCount
            fullByteCount += full.byteCount
            lastChunk = EventChunk(after: full)
        }
        lastChunk.append(kind, at: time, circumstances)
        if let bound { keep(within: bound) }
    }

    /// How many of the events that are kept are commands.
    var commandCount: Int { fullCommandCount + lastChunk.commandCount }

    /// How many bytes the events that are kept take, about.
    var byteCount: Int { fullByteCount + lastChunk.byteCount }

    /// The number of the event that comes next.
    private var nextNumber: Int { endIndex + omission.events }

    /// Whether more is kept than a bound lets.
    private func exceeds(_ bound: TraceBound) -> Bool {
        commandCount > bound.exchanges || byteCount > bound.bytes
    }

    /// Drops what lies behind the beginning, the oldest first, until the rest is within the bound.
    private mutating func keep(within bound: TraceBound) {
        guard exceeds(bound) else { return }
        if omission.events == 0 { keepBeginning(within: bound) }
        while exceeds(bound), fullChunks.count > firstChunks {
            let dropped = fullChunks.remove(at: firstChunks).chunk
            fullCount -= dropped.count
            fullCommandCount -= dropped.commandCount
            fullByteCount -= dropped.byteCount
            omission.add(dropped)
        }
    }

    /// Makes the first chunks the beginning: as many as take half of the bound.
    private mutating func keepBeginning(within bound: TraceBound) {
        (firstChunks, firstCount) = (0, 0)
        var (exchanges, bytes) = (0, 0)
        for (_, chunk) in fullChunks {
            exchanges += chunk.commandCount
            bytes += chunk.byteCount
            guard exchanges <= bound.exchanges / 2, bytes <= bound.bytes / 2 else { break }
            firstChunks += 1
            firstCount += chunk.count
            omission.exchangesBefore = exchanges
        }
    }
}

extension TraceEvents: RandomAccessCollection {
    /// The place of the first event.
    public var startIndex: Int { 0 }

    /// The place after that of the newest event.
    public var endIndex: Int { fullCount + lastChunk.count }

    /// The place before which events are left out; nothing if none are.
    var gap: Int? { omission.events > 0 ? firstCount : nil }

    /// The event at a place, counted without those that are left out.
    public subscript(place: Int) -> TraceEvent {
        precondition(indices.contains(place), "events have places from 0 to \(count - 1), not \(place)")
        let sequence = place < firstCount ? place : place + omission.events
        return withChunk(of: sequence) { chunk, place in chunk.event(at: place, sequence: sequence) }
    }

    /// What the event at a place begins: an exchange, or the call of a host; nothing if it begins none.
    func entryBegun(at place: Int) -> EventChunk.EntryKind? {
        withChunk(of: place < firstCount ? place : place + omission.events) { $0.entryBegun(at: $1) }
    }

    /// Lends the chunk an event lies in, by its number, and tells its place in there.
    private func withChunk<Result>(of sequence: Int, _ body: (EventChunk, Int) -> Result) -> Result {
        var range = 0..<fullChunks.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = fullChunks[middle].first <= sequence ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        let firstOfLast = nextNumber - lastChunk.count
        guard sequence < firstOfLast else { return body(lastChunk, sequence - firstOfLast) }
        let (first, chunk) = fullChunks[range.lowerBound - 1]
        return body(chunk, sequence - first)
    }
}

extension TraceEvents: Hashable {
    /// Whether the same happened in the same order, however it is packed.
    public static func == (left: TraceEvents, right: TraceEvents) -> Bool {
        left.elementsEqual(right)
    }

    /// Hashes the events, not how they are packed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for event in self { hasher.combine(event) }
    }
}
