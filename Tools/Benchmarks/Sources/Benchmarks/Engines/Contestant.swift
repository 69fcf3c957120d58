import Floor
import Foundation
import TapCards
import TapWire

/// Sends the frames of a workload for a number of rounds and returns the bits of all answers.
typealias Runner = (_ rounds: Int) -> Int

/// A card in C, or the engine, called with spans and one buffer for all answers.
enum Contestant: CaseIterable {
    case floor, spans
}

extension Workload {
    /// Prepares a card and returns a function that runs the workload on it.
    func runner(_ contestant: Contestant) -> Runner {
        switch contestant {
        case .floor: floor().runner(frames)
        case .spans: Self.spans(engine, frames)
        }
    }

    /// Sends every frame twice to floor and engine, and ends the program if their answers differ.
    func checkAnswers() { check(engine) }

    private func check(_ engine: some CardEngine) {
        var engine = engine
        let floor = floor()
        var context = CardContext(random: SeededGenerator(seed: 1))
        for index in Array(0..<frames.count) + Array(0..<frames.count) {
            let answer = engine.answer(frames[index], context: &context)
            let (bits, bytes) = floor.answer(frames[index])
            guard (answer?.bitCount ?? 0, answer?.bytes ?? []) == (bits, bytes) else {
                fail(
                    "\(title): to \(Hex.text(frames[index])) the engine answers \(Hex.text(answer?.bytes ?? [])), "
                        + "the floor \(Hex.text(bytes))")
            }
        }
    }

    private static func spans<Card: CardEngine>(_ card: Card, _ frames: Frames) -> Runner {
        var card = card
        var buffer = FrameBuffer()
        var context = CardContext(random: SeededGenerator(seed: 1))
        return { rounds in answer(frames, rounds, on: &card, &context, into: &buffer) }
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
                // Unchecked, as in C: the bounds are those of the frames.
                let frame = unsafe bytes.extracting(unchecked: start..<end)
                let reply = card.answer(
                    frame, bitCount: frame.count &* 8, integrity: .good, context: &context, into: &buffer)
                bits &+= reply == .silence ? 0 : buffer.bitCount
                start = end
            }
        }
        return bits
    }
}

/// A card in C with the contents of a definition.
@safe
final class FloorCard {
    private let card: UnsafeMutableRawPointer?
    private let hear:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?
        ) -> Int

    init(_ definition: FeliCaCardDefinition) {
        unsafe hear = felica_floor_answer
        unsafe card = felica_floor_create(definition.pmm.rawValue)
        var firstBlock = 0
        for (number, system) in definition.systems.enumerated() {
            unsafe felica_floor_add_system(card, system.code.rawValue, definition.idm.ofSystem(number).rawValue)
            var first: [UInt16: Int] = [:]
            for service in system.services where first[service.code.number] == nil {
                first[service.code.number] = firstBlock
                for block in service.blocks {
                    unsafe felica_floor_set_block(card, UInt32(firstBlock), block.bytes)
                    firstBlock += 1
                }
            }
            let areas = system.areas.map { ($0.code, $0.keys, 0, 0) }
            let services = system.services.map { ($0.code, $0.keys, first[$0.code.number] ?? 0, $0.blocks.count) }
            for (code, keys, first, count) in (areas + services).sorted(by: { $0.0.rawValue < $1.0.rawValue }) {
                let version = keys.desVersion ?? RequestService.absent
                unsafe felica_floor_add_node(card, code.rawValue, version, UInt32(first), UInt32(count))
            }
        }
    }

    init(_ definition: NTAGDefinition) {
        unsafe hear = ntag_floor_answer
        let (pages, packPage) = (definition.product.layout.pageCount, definition.product.layout.packPage)
        var open = definition
        open.password = .zero
        open[page: packPage] = .zero
        let pack = definition[page: packPage].bytes
        unsafe card = ntag_floor_create(open.memory, UInt32(pages), definition.password.bytes, pack)
    }

    deinit {
        unsafe free(card)
    }

    func runner(_ frames: Frames) -> Runner {
        { rounds in unsafe floor_run(self.hear, self.card, frames.bytes, frames.ends, frames.count, rounds) }
    }

    /// The answer to a frame; no bits for silence.
    func answer(_ frame: [UInt8]) -> (bits: Int, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: Int(FLOOR_ANSWER_BYTES))
        let bits = unsafe hear(card, frame, frame.count, &bytes)
        return (bits, Array(bytes.prefix((bits + 7) / 8)))
    }
}
