import TapCards
import TapField
import TapWire

/// A page or block that clean runs write, and what it holds afterwards.
struct WrittenPlace: Hashable, Sendable {
    let card: String
    let target: WriteTarget
    let content: [UInt8]

    /// What a place of a card holds after a run; nothing if there is no such place.
    static func content(of target: WriteTarget, on card: String, in world: World) -> [UInt8]? {
        switch (target.place, world.card(named: card)?.engine) {
        case (.page(let page), let tag as NTAGCard):
            page < tag.template.definition.product.layout.pageCount ? tag[page: page].bytes : nil
        case (.block(let service?, let number), let felica as FeliCaCard):
            felica.template.definition.systems.lazy.compactMap { felica.blocks(of: service, in: $0.code) }
                .first.flatMap { $0.indices.contains(number) ? $0[number].bytes : nil }
        default: nil
        }
    }

    /// The places that runs write, in the order of the first run, where all of them leave the same.
    static func common(to records: [RunRecord]) -> [WrittenPlace] {
        guard let first = records.first else { return [] }
        let facts = RunFacts(first.world)
        var seen: Set<WrittenPlace> = []
        var places: [WrittenPlace] = []
        for item in facts.items where item.isWrite && item.isAccepted {
            for slot in first.world.cards where item.wasAnswered(by: slot.name) {
                for target in WriteTarget.all(of: item.command) {
                    guard let content = content(of: target, on: slot.name, in: first.world) else { continue }
                    let place = WrittenPlace(card: slot.name, target: target, content: content)
                    let isCommon = records.allSatisfy { place.isMet(in: $0.world) }
                    if isCommon, seen.insert(place).inserted { places.append(place) }
                }
            }
        }
        return places
    }

    /// Whether the place holds the same in a world.
    func isMet(in world: World) -> Bool { Self.content(of: target, on: card, in: world) == content }
}
