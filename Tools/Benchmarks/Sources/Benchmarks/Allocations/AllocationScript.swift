import Meters
import TapCards
import TapWire

/// Frames that begin in the field, and whether the last one is answered: one case of the list of allocations.
struct AllocationScript {
    /// A way to call an engine.
    enum API: String, CaseIterable {
        /// With a span in, into a buffer that the caller keeps.
        case spans
        /// With an array in and an array out.
        case arrays
    }

    /// The result of a script.
    struct Result {
        /// Allocations of the worst exchange.
        var allocations: [API: Double] = [:]
        /// Whether the last frame was answered, or not, as the script has it.
        var isAsExpected = true
    }

    private static let warmUpRounds = 10
    private static let countedRounds = 100

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

    /// Runs the script until the card has copied its memory, then counts.
    func run<Card: CardEngine>(on card: Card) -> Result {
        var result = Result()
        for api in API.allCases {
            var card = card
            let desk = Desk()
            var counts = frames.map { _ in 0 }
            for round in 0..<Self.warmUpRounds + Self.countedRounds {
                if round == Self.warmUpRounds { counts = frames.map { _ in 0 } }
                card.fieldRose()
                var isLastAnswered = false
                for (index, frame) in frames.enumerated() {
                    let before = allocation_count()
                    isLastAnswered = Self.isAnswered(frame, by: &card, api, desk)
                    counts[index] += allocation_count() - before
                }
                if isLastAnswered != isAnswered { result.isAsExpected = false }
                card.fieldFell()
            }
            result.allocations[api] = Double(counts.max() ?? 0) / Double(Self.countedRounds)
        }
        return result
    }

    private static func isAnswered<Card: CardEngine>(
        _ frame: HeardFrame, by card: inout Card, _ api: API, _ desk: Desk
    ) -> Bool {
        switch api {
        case .spans:
            let slice = frame.bytes[...]
            let reply = card.answer(
                slice.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &desk.context,
                into: &desk.buffer)
            return reply != .silence
        case .arrays:
            let answer = card.answer(
                frame.bytes, bitCount: frame.bitCount, integrity: frame.integrity, context: &desk.context)
            return answer != nil
        }
    }
}
