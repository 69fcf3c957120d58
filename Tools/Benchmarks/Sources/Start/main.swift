import TapCards
import TapField
import TapWire

// The least program that uses a card: it makes one, has one exchange with it and prints the answer.
let service = FeliCaServiceDefinition(NodeCode(0x090F), blocks: [BlockData((0..<16).map { UInt8($0) })])
let system = FeliCaSystemDefinition(code: .transit, areas: [.root()], services: [service])
let idm = IDm(0x0101_0A10_2030_4050)
let card = try FeliCaCard(FeliCaCardDefinition(idm: idm, pmm: PMm(0x0531_4345_4682_B7FF), systems: [system]))
var world = World(seed: 1)
world.add(card, named: "card")
world.tap("card")
let read = ReadWithoutEncryption.Request(
    idm: idm, services: [service.code], blocks: [BlockListElement(blockNumber: 0)])
if case .frame(let answer, _) = world.exchange(AirFrame(.felica212, read.bytes), waiting: nil) {
    print(Hex.text(answer.bytes))
}
