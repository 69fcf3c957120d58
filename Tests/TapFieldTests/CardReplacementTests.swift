import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A card that is made anew under its name, and a swap that somebody asks for.
@Suite struct `Cards made anew in a field` {
    @Test func `a card before the reader leaves and comes, one that is away stays away`() {
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

    @Test func `what a new card holds is what it is compared with`() {
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
