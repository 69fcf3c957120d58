import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// What the built-in clients read of the cards of a world, each by the one that suits it.
package struct CardReading: Hashable, Sendable {
    /// The result for each card, or `nil` where its client reported an error.
    package let results: [Node?]

    /// Reads cards as a run left them, one at a time before a reader.
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

    /// The built-in client that suits a card, with the PWD of a tag.
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

    /// The content of all cards.
    package var all: Node { .list(NodeList(results.compactMap(\.self))) }

    /// What is on the only card.
    package var only: Node? { results.count == 1 ? results[0] : nil }
}

extension OctopusServices {
    /// The balance of an Octopus card in dollars, which no built-in client shows; empty for another card.
    fileprivate static func entries(of card: any CardEngine) -> [(key: String, value: Node)] {
        let block = (card as? any FeliCaEngine)?.blocks(of: balance.code, in: balance.system)?.first
        let dollars = block.flatMap { "\(OctopusBalance($0).balance)".split(separator: " ").first }
        return dollars.map { [("balance", .text(String($0)))] } ?? []
    }
}
