import TapDocument
import TapField
import TapScenario
import TapWire

struct OutcomeJudge: Sendable {
    private let resultSpec: ResultSpec
    private let clearError: ClearErrorSpec?
    private let policy: SafetyPolicy
    private let exits: [IntegerRange]
    private let asked: Set<String>
    private var errorLines = ErrorLines.none
    /// The stream on which the client prints the card's contents; `nil` if the case states it or it is unknown.
    private(set) var stream: ResultStream?
    /// The values of the result that the case names, as JSON pointers.
    let named: Set<String>

    init(_ test: ScenarioCase) {
        resultSpec = test.resultSpec
        clearError = test.clearErrorSpec
        policy = test.safetyPolicy
        exits = test.expectations.items.compactMap { item in
            if case .exit(let range) = item.demand { range } else { nil }
        }
        asked = Set(test.expectations.items.flatMap(\.writesAskedFor))
        named = Set(
            test.expectations.items.compactMap { item in
                if case .result(let pointer, _) = item.demand { pointer.description } else { nil }
            })
    }

    mutating func findStream(in runs: [RunFacts], _ card: CardMentions) {
        guard resultSpec.place == .standardOutputAsJSON, !card.isEmpty, let first = runs.first,
            !first.end.isOfFunction
        else { return }
        let output = result(of: first)
        let facts = card.facts(in: output)
        let hasOutput = !facts.isEmpty || card.hasIdentifier(in: output)
        let find = { (isDistinctive: (Node) -> Bool) in
            ErrorLines(runs.map(\.client.standardError), isAlone: !hasOutput) { isDistinctive(.text($0)) }
        }
        var found = find { line in
            !card.facts(in: line).isSubset(of: facts) || !hasOutput && card.hasIdentifier(in: line)
        }
        if found.isEmpty, first.client.standardOutput.isEmpty { found = find(card.hasCount) }
        errorLines = found
        stream =
            hasOutput
            ? found.isEmpty ? .output : .both
            : !found.isEmpty ? .error : card.hasCount(in: output) ? .output : .neither
    }

    func result(of facts: RunFacts) -> Node {
        joined(resultSpec.comparable(of: facts.client), errorLines.lines(of: facts.client.standardError))
    }

    func printed(of facts: RunFacts) -> Node {
        joined(resultSpec.comparable(of: facts.client), ErrorLines.all(facts.client.standardError))
    }

    private func joined(_ output: Node, _ errors: [String]) -> Node {
        guard !errorLines.isEmpty else { return output }
        let errors = resultSpec.comparable(.list(NodeList(errors.map(Node.text))), standardOutput: "")
        return output.kind == .list
            ? .list(NodeList(output.items + errors.items)) : ["stdout": output, "stderr": errors]
    }

    /// Returns the output of a client, card by card; empty if the result is elsewhere.
    func outputs(of facts: RunFacts) -> [CardOutput] {
        guard hasLines(facts) else { return [] }
        if stream == .error {
            return facts.printedByCard(on: .error).map { card, visit, text in
                CardOutput(card: card, visit: visit, lines: joined([], errorLines.lines(of: text)))
            }
        }
        return facts.printedByCard(on: .output).map { card, visit, text in
            CardOutput(card: card, visit: visit, lines: resultSpec.comparable(nil, standardOutput: text))
        }
    }

    func hasLines(_ facts: RunFacts) -> Bool {
        facts.client.result == nil || resultSpec.place == .standardOutput
    }

    /// Returns the exit code of a baseline run, and the finding if the run must not end in this way.
    func baselineEnd(of facts: RunFacts) -> (exit: Int32, finding: OutcomeFinding?) {
        let end = EndOracle(facts, clearError)
        if let finding = end.crash ?? end.endless(baselineExchanges: nil) { return (0, finding) }
        guard let code = end.exit else { return (0, Self.unseen) }
        if let early = Self.earlyEnd(of: facts) { return (code, early) }
        if code == 0 { return (code, end.clearError(code)) }
        guard exits.contains(where: { $0.contains(Int(code)) }) else {
            return (code, OutcomeFinding(.clearError, "\(facts.end.words(code))\(facts.client.lastError)"))
        }
        return (code, nil)
    }

