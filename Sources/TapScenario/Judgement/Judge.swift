import TapField

/// Says whether a run met its case.
///
/// It looks at the record alone: the same record always gives the same verdict.
public enum Judge {
    /// Judges a run.
    ///
    /// - Parameters:
    ///   - test: The case.
    ///   - record: The run, whose trace has kept its events.
    public static func judge(_ test: ScenarioCase, _ record: RunRecord) -> Verdict {
        // Without clean runs nothing can be said of a client that is to be measured by them.
        if case .failure(let error)? = record.outcome { return Verdict([error.failure]) }
        let client = ClientJudge(record)
        var failures = OutcomeExpectation(test, record).failures ?? client.judgeEnd(isExitStated: test.statesExit)
        if !record.hasMissedEveryDoor { failures += UnusedFaults(test, record).failures }
        var exchanges = ExchangeJudge(record.world.trace)
        var hasNoResult = false
        for item in test.expectations.items {
            switch item.demand {
            case .exit, .within, .output:
                failures += client.judge(item)
            case .result(let pointer, let expected):
                guard !hasNoResult else { continue }
                hasNoResult = record.client.result == nil
                failures += ResultJudge(record.client).judge(item, pointer, expected)
            case .exchanges, .count, .never:
                // Without a reader nothing was sent; that is one failure, not many.
                if !record.hasMissedEveryDoor { failures += exchanges.judge(item) }
            case .card(let name, let demand):
                if !record.hasMissedEveryDoor { failures += CardJudge(record.world).judge(item, name, demand) }
            case .phone(let demand):
                failures += record.phone.map { PhoneJudge($0, place: record.place).judge(item, demand) } ?? []
            case .verdict: break
            case .safety: failures += test.breach(of: item, in: record).map { [$0] } ?? []
            }
        }
        return ReadingJudge(test, record).verdict(beside: failures)
    }
}

extension ScenarioCase {
    /// Whether the case says with which code its client exits, or lets it exit as it likes: where something goes wrong,
    /// an exit code may be how it tells.
    fileprivate var statesExit: Bool {
        expectations.items.contains { $0.isExit || !plan.isEmpty && $0.isOnClient }
    }
}

extension Expectation {
    /// A failure to meet this expectation.
    func failure(
        _ expected: String, got: String, nearest: Int? = nil, hint: String? = nil, path: String? = nil,
        source: SourceReference? = nil
    ) -> Failure {
        Failure(
            path: path ?? self.path, source: source ?? self.source, expected: expected, got: got, nearest: nearest,
            hint: hint)
    }
}
