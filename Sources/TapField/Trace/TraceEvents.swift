import TapWire

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

/// Events that follow each other, some of them whole, the others as what sets them apart from one of these.
///
/// What happens again and again differs in its time and the bits of its frame alone, and most frames begin as one before
/// them: with a length, a command code, an IDm. The first of such events is kept whole and is the model of the others, of
/// which the time is kept and the bytes from the first one that is another.
struct EventChunk: Sendable {
    /// How many events a chunk holds at most: of usual frames some 20 KiB, little to copy where a trace and its copy
    /// part, and less than the 128 KiB from which malloc asks the system for memory each time.
    static let capacity = 512
    /// How many bytes a chunk takes until it counts as full: those of frames that are long and all different.
    private static let largeByteCount = 256 << 10
    /// What an event that is kept whole takes beside its bytes: its lists, and the box of what is rare.
    private static let modelOverhead = MemoryLayout<Model>.stride + 128

    /// The events that are kept whole, in order.
    private var models: [Model] = []
    /// The other events, in order.
    private var variations: [Variation] = []
    /// The bytes of their frames, one after another.
    private var bytes: [UInt8] = []
    /// The number of the model that the last event is, or is like.
    private var lastModel = 0
    /// How many of the events are commands.
    private(set) var commandCount = 0
    /// How many bytes the models take, about.
    private var modelByteCount = 0

    /// An event that is kept whole.
    private struct Model {
        let kind: TraceEvent.Kind
        let circumstances: EventCircumstances
        let time: Duration
        /// Its place among the events of the chunk.
        let place: Int
    }

    /// What sets an event apart from its model.
    private struct Variation {
        let time: Duration
        /// Where the bytes begin that are kept of its frame; they end where those of the next variation begin.
        let start: UInt32
        /// The number of its model.
        let model: UInt16
        /// How many bytes its frame begins with as that of its model does; they are kept there alone.
        let sharedBytes: UInt8
        /// How many bits of its last byte are not on air.
        let unusedBits: UInt8
    }

    init() {}

    /// Creates an empty chunk with as much memory as another one needed, since what follows is likely to be alike.
    init(after other: EventChunk) {
        models.reserveCapacity(other.models.count)
        variations.reserveCapacity(other.variations.count)
        bytes.reserveCapacity(min(other.bytes.count, Self.mostReservedBytes))
    }

    /// How many events there are.
    var count: Int { models.count + variations.count }

    /// How many bytes the events take, about.
    var byteCount: Int { modelByteCount + variations.count * MemoryLayout<Variation>.stride + bytes.count }

    /// Whether no more events are to come in.
    var isFull: Bool { count >= Self.capacity || byteCount > Self.largeByteCount }
}

/// Adding events.
extension EventChunk {
    /// How many models a chunk has room for at first: a command, its answer, and what came before.
    private static let usualModels = 4
    /// Bytes of frames for which memory is taken beforehand at most.
    private static let mostReservedBytes = 1 << 16
    /// How many other events a chunk has room for at first, and bytes of their frames.
    private static let firstVariations = (count: 32, bytes: 512)
    /// How many models an event is compared to, so that one that is like none costs little.
    private static let comparedModels = 8
    /// The most bytes at the beginning of a frame that are not kept again.
    private static let mostSharedBytes = Int(UInt8.max)
    /// The longest frame that is kept apart from its model, so that the bytes of a whole chunk can be counted.
    private static let longestFrame = 65_535

    /// Adds an event.
    mutating func append(_ kind: consuming TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        if case .command = kind { commandCount += 1 }
        if let number = modelNumber(kind, circumstances) {
            lastModel = number
            addVariation(kind, at: time)
        } else {
            if models.isEmpty { models.reserveCapacity(Self.usualModels) }
            lastModel = models.count
            modelByteCount += Self.modelOverhead + kind.byteCount
            models.append(Model(kind: kind, circumstances: circumstances, time: time, place: count))
        }
    }

    /// The number of the model an event is like; of events that take turns it is the one after the last.
    private func modelNumber(_ kind: TraceEvent.Kind, _ circumstances: EventCircumstances) -> Int? {
        if let frame = kind.frame, !Self.isTold(frame) { return nil }
        var number = lastModel
        for _ in 0..<min(models.count, Self.comparedModels) {
            number = number + 1 < models.count ? number + 1 : 0
            if kind.isLike(models[number].kind), models[number].circumstances == circumstances { return number }
        }
        return nil
    }

    /// Whether the bytes of a frame and the unused bits of the last one tell all of its bits.
    private static func isTold(_ frame: AirFrame) -> Bool {
        0..<8 ~= frame.unusedBits && frame.bytes.count <= longestFrame
    }

