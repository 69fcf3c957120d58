import FuzzSupport
import TapCards
import TapField
import TapWire

/// A template: feeds a client's own function, which reads over a `TagLink`, with answers that the input spoils.
///
/// Copy this folder, put your client in the place of `Balance`, your card in the place of `card`, and say below what has
/// to hold however a card answers.
@c(FuzzClient_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    let world = card()
    return unsafe Fuzzer.run(count, arguments) { choices in
        let link = FuzzedLink(world, choices)
        let result = Fuzzer.finish {
            var link = link
            let balance = try await Balance.read(from: &link)
            return (balance, link.faultCount)
        }
        // A client that crashes is found by itself. An error is a good end; without a fault there is none.
        if case .success((let balance, 0)) = result {
            expect(balance == 1_234, "\(balance.map(String.init) ?? "nothing") was read where nothing was spoiled")
        }
    }
}

/// A card with 1,234 yen before the reader.
private func card() -> World {
    let balance = FeliCaServiceDefinition(
        NodeCode(0x008B), blocks: [BlockData([0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0xD2, 0x04])])
    let system = FeliCaSystemDefinition(code: .transit, areas: [.root()], services: [balance])
    let definition = FeliCaCardDefinition(
        idm: IDm(0x0101_0A10_2030_4050), pmm: PMm(0x100B_4B42_8485_D0FF), systems: [system])
    guard let card = try? FeliCaCard(definition) else { fatalError("the card is one") }
    var world = World(seed: 1)
    world.add(card, named: "card")
    world.tap("card")
    return world
}
