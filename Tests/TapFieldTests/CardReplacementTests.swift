import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A card that is replaced under the same name, and a swap that a user requests.
@Suite struct `Replaced cards in a field` {
    @Test func `a replaced card leaves and returns if it was present, and otherwise stays away`() {
        var world = World(seed: 1, trace: Trace())
        world.add(ScriptedCard(), named: "card")
        world.replace("card", with: ScriptedCard())
        #expect(world.presenceCount == 0)
        world.tap("card")
        let visit = world.card(named: "card")?.visit
        world.replace("card", with: ScriptedCard())
        #expect(world.card(named: "card")?.isPresent == true)
        #expect(world.card(named: "card")?.visit == visit.map { $0 + 1 })
        #expect(world.presenceCount == 3)
        world.replace("nobody", with: ScriptedCard())
        #expect(world.cards.count == 1)
    }

    @Test func `the memory of a new card is compared with its own original`() {
        var world = World(seed: 1)
        world.add(ScriptedCard(), named: "card")
        world.replace("card", with: ScriptedCard())
        #expect(world.card(named: "card")?.isMemoryUnchanged == true)
    }

    @Test func `a swap ends after its gap`() {
        var world = World(seed: 1)
        for name in ["first", "second"] { world.add(ScriptedCard(), named: name) }
        world.tap("first")
        world.swap("first", for: "second", after: .milliseconds(30))
        #expect(world.cards.map(\.isPresent) == [false, false])
        world.advance(by: .milliseconds(29))
        #expect(world.cards.map(\.isPresent) == [false, false])
        world.advance(by: .milliseconds(1))
        #expect(world.cards.map(\.isPresent) == [false, true])
    }
}