    private mutating func addVariation(_ kind: TraceEvent.Kind, at time: Duration) {
        if variations.isEmpty {
            variations.reserveCapacity(Self.firstVariations.count)
            bytes.reserveCapacity(Self.firstVariations.bytes)
        }
        let start = bytes.count
        var (sharedBytes, unusedBits) = (0, 0)
        if let frame = kind.frame, let model = models[lastModel].kind.frame {
            sharedBytes = min(frame.bytes.sharedPrefixCount(with: model.bytes), Self.mostSharedBytes)
            if sharedBytes < frame.bytes.count { bytes.append(contentsOf: frame.bytes[sharedBytes...]) }
            unusedBits = frame.unusedBits
        }
        variations.append(
            Variation(
                time: time, start: UInt32(start), model: UInt16(lastModel), sharedBytes: UInt8(sharedBytes),
                unusedBits: UInt8(unusedBits)))
    }
}

/// Reading events.
extension EventChunk {
    /// The event at a place, from 0, as one of a number in its trace.
    func event(at place: Int, sequence: Int) -> TraceEvent {
        guard let index = variationIndex(at: place) else {
            let model = models[modelsBefore(place)]
            return TraceEvent(
                sequence: sequence, time: model.time, kind: model.kind, circumstances: model.circumstances)
        }
        let variation = variations[index]
        let model = models[Int(variation.model)]
        let end = index + 1 < variations.count ? Int(variations[index + 1].start) : bytes.count
        let kind = model.kind.with(
            bytes[Int(variation.start)..<end], after: Int(variation.sharedBytes), unusedBits: Int(variation.unusedBits))
        return TraceEvent(sequence: sequence, time: variation.time, kind: kind, circumstances: model.circumstances)
    }

    /// What an event begins.
    enum EntryKind: Hashable {
        case exchange
        case call
    }

    /// What the event at a place begins; nothing if it goes on with what another has begun.
    func entryBegun(at place: Int) -> EntryKind? {
        let number = variationIndex(at: place).map { Int(variations[$0].model) } ?? modelsBefore(place)
        return switch models[number].kind {
        case .command: .exchange
        case .call: .call
        default: nil
        }
    }

    /// The index of the event at a place among those that are not whole; nothing where it is whole.
    private func variationIndex(at place: Int) -> Int? {
        let number = modelsBefore(place)
        return number < models.count && models[number].place == place ? nil : place - number
    }

    /// How many events before a place are whole.
    private func modelsBefore(_ place: Int) -> Int {
        var range = 0..<models.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = models[middle].place < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

/// What an event is beside the bits of its frame.
extension TraceEvent.Kind {
    /// The frame of a command or of the answer of a card.
    fileprivate var frame: AirFrame? {
        switch self {
        case .command(let frame), .answer(let frame, _, _, _): frame
        default: nil
        }
    }

    /// How many bytes there are in it, but for words that are few.
    fileprivate var byteCount: Int {
        switch self {
        case .command(let frame), .answer(let frame, _, _, _), .collision(let frame, _, _): frame.bytes.count
        case .call(let call): call.command.count + call.outcome.answer.count
        case .note(let text): text.utf8.count
        case .field, .card, .silence, .fault: 0
        }
    }

    /// Whether nothing but the bits of the frame sets an event apart from another one.
    fileprivate func isLike(_ model: TraceEvent.Kind) -> Bool {
        switch (self, model) {
        case (.command(let frame), .command(let other)): frame.isSent(like: other)
        case (
            .answer(let frame, let card, let state, let slot),
            .answer(let other, let otherCard, let otherState, let otherSlot)
        ):
            frame.isSent(like: other) && slot == otherSlot && card == otherCard && state == otherState
        case (.command, _), (.answer, _): false
        // Remarks that are equal may differ in their bytes.
        case (.note, _): false
        default: self == model
        }
    }

    /// The same event with other bits after the first bytes of the frame of its command or answer; of other kinds the
    /// event itself.
    fileprivate func with(_ bytes: ArraySlice<UInt8>, after sharedBytes: Int, unusedBits: Int) -> TraceEvent.Kind {
        guard var frame else { return self }
        frame.bytes.replaceSubrange(sharedBytes..., with: bytes)
        frame.bitCount = frame.bytes.count * 8 - unusedBits
        return switch self {
        case .answer(_, let card, let state, let slot): .answer(frame, card: card, state: state, slot: slot)
        default: .command(frame)
        }
    }
}

extension AirFrame {
    /// How many bits of the last byte are not on air.
    fileprivate var unusedBits: Int { bytes.count * 8 - bitCount }

    /// Whether a frame was sent as another one, whatever its bits.
    fileprivate func isSent(like other: AirFrame) -> Bool {
        technology == other.technology && integrity == other.integrity
    }
}

extension [UInt8] {
    /// How many bytes both begin with.
    fileprivate func sharedPrefixCount(with other: [UInt8]) -> Int {
        let count = Swift.min(count, other.count)
        var index = 0
        while index < count, self[index] == other[index] { index += 1 }
        return index
    }
}
