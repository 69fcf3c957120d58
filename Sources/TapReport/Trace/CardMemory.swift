import TapCards
import TapDescribe
import TapDocument
import TapField
import TapWire

/// What a card holds, as a program reads it: the blocks of a FeliCa card by system and service, the pages of a tag.
enum CardMemory {
    /// A card before the run and after it; `nil` for an engine of another kind.
    static func node(_ slot: CardSlot) -> Node? {
        guard let kind = kind(of: slot.engine), let before = node(slot.original), let after = node(slot.engine) else {
            return nil
        }
        return ["name": .text(slot.name), "kind": .text(kind), "before": before, "after": after]
    }

    private static func kind(of engine: any CardEngine) -> String? {
        switch engine {
        case is FeliCaCard: "felica"
        case is NTAGCard: "ntag"
        default: nil
        }
    }

    private static func node(_ engine: any CardEngine) -> Node? {
        switch engine {
        case let card as FeliCaCard: node(card)
        case let tag as NTAGCard: node(tag)
        default: nil
        }
    }

    private static func node(_ card: FeliCaCard) -> Node {
        let definition = card.template.definition
        let systems = definition.systems.map { system -> Node in
            let services = system.services.map { service -> Node in
                let blocks = card.blocks(of: service.code, in: system.code) ?? []
                let known = ApplicationService.known(service.code)
                return .map([
                    "code": .text("\(service.code)"), "is": .text(service.code.attribute.text),
                    "name": known.map { .text("\($0.service.title) of \($0.application)") },
                    "blocks": .list(nodes(blocks, of: service.code)),
                ])
            }
            return ["code": .text("\(system.code)"), "services": .list(services)]
        }
        return [
            "idm": .text("\(definition.idm)"), "pmm": .text("\(definition.pmm)"), "systems": .list(systems),
        ]
    }

    private static func nodes(_ blocks: [BlockData], of service: NodeCode) -> [Node] {
        blocks.indices.map { number in
            let meaning = BlockMeaning.of(
                blocks[number], in: service, number: UInt16(truncatingIfNeeded: number),
                after: number > 0 ? blocks[number - 1] : nil)
            let fields = (meaning?.details ?? []).map { detail -> Node in
                ["name": .text(detail.name), "value": .text(detail.meaning)]
            }
            return .map([("hex", .text("\(blocks[number])"))] + (fields.isEmpty ? [] : [("fields", .list(fields))]))
        }
    }

    private static func node(_ tag: NTAGCard) -> Node {
        let layout = tag.template.definition.product.layout
        let pages = (0..<layout.pageCount).map { tag[page: $0] }
        let notes = pages.indices.compactMap { page -> (key: String, value: Node)? in
            let address = UInt8(truncatingIfNeeded: page)
            let text = PageMeaning(pages[page], at: address, on: [tag.template.definition.product]).text
            return text.isEmpty ? nil : ("\(page)", .text(text))
        }
        let message = NDEFDescription.message(inPages: pages.flatMap(\.bytes), from: 0)?.message
        let records = message.map(NDEFDescription.records) ?? []
        return [
            "uid": .text("\(tag.uid)"),
            "ndef": .list(records.map { ["is": .text($0.name), "value": .text($0.meaning)] }),
            "pages": .list(pages.map { .text("\($0)") }),
            "first_protected": .number(tag.configuration.auth0),
            "locked": .list(pages.indices.filter(tag.isLocked).map { .number($0) }), "notes": .map(notes),
            "counter": .number(Int(tag.counter)),
        ]
    }
}
