import Meters
import TapCards
import TapWire

/// Frames that begin in the field, and whether the last one is answered: one line of the list of allocations.
struct AllocationScript {
    let name: String
    let frames: [HeardFrame]
    let isAnswered: Bool

    init(_ name: String, _ frames: [HeardFrame], isAnswered: Bool = true) {
        self.name = name
        self.frames = frames
        self.isAnswered = isAnswered
    }

    init(_ name: String, _ frames: [UInt8]..., isAnswered: Bool = true) {
        self.init(name, frames.map { HeardFrame($0) }, isAnswered: isAnswered)
    }

    /// What became of a script.
    struct Result {
        /// Allocations of one run through the script.
        let allocations: Double
        /// Whether the last frame was answered, or not, as the script has it.
        let isAsExpected: Bool
    }

    /// Runs the script until the memory of the card is its own, then counts.
    func run<Card: CardEngine>(on card: Card) -> Result {
        let (warmUp, counted) = (10, 100)
        var card = card
        let desk = Desk()
        let frames = Frames(frames.map(\.bytes))
        var isAsExpected = true
        var before = 0
        for round in 0..<warmUp + counted {
            if round == warmUp { before = allocation_count() }
            card.fieldRose()
            let reply = send(frames, to: &card, &desk.context, into: &desk.buffer)
            if (reply != .silence) != isAnswered { isAsExpected = false }
            card.fieldFell()
        }
        let allocations = Double(allocation_count() - before) / Double(counted)
        return Result(allocations: allocations, isAsExpected: isAsExpected)
    }

    private func send<Card: CardEngine>(
        _ flat: Frames, to card: inout Card, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let slice = flat.bytes[...]
        let bytes = slice.span
        var reply = CardReply.silence
        var start = 0
        for index in frames.indices {
            reply = card.answer(
                bytes.extracting(start..<flat.ends[index]), bitCount: frames[index].bitCount,
                integrity: frames[index].integrity, context: &context, into: &buffer)
            start = flat.ends[index]
        }
        return reply
    }
}
