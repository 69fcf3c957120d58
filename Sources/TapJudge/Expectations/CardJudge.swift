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
            return [item.failure("the card unchanged", got: change(of: slot))]
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

/// Judges whether a program read its card at all.
///
/// A program that only opens a reader, or whose every command is refused, ends well all the same. That is a failure
/// where a result is expected, else a warning.
struct ReadingJudge {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    func verdict(beside failures: [Failure]) -> Verdict {
        var (failures, warnings) = (failures, [Warning]())
        if hasReadNothing, let failure = missingResult {
            failures.insert(failure, at: 0)
        } else if failures.isEmpty {
            let isOpen = !test.expectations.items.contains(where: \.isInParticular)
            if isOpen, let readNothing { warnings.append(readNothing) }
        } else if record.doorUsed != nil, let advice = ModelAdvice(test).sentence(for: record) {
            warnings.append(Warning(advice))
        }
        if let text = record.world.trace.omission?.text {
            warnings.append(Warning(text, hint: TraceBound.run.text))
        }
        return Verdict(failures, warnings: warnings)
    }

    var readNothing: Warning? { hasReadNothing ? Warning("read nothing", hint: hint) : nil }

    /// The failure of a program whose result cannot come from a card.
    private var missingResult: Failure? {
        guard record.world.plan.isEmpty, let item = test.expectations.items.first(where: \.isOnResult) else {
            return nil
        }
        return Failure(
            path: "client", source: item.source, expected: "a client that reads its result from a card",
            got: "one that read nothing", hint: hint)
    }

    /// Whether a program ended without any answer of a card although a card was present.
    private var hasReadNothing: Bool {
        let world = record.world
        guard record.doorUsed != nil, !world.hasAnsweredHost, world.cards.contains(where: { $0.visit > 0 }) else {
            return false
        }
        if case .dismissed = record.client.end { return true }
        return record.end.ownExit != nil
    }

    private var hint: String {
        if let advice = ModelAdvice(test).sentence(for: record) { return advice }
        let refused = record.world.trace.entries.lazy.compactMap(\.call).count { $0.call.isRefused }
        guard refused > 0 else { return "It sent no command for a card; -v shows what it did." }
        return "The reader refused \(CountText.of(refused, "command")) of it; -v shows them."
    }
}

extension Expectation {
    fileprivate var isOnResult: Bool {
        if case .result = demand { true } else { false }
    }

    /// Whether the expectation asks for more than a good end in time.
    fileprivate var isInParticular: Bool {
        switch demand {
        case .exit(let range): !range.contains(0)
        case .within, .verdict, .safety: false
        default: true
        }
    }
}

extension TraceOmission {
    fileprivate var text: String {
        let ofExchanges = numbers.map { "exchanges \($0.lowerBound) to \($0.upperBound)" }
        let ofCalls = calls > 0 ? CountText.of(calls, "command") + " without an exchange" : nil
        return [ofExchanges, ofCalls].compactMap(\.self).joined(separator: " and ") + " are not kept"
    }
}
