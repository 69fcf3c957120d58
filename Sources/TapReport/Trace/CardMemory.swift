import TapCards
import TapDescribe
import TapDocument
import TapField
import TapWire

/// The contents of a card in JSON: the blocks of a FeliCa card by system and service, the pages of a tag.
enum CardMemory {
    /// Returns a card before and after the run; `nil` for an engine of another kind.
    static func node(_ slot: CardSlot) -> Node? {
        guard let kind = kind(of: slot.engine), let before = node(slot.original), let after = node(slot.engine) else {
            return nil
        }
        return ["name": .text(slot.name), "kind": .text(kind), "before": before, "after": after]
    }

    private static func kind(of engine: any CardEngine) -> String? {
        switch engine {
        case is any FeliCaEngine: "felica"
        case is NTAGCard: "ntag"
        default: nil
        }
    }

    private static func node(_ engine: any CardEngine) -> Node? {
        switch engine {
        case let card as any FeliCaEngine: node(card)
        case let tag as NTAGCard: node(tag)
        default: nil
        }
    }

    private static func node(_ card: any FeliCaEngine) -> Node {
        let systems = card.systemCodes.compactMap { system -> Node? in
            let services = card.services.filter { $0.system == system }.map { node(of: $0.service, system, on: card) }
            // A system that shows the blocks of another, such as 12FC on a FeliCa Lite, is listed with that one.
            let isOther = card.services.contains {
                $0.system != system && !card.blockNumbers(of: $0.service, in: system).isEmpty
            }
            return services.isEmpty && isOther ? nil : ["code": .text("\(system)"), "services": .list(services)]
        }
        return [
            "idm": .text("\(card.idm)"), "pmm": .text("\(card.pmm)"), "systems": .list(systems),
        ]
    }

    private static func node(of service: NodeCode, _ system: SystemCode, on card: any FeliCaEngine) -> Node {
        let known = ApplicationService.known(service, in: system)
        let numbers = card.blockNumbers(of: service, in: system)
        var last: BlockData?
        let blocks = numbers.enumerated().compactMap { index, number -> Node? in
            guard let block = card.block(number, of: service, in: system) else { return nil }
            defer { last = block }
            return node(block, number, of: service, after: last, isNamed: index != number)
        }
        return .map([
            "code": .text("\(service)"), "is": .text(service.attribute.text),
            "name": known.map { .text("\($0.service.title) of \($0.application)") }, "blocks": .list(blocks),
        ])
    }

    /// Returns a block; with its number if the numbers of the service have gaps.
    private static func node(
        _ block: BlockData, _ number: Int, of service: NodeCode, after last: BlockData?, isNamed: Bool
    ) -> Node {
        let meaning = BlockMeaning.of(
            block, in: service, number: UInt16(truncatingIfNeeded: number), after: number > 0 ? last : nil)
        let fields = (meaning?.details ?? []).map { detail -> Node in
            ["name": .text(detail.name), "value": .text(detail.meaning)]
        }
        return .map(
            (isNamed ? [("number", .number(number))] : []) + [("hex", .text("\(block)"))]
                + (fields.isEmpty ? [] : [("fields", .list(fields))]))
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
