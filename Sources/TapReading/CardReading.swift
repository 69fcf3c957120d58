import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// The readings of the cards of a world by the built-in clients, each by the one that suits the card.
package struct CardReading: Hashable, Sendable {
    /// The result for each card; `nil` if its client reported an error.
    package let results: [Node?]

    /// Reads the cards as a run left them, presenting one at a time to a reader.
    package init(_ world: World, of scenarioCase: ScenarioCase) async {
        var results: [Node?] = []
        for card in scenarioCase.cards {
            guard let slot = world.card(named: card.name) else { continue }
            var alone = World(seed: scenarioCase.seed)
            alone.add(slot.engine, named: slot.name)
            alone.tap(slot.name)
            let record = await Self.client(for: card).run(over: VirtualLink(alone))
            let result = record.client.end == .exit(0) ? record.client.result : nil
            results.append(result?.adding(OctopusServices.entries(of: slot.engine)))
        }
        self.results = results
    }

    /// Returns the built-in client that suits a card, with the PWD of a tag.
    private static func client(for card: ScenarioCase.NamedCard) -> BuiltinClient {
        guard case .ntag(let template) = card.definition else { return .suiting([card]) }
        let password = template.definition.password.bytes
        return switch BuiltinClient.suiting([card]) {
        case .ndef: .ndef(password: password)
        default: .dump(password: password)
        }
    }

    package func compared(before: CardReading, after: CardReading) -> ReadBack {
        if self == after { return .new }
        if self == before { return .old }
        let isWorse = zip(results, zip(before.results, after.results)).contains { now, known in
            now == nil && known.0 != nil && known.1 != nil
        }
        return isWorse ? .unreadable : .other
    }

    /// Returns the contents of each card that could be read, by name.
    package func byName(_ cards: [ScenarioCase.NamedCard]) -> [String: Node] {
        Dictionary(zip(cards, results).compactMap { card, result in result.map { (card.name, $0) } }) { first, _ in
            first
        }
    }

    /// The contents of all cards.
    package var all: Node { .list(NodeList(results.compactMap(\.self))) }

    /// The contents of the card, if there is only one.
    package var only: Node? { results.count == 1 ? results[0] : nil }
}

extension OctopusServices {
    /// Returns the balance of an Octopus card in dollars, which no built-in client shows; empty for other cards.
    fileprivate static func entries(of card: any CardEngine) -> [(key: String, value: Node)] {
        let block = (card as? any FeliCaEngine)?.blocks(of: balance.code, in: balance.system)?.first
        let dollars = block.flatMap { "\(OctopusBalance($0).balance)".split(separator: " ").first }
        return dollars.map { [("balance", .text(String($0)))] } ?? []
    }
}
