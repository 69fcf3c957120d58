import TapField
import TapWire

extension ScenarioCase {
    /// Where the client leaves its result.
    var resultSpec: ResultSpec {
        if case .program(let client)? = client { client.result } else { .usual }
    }

    /// How the client tells of an error, if the case states it.
    var clearErrorSpec: ClearErrorSpec? {
        guard case .program(let client)? = client, client.clearError != .usual else { return nil }
        return client.clearError
    }

    /// The rules of safety.
    var safetyPolicy: SafetyPolicy { statedSafety ?? .usual }

    private var statedSafety: SafetyPolicy? {
        expectations.items.lazy.compactMap { if case .safety(let policy) = $0.demand { policy } else { nil } }.first
    }

    /// What may become of the client, and the expectation that says so.
    ///
    /// A case with faults that says nothing of its client is held to a right result or a clear error. Nothing for a case
    /// that is held to what it says of it.
    var expectedOutcomes: (outcomes: [Outcome], item: Expectation?)? {
        for item in expectations.items {
            if case .verdict(let outcomes) = item.demand { return (outcomes, item) }
        }
        guard !plan.isEmpty, !expectations.items.contains(where: \.isOnClient) else { return nil }
        return (Outcome.allCases.filter(\.isOK), nil)
    }

    /// Whether what becomes of the client has to be found out, by ``Baseline``.
    public var needsOutcome: Bool { expectedOutcomes != nil || statedSafety != nil && isDisturbed }

    /// Whether an outcome is one that the case expects; without an expectation any but a breach of safety.
    public func expects(_ outcome: Outcome) -> Bool {
        expectedOutcomes?.outcomes.contains(outcome) ?? (outcome != .safety)
    }

    /// What the client does to cards that neither the rules of the case nor another of its expectations allow, where no
    /// clean runs say what is usual.
    func breach(of item: Expectation, in record: RunRecord) -> Failure? {
        guard record.outcome == nil else { return nil }
        if let numbers = record.world.trace.omission?.numbers {
            let finding = OutcomeJudge.untold(numbers)
            return item.failure("a client that keeps to it", got: finding.reason, nearest: finding.exchange)
        }
        let found = OutcomeJudge(self).findings(from: Misdeed.all(in: record)).first { $0.outcome == .safety }
        return found.map { item.failure("a client that keeps to it", got: $0.reason, nearest: $0.exchange) }
    }
}

extension ScenarioCase {
    /// The case without what disturbs its client: its faults, or, where it has none, all that the timeline does from
    /// the first step on that takes a card away.
    public var undisturbed: ScenarioCase {
        var copy = self
        copy.plan = FaultPlan()
        copy.faultsNode = nil
        guard plan.isEmpty, let first = firstDisturbingStep else { return copy }
        copy.timeline = Timeline(Array(timeline.remaining.prefix(first)))
        copy.timelineNode = timelineNode.map { .list(Array($0.items.prefix(first))) }
        return copy
    }

    /// Whether something disturbs the client.
    var isDisturbed: Bool { !plan.isEmpty || firstDisturbingStep != nil }

    private var firstDisturbingStep: Int? {
        timeline.remaining.firstIndex { $0.actions.contains(where: \.disturbs) }
    }

    /// What a run of the case depends on: two cases of equal keys have the same runs.
    public var runKey: Node {
        let told: Set = ["title", "tags", "expect", "cases", "scenario"]
        return .map(resolved.entries.filter { !told.contains($0.key.text) }.map { ($0.key.text, $0.value) })
    }
}

extension Timeline.Action {
    /// Whether a client that is reading has to notice it.
    fileprivate var disturbs: Bool {
        switch self {
        case .tap, .note, .plug, .send: false
        case .remove, .swap, .set, .unplug: true
        }
    }
}

extension Expectation {
    /// Whether the demand is on the exit code.
    var isExit: Bool {
        if case .exit = demand { true } else { false }
    }

    /// Whether the demand is on how the client ends and what it prints.
    var isOnClient: Bool {
        switch demand {
        case .exit, .within, .output: true
        default: false
        }
    }

    /// Keys of the writes without which the demand cannot be met.
    var writesAskedFor: [String] {
        switch demand {
        case .card(_, .page(let page, _)): ["write \(WriteTarget(place: .page(page)).text)"]
        case .card(_, .block(let service, let number, _)):
            ["write \(WriteTarget(place: .block(service, number)).text)"]
        case .exchanges(let list): list.patterns.flatMap(\.pattern.writesAskedFor)
        default: []
        }
    }
}

extension ExchangePattern {
    /// Keys of the pages that the pattern has written.
    fileprivate var writesAskedFor: [String] {
        guard command.opcode == .write || command.opcode == .compatibilityWrite else { return [] }
        return arguments.flatMap { argument -> [String] in
            guard case .pages(let range) = argument else { return [] }
            let last = min(range.upper ?? range.lower, Int(UInt8.max))
            guard range.lower <= last else { return [] }
            return (range.lower...last).map { "write \(WriteTarget(place: .page($0)).text)" }
        }
    }
}
