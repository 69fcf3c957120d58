import TapCards
import TapWire

extension Workload {
    /// Sends every frame twice over to floor and engine, without CRC and with it, and ends the program if an answer
    /// differs: who answers otherwise cannot be compared.
    func checkAnswers() throws {
        switch card {
        case .feliCa(let definition):
            let card = try FeliCaCard(definition)
            check(card, FeliCaFloor(definition).answer(_:), onAir: FeliCaFloor(definition).answer(onAir:))
        case .ntag(let definition):
            let card = Self.selected(definition)
            check(card, NTAGFloor(definition).answer(_:), onAir: NTAGFloor(definition).answer(onAir:))
        }
    }

    private func check<Card: CardEngine>(
        _ card: Card, _ floor: ([UInt8]) -> FloorAnswer, onAir floorOnAir: ([UInt8]) -> FloorAnswer
    ) {
        var (card, cardOnAir) = (card, card)
        let desk = Desk()
        for index in Array(0..<frames.count) + Array(0..<frames.count) {
            let answer = card.answer(frames[index], context: &desk.context)
            compare(frames[index], (answer?.bitCount ?? 0, answer?.bytes ?? []), floor(frames[index]))
            let bytes = framesOnAir[index][...]
            let reply = cardOnAir.answer(
                onAir: bytes.span, bitCount: bytes.count * 8, technology: card.technology, context: &desk.context,
                into: &desk.buffer)
            let answerOnAir = reply == .silence ? (0, []) : (desk.buffer.bitCount, desk.buffer.bytes)
            compare(framesOnAir[index], answerOnAir, floorOnAir(framesOnAir[index]))
        }
    }

    private func compare(_ frame: [UInt8], _ answer: FloorAnswer, _ expected: FloorAnswer) {
        guard answer != expected else { return }
        fail(
            "\(title): to \(Hex.text(frame)) the engine answers \(Hex.text(answer.bytes)), "
                + "the floor \(Hex.text(expected.bytes))")
    }
}
