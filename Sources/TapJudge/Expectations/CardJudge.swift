import TapCards
import TapField
import TapScenario
import TapWire

enum CardJudge {
    static func judge(_ item: Expectation, _ name: String, _ demand: CardDemand, in world: World) -> [Failure] {
        guard let slot = world.card(named: name) else { return [item.failure("a card `\(name)`", got: "none")] }
        let tag = slot.engine as? NTAGCard
        switch demand {
        case .unchanged:
            guard !slot.isMemoryUnchanged else { return [] }
            return [item.failure("an unchanged card", got: change(of: slot))]
        case .state(let state):
            return compare(item, state, slot.engine.stateName)
        case .authenticationFailures(let range):
            return compare(item, range, tag.map { Int($0.failedAuthentications) })
        case .counter(let range):
            return compare(item, range, tag.map { Int($0.counter) })
        case .page(let page, let data):
            guard let tag, page < tag.template.definition.product.layout.pageCount else {
                return [item.failure("\(data)", got: "no such page")]
            }
            return compare(item, "\(data)", "\(tag[page: page])")
        case .block(let service, let number, let data):
            let card = slot.engine as? any FeliCaEngine
            let numbers = card?.blockNumbers(of: service) ?? []
            guard !numbers.isEmpty else { return [item.failure("\(data)", got: "no such service")] }
            guard let block = card?.block(number, of: service) else {
                return [item.failure("\(data)", got: "\(numbers.count) blocks")]
            }
            return compare(item, "\(data)", "\(block)")
        }
    }

    private static func compare(_ item: Expectation, _ expected: String, _ value: String) -> [Failure] {
        expected == value ? [] : [item.failure(expected, got: value)]
    }

    private static func compare(_ item: Expectation, _ expected: IntegerRange, _ value: Int?) -> [Failure] {
        guard let value else { return [item.failure("\(expected)", got: "no such value on this card")] }
        return expected.contains(value) ? [] : [item.failure("\(expected)", got: "\(value)")]
    }

    // MARK: What has changed

    private static let maximumChanges = 3

    private static func change(of slot: CardSlot) -> String {
        let changes =
            switch (slot.engine, slot.original) {
            case (let now as NTAGCard, let before as NTAGCard): changes(now, before)
            case (let now as any FeliCaEngine, let before as any FeliCaEngine): changes(now, before)
            default: [String]()
            }
        guard !changes.isEmpty else { return "a change" }
        let more = changes.count - maximumChanges
        return changes.prefix(maximumChanges).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private static func changes(_ now: NTAGCard, _ before: NTAGCard) -> [String] {
        var changes: [String] = []
        for page in 0..<now.template.definition.product.layout.pageCount where now[page: page] != before[page: page] {
            changes.append("page \(page) \(before[page: page]) to \(now[page: page])")
        }
        if now.counter != before.counter { changes.append("counter \(before.counter) to \(now.counter)") }
        if now.failedAuthentications != before.failedAuthentications {
            changes.append("auth_failures \(before.failedAuthentications) to \(now.failedAuthentications)")
        }
        return changes
    }

    private static func changes(_ now: any FeliCaEngine, _ before: any FeliCaEngine) -> [String] {
        var changes: [String] = []
        for (system, service) in now.services {
            for number in now.blockNumbers(of: service, in: system) {
                guard let old = before.block(number, of: service, in: system),
                    let new = now.block(number, of: service, in: system), old != new
                else { continue }
                changes.append("service \(service) block \(number) \(old) to \(new)")
            }
        }
        return changes
    }
}
