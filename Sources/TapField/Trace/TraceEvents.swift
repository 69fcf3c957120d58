import TapWire

/// The events of a trace, in order.
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
    /// - Parameter bound: How much of them is kept; `nil` for all.
    init(bound: TraceBound? = nil) {
        self.bound = bound
    }

    /// Adds an event behind the others; its number is one more than that of the last.
    mutating func append(_ kind: TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        if lastChunk.isFull {
            let full = lastChunk
            fullChunks.append((nextNumber - full.count, full))
            fullCount += full.count
            fullCommandCount += full.commandCount
            fullByteCount += full.byteCount
            lastChunk = EventChunk()
        }
        lastChunk.append(kind, at: time, circumstances)
        if let bound { keep(within: bound) }
    }

    /// How many of the events that are kept are commands.
    var commandCount: Int { fullCommandCount + lastChunk.commandCount }

    /// How many bytes the events that are kept take, about.
    package var byteCount: Int { fullByteCount + lastChunk.byteCount }

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

    /// The place before which events are left out; `nil` if none are.
    var gap: Int? { omission.events > 0 ? firstCount : nil }

    /// The event at a place, counted without those that are left out.
    public subscript(place: Int) -> TraceEvent {
        precondition(indices.contains(place), "events have places from 0 to \(count - 1), not \(place)")
        let sequence = place < firstCount ? place : place + omission.events
        return withChunk(of: sequence) { chunk, place in chunk.event(at: place, sequence: sequence) }
    }

    /// What the event at a place begins: an exchange, or the call of a host; `nil` if it begins none.
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

/// Events that follow each other.
///
/// What an event is but for its time and the bytes of its frame is kept once for all that share it: most events of a run
/// are one command or one answer among many.
struct EventChunk: Sendable {
    /// How many events a chunk holds at most.
    static let capacity = 512
    /// How many bytes a chunk takes until it counts as full.
    private static let largeByteCount = 256 << 10
    /// What a label takes beside its bytes: its lists and texts, about.
    private static let labelOverhead = MemoryLayout<Label>.stride + 128
    /// How many of the newest labels an event is compared to.
    private static let comparedLabels = 16

    /// What events have in common: the kind with a frame without its bytes, and the circumstances.
    private struct Label: Hashable {
        let kind: TraceEvent.Kind
        let circumstances: EventCircumstances
    }

    private struct Entry {
        let time: Duration
        let label: UInt32
        /// Where the bytes of the frame end; they begin where those of the event before end.
        let end: UInt32
    }

    private var labels: [Label] = []
    private var entries: [Entry] = []
    /// The bytes of all frames, one after another.
    private var bytes: [UInt8] = []
    /// How many bytes the labels take, about.
    private var labelByteCount = 0
    /// How many of the events are commands.
    private(set) var commandCount = 0

    /// How many events there are.
    var count: Int { entries.count }

    /// How many bytes the events take, about.
    var byteCount: Int { labelByteCount + entries.count * MemoryLayout<Entry>.stride + bytes.count }

    /// Whether no more events are to come in.
    var isFull: Bool { count >= Self.capacity || byteCount > Self.largeByteCount }

    mutating func append(_ kind: TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        var label = Label(kind: kind, circumstances: circumstances)
        if let frame = kind.frame {
            if case .command = kind { commandCount += 1 }
            bytes += frame.bytes
            label = Label(kind: kind.with([]), circumstances: circumstances)
        }
        let number = labels.indices.suffix(Self.comparedLabels).last { labels[$0] == label && !label.kind.isNote }
        if number == nil {
            labels.append(label)
            labelByteCount += Self.labelOverhead + label.kind.byteCount
        }
        entries.append(Entry(time: time, label: UInt32(number ?? labels.count - 1), end: UInt32(bytes.count)))
    }

    /// The event at a place, from 0, as one of a number in its trace.
    func event(at place: Int, sequence: Int) -> TraceEvent {
        let (entry, start) = (entries[place], place > 0 ? Int(entries[place - 1].end) : 0)
        let label = labels[Int(entry.label)]
        let kind = label.kind.frame == nil ? label.kind : label.kind.with(Array(bytes[start..<Int(entry.end)]))
        return TraceEvent(sequence: sequence, time: entry.time, kind: kind, circumstances: label.circumstances)
    }

    /// What an event begins.
    enum EntryKind: Hashable {
        case exchange
        case call
    }

    /// What the event at a place begins; `nil` if it goes on with what another has begun.
    func entryBegun(at place: Int) -> EntryKind? {
        switch labels[Int(entries[place].label)].kind {
        case .command: .exchange
        case .call: .call
        default: nil
        }
    }
}

extension TraceEvent.Kind {
    /// The frame of a command or of the answer of a card.
    fileprivate var frame: AirFrame? {
        switch self {
        case .command(let frame), .answer(let frame, _, _, _): frame
        default: nil
        }
    }

    /// The same with other bytes in that frame, whatever its number of bits.
    fileprivate func with(_ bytes: [UInt8]) -> TraceEvent.Kind {
        switch self {
        case .command(var frame):
            frame.bytes = bytes
            return .command(frame)
        case .answer(var frame, let card, let state, let slot):
            frame.bytes = bytes
            return .answer(frame, card: card, state: state, slot: slot)
        default: return self
        }
    }

    /// Whether it is a remark; remarks that are equal may differ in their bytes.
    fileprivate var isNote: Bool { if case .note = self { true } else { false } }

    /// How many bytes there are in it beside that frame, but for words that are few.
    fileprivate var byteCount: Int {
        switch self {
        case .collision(let frame, _, _): frame.bytes.count
        case .call(let call): call.command.count + call.outcome.answer.count
        case .note(let text): text.utf8.count
        case .command, .answer, .field, .card, .silence, .fault: 0
        }
    }
}
