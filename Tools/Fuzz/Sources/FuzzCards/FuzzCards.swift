import FuzzSupport
import TapWire
import TapCards

/// Sends many frames to a card, well-formed and not, with power going and coming, and checks the guarantees of every card.
///
/// The first byte chooses the card: one of the catalogue's chips, whose quirks differ.
@c(FuzzCards_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    let cards = SampleCards()
    return unsafe Fuzzer.run(count, arguments) { choices in
        switch choices.number(below: 3) {
        case 0: hold(choices.pick(cards.standard), FeliCaFrames.self, choices)
        case 1: hold(choices.pick(cards.lite), FeliCaFrames.self, choices)
        default: hold(choices.pick(cards.tags), TagFrames.self, choices)
        }
    }
}

/// Checks that the same choices give the same answers and the same card, and that power-off clears only volatile state.
private func hold<Frames: CardFrames>(_ card: Frames.Card, _: Frames.Type, _ choices: Choices)
where Frames.Card: CardEngine {
    let first = Bench(card).run(Frames.self, choices)
    let second = Bench(card).run(Frames.self, choices)
    expect(first.digest == second.digest && first.card == second.card, "the same frames give the same answers")

    var reset = first.card
    reset.fieldFell()
    reset.fieldRose()
    expect(reset.hasSameMemory(as: first.card), "power-off keeps the memory")
    var again = reset
    again.fieldFell()
    again.fieldRose()
    expect(again == reset, "power-off brings the card to one state")
    var fresh = card
    fresh.fieldRose()
    expect(reset.stateName == fresh.stateName, "\(reset.stateName) is the state after power-on, \(fresh.stateName)")
}
