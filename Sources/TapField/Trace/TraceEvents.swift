/// The events of a trace, in order, each packed as it comes and unpacked as it is asked for.
///
/// They lie in chunks of the same number of them, so that a trace that grows copies nothing of what it holds, and one
/// that forgets drops chunks.
public struct TraceEvents: Sendable {
    /// The chunks before the last, all of them full.
    private var fullChunks: [EventChunk] = []
    private var lastChunk = EventChunk()
    /// How many events are forgotten, which is the number of the first that is kept.
    private var forgotten = 0

    /// Creates a list of no events.
    init() {}

    /// Adds an event behind the others; its number is one more than that of the last.
    mutating func append(_ kind: consuming TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        if lastChunk.count == EventChunk.capacity {
            fullChunks.append(lastChunk)
            lastChunk = EventChunk(after: lastChunk)
        }
        lastChunk.append(kind, at: time, circumstances)
    }

    /// Forgets the oldest events.
    ///
    /// - Parameter number: How many, at most all.
    /// - Returns: How many of them were commands.
    mutating func forget(_ number: Int) -> Int {
        let commands = indices.prefix(number).count { place in withChunk(of: place) { $0.isCommand(at: $1) } }
        let dropped = (forgotten % EventChunk.capacity + number) / EventChunk.capacity
        if dropped > fullChunks.count { lastChunk = EventChunk() }
        fullChunks.removeFirst(Swift.min(dropped, fullChunks.count))
        forgotten += number
        return commands
    }
}

extension TraceEvents: RandomAccessCollection {
    /// The place of the oldest event that is kept.
    public var startIndex: Int { 0 }

    /// The place after that of the newest event.
    public var endIndex: Int {
        fullChunks.count * EventChunk.capacity + lastChunk.count - forgotten % EventChunk.capacity
    }

    /// The event at a place, counted from the oldest that is kept.
    public subscript(place: Int) -> TraceEvent {
        precondition(indices.contains(place), "events have places from 0 to \(count - 1), not \(place)")
        let sequence = forgotten + place
        return withChunk(of: place) { chunk, place in chunk.event(at: place, sequence: sequence) }
    }

    /// Lends the chunk an event lies in, and tells its place in there.
    private func withChunk<Result>(of place: Int, _ body: (EventChunk, Int) -> Result) -> Result {
        let (index, place) = (forgotten % EventChunk.capacity + place).quotientAndRemainder(
            dividingBy: EventChunk.capacity)
        return index < fullChunks.count ? body(fullChunks[index], place) : body(lastChunk, place)
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
