import TapWire

/// Events that follow each other, some of them whole, the others as what sets them apart from one of these.
///
/// What happens again and again differs in its time and the bits of its frame alone. The first of such events is kept
/// whole and is the model of the others, of which these two are kept.
struct EventChunk: Sendable {
    /// How many events a chunk holds: of usual frames some 25 KiB, little to copy where a trace and its copy part, and
    /// less than the 128 KiB from which malloc asks the system for memory each time.
    static let capacity = 512

    /// The events that are kept whole, in order.
    private var models: [Model] = []
    /// The other events, in order.
    private var variations: [Variation] = []
    /// The bytes of their frames, one after another.
    private var bytes: [UInt8] = []
    /// The number of the model that the last event is, or is like.
    private var lastModel = 0

    /// What happened, beside what the label says of it.
    private enum Content: Hashable {
        case frame(AirFrame)
        indirect case other(TraceEvent.Kind)
    }

    /// An event that is kept whole.
    private struct Model {
        let label: EventLabel
        let content: Content
        let circumstances: EventCircumstances
        let time: Duration
        /// Its place among the events of the chunk.
        let place: Int
    }

    /// What sets an event apart from its model.
    private struct Variation {
        let time: Duration
        /// Where the bytes of its frame begin; they end where those of the next variation begin.
        let start: UInt32
        /// The number of its model.
        let model: UInt16
        /// How many bits of its last byte are not on air.
        let unusedBits: UInt8
    }

    /// Creates an empty chunk.
    init() {}

    /// Creates an empty chunk with as much memory as another one needed, since what follows is likely to be alike.
    init(after other: EventChunk) {
        models.reserveCapacity(other.models.count)
        variations.reserveCapacity(other.variations.count)
        bytes.reserveCapacity(min(other.bytes.count, Self.mostReservedBytes))
    }

    /// How many events there are.
    var count: Int { models.count + variations.count }
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
    /// The longest frame that is kept apart from its model, so that the bytes of a whole chunk can be counted.
    private static let longestFrame = 65_535

    /// Adds an event.
    mutating func append(_ kind: TraceEvent.Kind, at time: Duration, _ circumstances: EventCircumstances) {
        switch kind {
        case .command(let frame) where Self.isTold(frame):
            append(.frame(frame), EventLabel(command: frame), at: time, circumstances)
        case .answer(let frame, let card, let state, let slot) where Self.isTold(frame):
            append(.frame(frame), EventLabel(answer: frame, card, state, slot), at: time, circumstances)
        default:
            append(.other(kind), EventLabel(), at: time, circumstances)
        }
    }

    /// Whether the bytes of a frame and the unused bits of the last one tell all of its bits.
    private static func isTold(_ frame: AirFrame) -> Bool {
        0..<8 ~= frame.unusedBits && frame.bytes.count <= longestFrame
    }

    private mutating func append(
        _ content: Content, _ label: consuming EventLabel, at time: Duration, _ circumstances: EventCircumstances
    ) {
        if let number = modelNumber(content, label, circumstances) {
            lastModel = number
            addVariation(content, at: time)
        } else {
            if models.isEmpty { models.reserveCapacity(Self.usualModels) }
            lastModel = models.count
            models.append(
                Model(label: label, content: content, circumstances: circumstances, time: time, place: count))
        }
    }

    /// The number of the model an event is like; of events that take turns it is the one after the last.
    private func modelNumber(
        _ content: Content, _ label: EventLabel, _ circumstances: EventCircumstances
    ) -> Int? {
        // Texts that are equal may differ in their bytes.
        if case .other(.note) = content { return nil }
        var number = lastModel
        for _ in 0..<min(models.count, Self.comparedModels) {
            number = number + 1 < models.count ? number + 1 : 0
            let isLike = models[number].label == label && models[number].circumstances == circumstances
            if isLike, label.form != .other || models[number].content == content { return number }
        }
        return nil
    }

    private mutating func addVariation(_ content: Content, at time: Duration) {
        if variations.isEmpty {
            variations.reserveCapacity(Self.firstVariations.count)
            bytes.reserveCapacity(Self.firstVariations.bytes)
        }
        let start = bytes.count
        var unusedBits = 0
        if case .frame(let frame) = content {
            bytes.append(contentsOf: frame.bytes)
            unusedBits = frame.unusedBits
        }
        variations.append(
            Variation(
                time: time, start: UInt32(start), model: UInt16(lastModel), unusedBits: UInt8(unusedBits)))
    }
}

/// Reading events.
extension EventChunk {
    /// The event at a place, from 0, as one of a number in its trace.
    func event(at place: Int, sequence: Int) -> TraceEvent {
        guard let index = variationIndex(at: place) else {
            let model = models[modelsBefore(place)]
            return event(like: model, sequence, model.time, model.content)
        }
        let variation = variations[index]
        let model = models[Int(variation.model)]
        guard case .frame(var frame) = model.content else {
            return event(like: model, sequence, variation.time, model.content)
        }
        let end = index + 1 < variations.count ? Int(variations[index + 1].start) : bytes.count
        frame.bytes = Array(bytes[Int(variation.start)..<end])
        frame.bitCount = frame.bytes.count * 8 - Int(variation.unusedBits)
        return event(like: model, sequence, variation.time, .frame(frame))
    }

    /// Whether the event at a place is a command.
    func isCommand(at place: Int) -> Bool {
        let number = variationIndex(at: place).map { Int(variations[$0].model) } ?? modelsBefore(place)
        return switch models[number].content {
        case .other(.command): true
        case .frame, .other: models[number].label.form == .command
        }
    }

    private func event(like model: Model, _ sequence: Int, _ time: Duration, _ content: Content) -> TraceEvent {
        let kind =
            switch content {
            case .frame(let frame): model.label.kind(frame)
            case .other(let kind): kind
            }
        return TraceEvent(sequence: sequence, time: time, kind: kind, circumstances: model.circumstances)
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

extension AirFrame {
    /// How many bits of the last byte are not on air.
    fileprivate var unusedBits: Int { bytes.count * 8 - bitCount }
}
