import TapDocument
import TapField
import TapScenario
import TapWire

/// Judges whether a client read its card at all.
///
/// A program that only opens a reader, or gets no answer to any command, may end well all the same. That is a failure
/// unless the case expects something that shows whether it was meant.
struct ReadingJudge {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    func verdict(beside failures: [Failure]) -> Verdict {
        var (failures, warnings) = (failures, [Warning]())
        if let failure = missingResult {
            failures.insert(failure, at: 0)
        } else if failures.isEmpty {
            failures = [readNothing].compactMap(\.self)
        } else if record.doorUsed != nil, let advice = ModelAdvice(test).sentence(for: record) {
            warnings.append(Warning(advice))
        }
        if let text = record.world.trace.omission?.text {
            warnings.append(Warning(text, hint: TraceBound.run.text))
        }
        return Verdict(failures, warnings: warnings)
    }

    /// The failure of a client that read nothing although its case expects nothing in particular.
    var readNothing: Failure? {
        guard !test.allowsNoRead, !test.expectations.items.contains(where: \.isInParticular), !hasReportedError,
            hasReadNothing
        else { return nil }
        return Failure(
            path: "client", expected: "an answer from a card", got: "none: the client read nothing",
            hint: hint + permission)
    }

    /// The failure of a program whose result cannot come from a card.
    private var missingResult: Failure? {
        guard record.doorUsed != nil, record.world.plan.isEmpty,
            let item = test.expectations.items.first(where: \.isOnResult), hasReadNothing
        else { return nil }
        return Failure(
            path: "client", source: item.source, expected: "a client that reads its result from a card",
            got: "one that read nothing", hint: hint)
    }

    /// A Boolean value that indicates whether a client ended well without anything from a card although a card was
    /// present.
    private var hasReadNothing: Bool {
        guard !record.hasMissedEveryDoor, !record.end.isUnseen, record.end.complaint == nil,
            record.world.cards.contains(where: { $0.visit > 0 })
        else { return false }
        return record.reading.isNothing
    }

    /// A Boolean value that indicates whether the client said, in the way that its case states, that it could not read
    /// the card.
    private var hasReportedError: Bool {
        guard let finding = try? record.outcome?.get() else { return false }
        return finding.outcome != .correct
    }

    /// The cause, a sentence without its full stop.
    private var hint: String {
        if let advice = ModelAdvice(test).sentence(for: record) { return advice }
        let refusals = record.reading.refusals
        guard !record.end.isOfFunction else { return "Silence or a refusal met all of its commands" }
        guard refusals > 0 else { return "It sent no command for a card; `tapsim run -v` shows what it did" }
        return "Silence or a refusal met \(refusals == 1 ? "its only command" : "all of its \(refusals) commands"); "
            + "`tapsim run -v` shows them"
    }

    /// The way to allow it, after the cause; a function in this process has none.
    private var permission: String {
        guard !record.end.isOfFunction else { return "" }
        let way = test.isFromArguments ? "add `--allow-no-read`" : "state `counts` or `never` under `expect`"
        return ". If that is meant, \(way)."
    }
}

extension RunRecord {
    /// Everything that the client got from cards, in whatever way.
    fileprivate var reading: HostReading {
        var reading = world.hostReading
        // The resource manager, or the phone, gives these without asking a card.
        if service?.hasGivenATR == true { reading.identities += 1 }
        reading.identities += phone?.sessions.reduce(0) { $0 + $1.tags.count } ?? 0
        return reading
    }
}

extension Expectation {
    fileprivate var isOnResult: Bool {
        if case .result = demand { true } else { false }
    }

    /// A Boolean value that indicates whether the expectation asks for more than a good end in time.
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
