import TapDocument
import TapField
import TapScenario
import TapWire

/// Decides whether a run meets its case; the same record always gives the same verdict.
public enum Judge {
    public static func judge(_ test: ScenarioCase, _ record: RunRecord) -> Verdict {
        // Without baseline runs, the client cannot be judged.
        if case .failure(let error)? = record.outcome { return Verdict([error.failure]) }
        let client = ClientJudge(record)
        let end =
            test.outcomeFailures(in: record).map { (first: $0, last: []) }
            ?? client.judgeEnd(isExitStated: test.statesExit)
        var failures = end.first
        if !record.hasMissedEveryTransport {
            failures += RecordingJudge.failures(of: test, in: record.world)
            failures += UnusedFaults.failures(of: test, in: record.world)
        }
        var exchanges = ExchangeJudge(record.world.trace)
        var hasNoResult = false
        for item in test.expectations.items {
            switch item.demand {
            case .exit, .within:
                failures += client.judge(item)
            case .output, .prints, .result:
                if case .result = item.demand {
                    guard !hasNoResult else { continue }
                    hasNoResult = record.client.result == nil
                }
                failures += outputFailures(of: item, test, record)
            case .exchanges, .count, .never:
                // Without a reader, nothing was sent: report one failure, not many.
                if !record.hasMissedEveryTransport { failures += exchanges.judge(item) }
            case .card(let name, let demand):
                if !record.hasMissedEveryTransport { failures += CardJudge.judge(item, name, demand, in: record.world) }
            case .phone(let demand):
                failures += record.phone.map { PhoneJudge($0, place: record.place).judge(item, demand) } ?? []
            case .verdict: break
            case .safety: failures += test.breach(of: item, in: record).map { [$0] } ?? []
            }
        }
        return ReadingJudge(test, record).verdict(alongside: failures + end.last)
    }

    /// Returns whether the client produced the output and the result that the case expects.
    public static func isOutputMet(_ test: ScenarioCase, _ record: RunRecord) -> Bool {
        // Under faults, the outcome judges the output, but the output still shows when the client has finished its work.
        (test.expectations.items + test.formerExpectations).allSatisfy {
            outputFailures(of: $0, test, record).isEmpty
        }
    }

    /// Returns the failures of an expectation on the output or the result; none for other expectations.
    private static func outputFailures(
        of item: Expectation, _ test: ScenarioCase, _ record: RunRecord
    ) -> [Failure] {
        switch item.demand {
        case .output: ClientJudge(record).judge(item)
        case .prints(let texts):
            ClientJudge(record).judge(item, texts, in: test.resultSpec.comparable(of: record.client))
        case .result(let pointer, let expected):
            ResultJudge.judge(item, pointer, expected, of: record.client)
        default: []
        }
    }
}

extension ScenarioCase {
    /// A Boolean value that indicates whether the case states an exit code or accepts any: with faults, the code may be the
    /// way the client reports an error.
    fileprivate var statesExit: Bool {
        expectations.items.contains { $0.isOnExit || !plan.isEmpty && $0.isOnClient }
    }
}

extension Expectation {
    func failure(
        _ expected: String, got: String, nearest: Int? = nil, hint: String? = nil, path: String? = nil,
        source: SourceReference? = nil
    ) -> Failure {
        Failure(
            path: path ?? self.path, source: source ?? self.source, expected: expected, got: got, nearest: nearest,
            hint: hint)
    }

    func failure(breachedBy finding: OutcomeFinding) -> Failure {
        failure("a client that follows these rules", got: finding.reason, nearest: finding.exchange)
    }
}

extension ResultSpec {
    func comparable(of client: ClientReport) -> Node {
        comparable(client.result, standardOutput: client.standardOutput)
    }
}

extension ScenarioCase {
    var resultSpec: ResultSpec {
        if case .program(let client)? = client { client.result } else { .default }
    }

    var clearErrorSpec: ClearErrorSpec? {
        guard case .program(let client)? = client, client.clearError != .default else { return nil }
        return client.clearError
    }

    var safetyPolicy: SafetyPolicy { statedSafety ?? .default }

    private var statedSafety: SafetyPolicy? {
        expectations.items.lazy.compactMap { if case .safety(let policy) = $0.demand { policy } else { nil } }.first
    }

    /// The outcomes that the case accepts, and the expectation that states them.
    ///
    /// By default, a case with faults accepts a right result or a clear error. `nil` if no outcome is needed.
    var expectedOutcomes: (outcomes: [Outcome], item: Expectation?)? {
        for item in expectations.items {
            if case .verdict(let outcomes) = item.demand { return (outcomes, item) }
        }
        guard !plan.isEmpty, !expectations.items.contains(where: \.isOnClient) else { return nil }
        return (Outcome.allCases.filter(\.isOK), nil)
    }

    /// A Boolean value that indicates whether ``Baseline`` has to determine the outcome.
    public var needsOutcome: Bool { expectedOutcomes != nil || statedSafety != nil && isDisturbed }

    /// Returns whether an outcome is expected; by default, any but a breach of safety.
    public func expects(_ outcome: Outcome) -> Bool {
        expectedOutcomes?.outcomes.contains(outcome) ?? (outcome != .safety)
    }

    /// Returns the first write or command that neither the safety rules nor other expectations of the case allow, without
    /// baseline runs to compare with.
    func breach(of item: Expectation, in record: RunRecord) -> Failure? {
        guard record.outcome == nil else { return nil }
        if let numbers = record.world.trace.omission?.numbers {
            let finding = OutcomeJudge.undecided(numbers)
            return item.failure(breachedBy: finding)
        }
        let found = OutcomeJudge(self).findings(from: RunFacts(record).misdeeds).first { $0.outcome == .safety }
        return found.map(item.failure(breachedBy:))
    }
}

extension Expectation {
    /// A Boolean value that indicates whether the expectation states the end or the output of the client.
    ///
    /// A time alone does not say whether the client is right.
    var isOnClient: Bool {
        switch demand {
        case .exit, .output, .prints: true
        default: false
        }
    }

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