    func findings(of record: RunRecord, against baseline: Baseline) -> [OutcomeFinding] {
        let facts = RunFacts(record, against: baseline.facts)
        var found = findings(from: facts.misdeeds.filter { $0.amount > baseline.habits[$0.key] ?? 0 })
        if let numbers = facts.world.trace.omission?.numbers { found.append(Self.undecided(numbers)) }
        let end = EndOracle(facts, clearError)
        found.append(end.crash ?? ending(of: facts, end, against: baseline))
        return Self.sorted(found)
    }

    /// Returns one finding for each kind of forbidden misdeed, at its first place.
    func findings(from misdeeds: [Misdeed]) -> [OutcomeFinding] {
        let counted = misdeeds.filter { misdeed in
            !asked.contains(misdeed.key) && misdeed.rule.map(policy.forbidden.contains) ?? true
        }
        return Self.sorted(
            counted.map { OutcomeFinding($0.outcome, at: $0.exchange, $0.reason, sign: $0.sign, isPlaced: true) })
    }

    /// Returns the finding for the end of a run under faults without a crash.
    private func ending(of facts: RunFacts, _ end: EndOracle, against baseline: Baseline) -> OutcomeFinding {
        let isMeantToStay = baseline.facts.end.isAsMeant
        let waiting = facts.end.isAsMeant && !isMeantToStay ? end.waiting : nil
        guard let endless = waiting ?? end.endless(baselineExchanges: baseline.exchangeCount) else {
            return end.exit.map { judged(facts, end, exit: $0, against: baseline) } ?? Self.unseen
        }
        // A client that stays has to be right or report an error; staying by design is not a hang.
        guard waiting != nil || isMeantToStay && end.isOutOfTime else { return endless }
        let finding = judged(facts, end, exit: baseline.exit, against: baseline)
        // A client that printed something wrong did more than wait.
        let isMisleading = finding.outcome == .wrongResult && !facts.client.standardOutput.isEmpty
        return finding.outcome.isOK || waiting != nil && isMisleading ? finding : endless
    }

    /// Returns the finding for a run under faults that ended.
    private func judged(
        _ facts: RunFacts, _ end: EndOracle, exit code: Int32, against baseline: Baseline
    ) -> OutcomeFinding {
        if code == 0, let reported = end.clearError(code) { return reported }
        guard code == baseline.exit else { return end.error(code, cleanExit: baseline.exit) }
        if let early = Self.earlyEnd(of: facts) { return early }
        // If faults changed the contents or answers of cards, neither the right result nor the right writes are known.
        let hasOtherContent =
            facts.world.plan.hasChangedContent || facts.hasReadChangedMemoryAlone
            || Disturbance.isBeyondNotice(in: facts.record, against: baseline.world.trace)
            || facts.hasUntriedChange(alongside: baseline.otherFields)
        let differences =
            hasOtherContent ? [] : ResultDifference.all(between: baseline.result, and: result(of: facts))
        if let first = differences.first {
            let result = result(of: facts)
            if let content = baseline.otherContent(in: result, of: facts) {
                return OutcomeFinding(.correct, "\(facts.end.words(code)) and \(content)")
            }
            // A client that always ends with an error has no result to lose.
            if code != 0 { return end.error(code, cleanExit: 0) }
            let isText = hasLines(baseline.facts)
            let report = isText && clearError == nil ? UnstatedReport(in: facts, against: baseline) : nil
            if differences.isSilentLoss {
                return facts.finding(
                    .silentLoss, "\(first.text(ofLines: isText)), and \(facts.end.sentence(0))",
                    sign: first.sign(ofLines: isText)
                ).reporting(report)
            }
            let shown = differences.first { !$0.isLoss } ?? first
            return facts.finding(
                .wrongResult, "\(shown.text(ofLines: isText)), and \(facts.end.sentence(code))",
                sign: shown.sign(ofLines: isText)
            ).reporting(report)
        }
        if !hasOtherContent, let place = baseline.written.first(where: { !$0.isMet(in: facts.world) }) {
            return facts.finding(
                .wrongResult,
                "\(place.target.text) of \(place.card) does not have the contents that it has after the baseline run, "
                    + "and \(facts.end.sentence(code))")
        }
        let result = hasOtherContent ? "a result for other contents" : "the result of the baseline runs"
        return OutcomeFinding(.correct, "\(facts.end.words(code)) and \(result)")
    }

