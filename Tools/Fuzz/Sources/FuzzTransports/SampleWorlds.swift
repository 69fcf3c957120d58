import FuzzSupport
import TapCards
import TapField

/// Fields with one card, with two cards, and with none.
struct SampleWorlds {
    let all: [World]

    init() {
        let cards = SampleCards()
        let engines: [any CardEngine] = [cards.standard[0], cards.lite[0], cards.tags[0]]
        let single = engines.map { Self.world([$0]) }
        all = single + [Self.world(engines), Self.world([])]
    }

    private static func world(_ engines: [any CardEngine]) -> World {
        var world = World(seed: 1)
        for (number, engine) in engines.enumerated() {
            world.add(engine, named: "card\(number)")
            world.tap("card\(number)")
        }
        return world
    }
}
