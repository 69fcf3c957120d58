import TapCards
import TapWire

extension Workload {
    /// Sends every frame twice over to floor and engine, and ends the program if an answer differs, since
    /// different answers cannot be compared.
    func checkAnswers() throws {
        switch card {
        case .feliCa(let definition): check(try FeliCaCard(definition), FeliCaFloor(definition).answer)
        case .ntag(let definition): check(Self.selected(definition), NTAGFloor(definition).answer)
        }
    }

    private func check<Card: CardEngine>(_ card: Card, _ floor: ([UInt8]) -> FloorAnswer) {
        var card = card
        let desk = Desk()
        for index in Array(0..<frames.count) + Array(0..<frames.count) {
            let answer = card.answer(frames[index], context: &desk.context)
            compare(frames[index], (answer?.bitCount ?? 0, answer?.bytes ?? []), floor(frames[index]))
        }
    }

    private func compare(_ frame: [UInt8], _ answer: FloorAnswer, _ expected: FloorAnswer) {
        guard answer != expected else { return }
        fail(
            "\(title): to \(Hex.text(frame)) the engine answers \(Hex.text(answer.bytes)), "
                + "the floor \(Hex.text(expected.bytes))")
    }
}
