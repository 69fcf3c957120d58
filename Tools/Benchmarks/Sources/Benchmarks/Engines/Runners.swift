import Floor
import TapCards
import TapWire

/// Sends the frames of a workload as many rounds as told, and returns how many bits were answered.
typealias Runner = (_ rounds: Int) -> Int

/// The program that answers.
enum Contestant: String, CaseIterable {
    /// C that parses and checks and does nothing else.
    case floor
    /// The engine, called with spans and one buffer for all answers.
    case spans
}

extension Workload {
    /// Prepares a card of its own and returns what runs the workload on it.
    func runner(_ contestant: Contestant) throws -> Runner {
        switch card {
        case .feliCa(let definition):
            switch contestant {
            case .floor: FeliCaFloor(definition).runner(frames)
            case .spans: Self.spans(try FeliCaCard(definition), frames)
            }
        case .ntag(let definition):
            switch contestant {
            case .floor: NTAGFloor(definition).runner(frames)
            case .spans: Self.spans(Self.selected(definition), frames)
            }
        }
    }

    /// A tag in ACTIVE.
    static func selected(_ definition: NTAGDefinition) -> NTAGCard {
        var card = NTAGCard(definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        card.fieldRose()
        for frame in Selection.frames(uid: definition.uid) {
            _ = card.answer(frame.bytes, bitCount: frame.bitCount, context: &context)
        }
        return card
    }

    private static func spans<Card: CardEngine>(_ card: Card, _ frames: Frames) -> Runner {
        var card = card
        let desk = Desk()
        return { rounds in answer(frames, rounds, on: &card, &desk.context, into: &desk.buffer) }
    }

    private static func answer<Card: CardEngine>(
        _ frames: Frames, _ rounds: Int, on card: inout Card, _ context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> Int {
        frames.bitsAnswered(rounds) { frame in
            let reply = card.answer(
                frame, bitCount: frame.count &* 8, integrity: .good, context: &context, into: &buffer)
            return reply == .silence ? 0 : buffer.bitCount
        }
    }
}

extension Frames {
    /// Sends all frames as many rounds as told, and adds up how many bits each call of `hear` says were answered.
    @inline(__always)
    fileprivate func bitsAnswered(_ rounds: Int, _ hear: (Span<UInt8>) -> Int) -> Int {
        let slice = bytes[...]
        let bytes = slice.span
        var bits = 0
        for _ in 0..<rounds {
            var start = 0
            for end in ends {
                // The ends are those of the frames, as the C takes them.
                bits &+= unsafe hear(bytes.extracting(unchecked: start..<end))
                start = end
            }
        }
        return bits
    }
}

extension CardEngine {
    /// The technology the card hears.
    var technology: Technology { hears(.typeA106) ? .typeA106 : .felica212 }
}

/// What a caller keeps from exchange to exchange.
final class Desk {
    var buffer = FrameBuffer()
    var context = CardContext(random: SeededGenerator(seed: 1))
}
