import Floor
import TapCards
import TapWire

/// Sends the frames of a workload as many rounds as told, and returns how many bits were answered.
typealias Runner = (_ rounds: Int) -> Int

/// Who answers.
enum Contestant: String, CaseIterable {
    /// C that parses and checks and does nothing else.
    case floor
    /// The engine, called with spans and one buffer for all answers.
    case spans
    /// The engine, called with arrays.
    case arrays
}

extension Workload {
    /// Prepares a card of its own and returns what runs the workload on it.
    func runner(_ contestant: Contestant) throws -> Runner {
        switch (contestant, card) {
        case (.floor, .feliCa(let definition)): FeliCaFloor(definition).runner(frames)
        case (.floor, .ntag(let definition)): NTAGFloor(definition).runner(frames)
        case (.spans, .feliCa(let definition)): Self.spans(try FeliCaCard(definition), frames)
        case (.spans, .ntag(let definition)): Self.spans(selected(definition), frames)
        case (.arrays, .feliCa(let definition)): Self.arrays(try FeliCaCard(definition), frames)
        case (.arrays, .ntag(let definition)): Self.arrays(selected(definition), frames)
        }
    }

    /// Sends every frame twice over to floor and engine and compares the answers.
    ///
    /// - Returns: What differs, a sentence, or nothing.
    func difference() throws -> String? {
        switch card {
        case .feliCa(let definition):
            Self.difference(try FeliCaCard(definition), FeliCaFloor(definition).answer, frames)
        case .ntag(let definition):
            Self.difference(selected(definition), NTAGFloor(definition).answer, frames)
        }
    }

    private func selected(_ definition: NTAGDefinition) -> NTAGCard {
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
        let slice = frames.bytes[...]
        let bytes = slice.span
        var bits = 0
        for _ in 0..<rounds {
            var start = 0
            for end in frames.ends {
                let frame = bytes.extracting(start..<end)
                let reply = card.answer(
                    frame, bitCount: frame.count * 8, integrity: .good, context: &context, into: &buffer)
                if case .silence = reply {} else { bits &+= buffer.bitCount }
                start = end
            }
        }
        return bits
    }

    private static func arrays<Card: CardEngine>(_ card: Card, _ frames: Frames) -> Runner {
        var card = card
        let desk = Desk()
        let list = (0..<frames.count).map { frames[$0] }
        return { rounds in
            var bits = 0
            for _ in 0..<rounds {
                for frame in list { bits &+= card.answer(frame, context: &desk.context)?.bitCount ?? 0 }
            }
            return bits
        }
    }

    private static func difference<Card: CardEngine>(
        _ card: Card, _ floor: ([UInt8]) -> (bits: Int, bytes: [UInt8]), _ frames: Frames
    ) -> String? {
        var card = card
        var context = CardContext(random: SeededGenerator(seed: 1))
        for index in Array(0..<frames.count) + Array(0..<frames.count) {
            let answer = card.answer(frames[index], context: &context)
            let expected = floor(frames[index])
            guard answer?.bytes ?? [] == expected.bytes, answer?.bitCount ?? 0 == expected.bits else {
                return "to \(Hex.text(frames[index])) the engine answers \(Hex.text(answer?.bytes ?? [])), "
                    + "the floor \(Hex.text(expected.bytes))"
            }
        }
        return nil
    }
}

/// What a caller keeps from exchange to exchange.
final class Desk {
    var buffer = FrameBuffer()
    var context = CardContext(random: SeededGenerator(seed: 1))
}
