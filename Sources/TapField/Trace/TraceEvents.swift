import TapWire

/// The events of a trace, in order.
///
/// They are held in chunks, so that a growing trace copies no old events, and one with a bound drops chunks between its
/// beginning and its end.
public struct TraceEvents: Sendable {
    /// Full chunks, each with the number of its first event.
    private var fullChunks: [(first: Int, chunk: EventChunk)] = []
    private var lastChunk = EventChunk()
    /// How many full chunks belong to the beginning, once events are left out.
    private var firstChunks = 0
    /// How many events the beginning has.
    private var firstCount = 0
    // Totals of the full chunks.
    private var fullCount = 0
    private var fullCommandCount = 0
    private var fullByteCount = 0
    private let bound: TraceBound?
    private(set) var omission = TraceOmission()

    /// - Parameter bound: How many events are kept; `nil` for all.
    init(bound: TraceBound? = nil) {
        self.bound = bound
    }

    /// Adds an event with the next number.
    mutating func append(_ kind: TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        if lastChunk.isFull { closeChunk() }
        lastChunk.append(kind, at: time, circumstances)
        if let bound { keep(within: bound) }
    }

    private mutating func closeChunk() {
        let full = lastChunk
        fullChunks.append((nextNumber - full.count, full))
        fullCount += full.count
        fullCommandCount += full.commandCount
        fullByteCount += full.byteCount
        lastChunk = EventChunk()
    }

    /// Makes all events so far the beginning, behind which others are left out.
    mutating func leaveOut(exchanges: Int, calls: Int, before next: Int) {
        if lastChunk.count > 0 { closeChunk() }
        (firstChunks, firstCount) = (fullChunks.count, fullCount)
        (omission.exchanges, omission.calls) = (exchanges, calls)
        (omission.exchangesBefore, omission.events) = (fullCommandCount, next - fullCount)
    }

    /// How many of the kept events are commands.
    var commandCount: Int { fullCommandCount + lastChunk.commandCount }

    /// The approximate size of the kept events, in bytes.
    package var byteCount: Int { fullByteCount + lastChunk.byteCount }

    private var nextNumber: Int { endIndex + omission.events }

    private func exceeds(_ bound: TraceBound) -> Bool {
        commandCount > bound.exchanges || byteCount > bound.bytes
    }

    /// Drops chunks after the beginning, the oldest first, until the rest is within the bound.
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

    /// Makes as many of the first chunks the beginning as fit into half of the bound.
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
    public var startIndex: Int { 0 }

    public var endIndex: Int { fullCount + lastChunk.count }

    /// The place before which events are left out; `nil` if none are.
    var gap: Int? { omission.events > 0 ? firstCount : nil }

    /// The event at a place, counted without those left out.
    public subscript(place: Int) -> TraceEvent {
        precondition(indices.contains(place), "events have places from 0 to \(count - 1), not \(place)")
        let sequence = place < firstCount ? place : place + omission.events
        return withChunk(of: sequence) { chunk, place in chunk.event(at: place, sequence: sequence) }
    }

    /// The kind of entry that the event at a place begins; `nil` if it begins none.
    func entryBegun(at place: Int) -> EventChunk.EntryKind? {
        withChunk(of: place < firstCount ? place : place + omission.events) { $0.entryBegun(at: $1) }
    }

    /// Finds the chunk of an event by its number, and its place in the chunk.
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
    /// Compares the events, not how they are packed.
    public static func == (left: TraceEvents, right: TraceEvents) -> Bool {
        left.elementsEqual(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for event in self { hasher.combine(event) }
    }
}

/// Consecutive events.
///
/// The parts of an event other than its time and the bytes of its frame, its label, are held once for all events that share
/// them: most events of a run are the same few commands and answers.
struct EventChunk: Sendable {
    /// Most events of a chunk.
    static let capacity = 512
    /// The size at which a chunk counts as full, in bytes.
    private static let largeByteCount = 256 << 10
    /// The approximate size of a label's lists and texts, in bytes.
    private static let labelOverhead = MemoryLayout<Label>.stride + 128
    /// How many of the newest labels an event is compared to.
    private static let comparedLabels = 16

    /// The kind, with a frame without its bytes, and the circumstances.
    private struct Label: Hashable {
        let kind: TraceEvent.Kind
        let circumstances: EventCircumstances
    }

    private struct Entry {
        let time: Duration
        let label: UInt32
        /// Where the bytes of the frame end; they begin at the end of the previous event's.
        let end: UInt32
    }

    private var labels: [Label] = []
    private var entries: [Entry] = []
    /// The bytes of all frames, one after another.
    private var bytes: [UInt8] = []
    private var labelByteCount = 0
    private(set) var commandCount = 0

    var count: Int { entries.count }

    /// The approximate size, in bytes.
    var byteCount: Int { labelByteCount + entries.count * MemoryLayout<Entry>.stride + bytes.count }

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

    /// The event at a place, from 0, with its number in the trace.
    func event(at place: Int, sequence: Int) -> TraceEvent {
        let (entry, start) = (entries[place], place > 0 ? Int(entries[place - 1].end) : 0)
        let label = labels[Int(entry.label)]
        let kind = label.kind.frame == nil ? label.kind : label.kind.with(Array(bytes[start..<Int(entry.end)]))
        return TraceEvent(sequence: sequence, time: entry.time, kind: kind, circumstances: label.circumstances)
    }

    enum EntryKind: Hashable {
        case exchange
        case call
    }

    /// The kind of entry that the event at a place begins; `nil` if it continues another.
    func entryBegun(at place: Int) -> EntryKind? {
        switch labels[Int(entries[place].label)].kind {
        case .command: .exchange
        case .call(let call) where call.isWithoutExchange: .call
        default: nil
        }
    }
}

extension TraceEvent.Kind {
    /// The frame of a command or of the answer of a card, or what one says.
    fileprivate var frame: AirFrame? {
        switch self {
        case .command(let frame), .answer(let frame, _, _, _), .opened(let frame, _): frame
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
        case .opened(var frame, let command):
            frame.bytes = bytes
            return .opened(frame, answering: command)
        default: return self
        }
    }

    /// Whether it is a remark; equal remarks may differ in their bytes.
    fileprivate var isNote: Bool { if case .note = self { true } else { false } }

    /// The approximate size beside that frame, in bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .collision(let frame, _, _): frame.bytes.count
        case .call(let call): call.command.count + call.outcome.answer.count
        case .note(let text): text.utf8.count
        case .slot(let name, let atr): name.utf8.count + (atr ?? []).count
        case .opened(_, let command): command?.bytes.count ?? 0
        case .command, .answer, .field, .card, .silence, .fault: 0
        }
    }
}
