import TapCards
import TapDoors
import TapField
import TapReport
import TapScenario
import TapWire

extension ServedField {
    /// What is there now.
    var status: ControlAnswer {
        let scenarioCase = current.withLock { $0 }
        let world = host.snapshot
        let cards = scenarioCase.cards.compactMap { card in
            world.card(named: card.name).map { CardStatus(definition: card.definition, slot: $0) }
        }
        let heading = "\(scenarioCase.displayName)  seed \(scenarioCase.seed)  "
        let readers = world.readers.indices.compactMap { service?.name(ofReader: $0) }
        let rows = cards.map(\.columns) + doors.doors.map(\.columns) + readers.map { ["reader", $0] }
        let table = TextTable.lines(rows).map { "  \($0)" }
        return ControlAnswer(
            [PrintableText.visible(heading + CountText.of(world.exchangeCount, "exchange"))] + table
                + (world.isExhausted ? ["  the exchanges are used up, and nothing is answered until a reset"] : []),
            [
                "scenario": .text(scenarioCase.scenarioName), "case": .number(scenarioCase.number),
                "seed": .number(scenarioCase.seed), "cards": .list(cards.map(\.node)),
                "doors": .list(doors.doors.map(\.node)), "readers": .list(readers.map(Node.text)),
                "clients": .number(service?.clientCount ?? 0),
                "field": .boolean(world.isFieldOn),
                "exchanges": .number(world.exchangeCount), "exhausted": .boolean(world.isExhausted),
                "card_time": .number(world.now.wholeNanoseconds),
            ])
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

extension Door {
    fileprivate var columns: [String] {
        ["door \(name)", environment.map { "\($0.name)=\($0.value)" } ?? "", "", wasUsed ? "used" : "not used"]
    }

    fileprivate var node: Node {
        .map([
            "name": .text(name), "variable": environment.map { .text($0.name) },
            "value": environment.map { .text($0.value) }, "used": .boolean(wasUsed),
        ])
    }
}