    private static let unseen = OutcomeFinding(.hang, "TapSim cannot see how this client ends")

    static func undecided(_ numbers: ClosedRange<Int>) -> OutcomeFinding {
        OutcomeFinding(
            .livelock, at: numbers.lowerBound,
            "exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept, so the outcome is unknown")
    }

    /// Returns the finding for a client that ended before all cards had arrived.
    private static func earlyEnd(of facts: RunFacts) -> OutcomeFinding? {
        facts.record.earlyVisit.map { facts.finding(.wrongResult, "it ended in visit \($0.number) of \($0.planned)") }
    }

    /// Returns warnings about writes in baseline runs that can lock a card forever, unless the case asks for them.
    func warnings(of misdeeds: [Misdeed]) -> [Warning] {
        let sensitive: Set<SafetyRule> = [.lockPages, .otp, .configPages, .passwordPages]
        return misdeeds.filter { $0.rule.map(sensitive.contains) == true && !asked.contains($0.key) }.map { misdeed in
            Warning("without any fault \(misdeed.reason)", hint: "If that is intended, nothing is wrong.")
        }
    }

    func worst(of findings: [OutcomeFinding]) -> OutcomeFinding? { Self.sorted(findings).first }

    /// Sorts findings by severity; findings with the same outcome keep the order of the run.
    private static func sorted(_ findings: [OutcomeFinding]) -> [OutcomeFinding] {
        Outcome.bySeverity.flatMap { outcome in
            findings.filter { $0.outcome == outcome }.enumerated()
                .sorted { ($0.element.exchange ?? .max, $0.offset) < ($1.element.exchange ?? .max, $1.offset) }
                .map(\.element)
        }
    }
}

extension Outcome {
    package static let bySeverity: [Outcome] = [
        .safety, .crash, .hang, .livelock, .wrongResult, .silentLoss, .protocolMisuse, .leak, .flaky, .clearError,
        .correct,
    ]
}

extension ScenarioCase {
    /// Returns the failures of the outcome, which replace the failures about the client's end; `nil` if the outcome is unknown
    /// or the case does not ask for it.
    func outcomeFailures(in record: RunRecord) -> [Failure]? {
        guard case .success(let finding)? = record.outcome else { return nil }
        guard let (outcomes, item) = expectedOutcomes else { return breach(finding) }
        guard !record.hasMissedEveryTransport else { return nil }
        guard !outcomes.contains(finding.outcome) else { return [] }
        let expected = Self.text(outcomes)
        return [
            item.map { $0.failure(expected, got: "\(finding)", nearest: finding.exchange) }
                ?? Failure(path: "client", expected: expected, got: "\(finding)", nearest: finding.exchange)
        ]
    }

    /// Returns the breach of the case's safety rules; the end of the client is judged separately.
    private func breach(_ finding: OutcomeFinding) -> [Failure]? {
        guard finding.outcome == .safety else { return nil }
        let item = expectations.items.first { if case .safety = $0.demand { true } else { false } }
        return item.map { [$0.failure(breachedBy: finding)] }
    }

    /// Returns text such as `a right result or a clear error`.
    private static func text(_ outcomes: [Outcome]) -> String {
        ListText.choice(
            outcomes.map { outcome in
                switch outcome {
                case .correct: "the result of the baseline runs"
                case .clearError: "a clear error"
                default: outcome.rawValue
                }
            })
    }
}
