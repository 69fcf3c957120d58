import TapCards
import TapField
import TestSupport

extension World {
    /// A world with the cards `ntag` and `felica`, away from the reader, whose timeline follows the clock.
    static func withTwoCards(tag: NTAGDefinition = SampleTags.t0()) throws -> World {
        var world = World(seed: 1)
        world.followMeasuredClock()
        world.add(NTAGCard(tag), named: "ntag")
        world.add(try CardS.card(), named: "felica")
        return world
    }
}
