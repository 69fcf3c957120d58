import TapCards
import TapDoors
import TapField
import TapReport
import TapScenario
import TapWire

extension SteeredField {
    /// What is there now.
    var status: ControlAnswer {
        let scenarioCase = current.withLock { $0 }
        let world = host.snapshot
        let cards = scenarioCase.cards.compactMap { card in
            world.card(named: card.name).map { CardStatus(definition: card.definition, slot: $0) }
        }
        let heading = "\(scenarioCase.displayName)  seed \(scenarioCase.seed)  "
        let ofUser = user.status
        let table = TextTable.lines(cards.map(\.columns) + ofUser.rows).map { "  \($0)" }
        return ControlAnswer(
            [PrintableText.visible(heading + CountText.of(world.exchangeCount, "exchange"))] + table
                + (world.isExhausted ? ["  the exchanges are used up, and nothing is answered until a reset"] : []),
            .map(
                [
                    ("scenario", .text(scenarioCase.scenarioName)), ("case", .number(scenarioCase.number)),
                    ("seed", .number(scenarioCase.seed)), ("cards", .list(cards.map(\.node))),
                ] + ofUser.entries + [
                    ("field", .boolean(world.isFieldOn)), ("exchanges", .number(world.exchangeCount)),
                    ("exhausted", .boolean(world.isExhausted)), ("card_time", .number(world.now.wholeNanoseconds)),
                ]))
    }
}

/// A card as a status tells of it.
private struct CardStatus {
    let definition: CardDefinition
    let slot: CardSlot

    var columns: [String] {
        [
            slot.name, definition.icName, Hex.text(definition.identifier),
            slot.isPresent ? "before the reader" : "away",
        ]
    }

    var node: Node {
        [
            "name": .text(slot.name), "ic": .text(definition.icName),
            "identifier": .text(Hex.text(definition.identifier)), "present": .boolean(slot.isPresent),
            "state": .text(slot.engine.stateName),
        ]
    }
}
