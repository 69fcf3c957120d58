import TapField
import TapWire

/// Judges whether a program got anything of its card at all.
///
/// A program that only opens a reader ends well, and so does one whose every command the reader refuses. Where nothing
/// in particular is expected that is a warning; where a result is, a failure.
struct ReadingJudge {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    /// The verdict on a run of which all else is judged.
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

    /// The warning of a program that read nothing; nothing if it did, or there was nothing to be read.
    var readNothing: Warning? { hasReadNothing ? Warning("read nothing", hint: hint) : nil }

    /// The failure of a program that leaves a result it cannot have from a card.
    private var missingResult: Failure? {
        guard record.world.plan.isEmpty, let item = test.expectations.items.first(where: \.isOnResult) else {
            return nil
        }
        return Failure(
            path: "client", source: item.source, expected: "a client that reads its result from a card",
            got: "one that read nothing", hint: hint)
    }

    /// Whether a program has ended by itself, or when it was asked to, without an answer of a card to anything it asked
    /// a reader for, although a card lay there.
    private var hasReadNothing: Bool {
        let world = record.world
        guard record.doorUsed != nil, !world.hasAnsweredHost, world.cards.contains(where: { $0.visit > 0 }) else {
            return false
        }
        return switch record.client.end {
        case .exit, .dismissed: true
        default: false
        }
    }

    /// What may be behind it that nothing was read.
    private var hint: String {
        if let advice = ModelAdvice(test).sentence(for: record) { return advice }
        let refused = record.world.trace.entries.lazy.compactMap(\.call).count { $0.call.isRefused }
        guard refused > 0 else { return "It sent no command for a card; -v shows what it did." }
        return "The reader refused \(CountText.of(refused, "command")) of it; -v shows them."
    }
}

extension Expectation {
    /// Whether the demand is on what the client makes of a card.
    fileprivate var isOnResult: Bool {
        if case .result = demand { true } else { false }
    }

    /// Whether the demand is more than that the client ends well and in time.
    fileprivate var isInParticular: Bool {
        switch demand {
        case .exit(let range): !range.contains(0)
        case .within, .verdict, .safety: false
        default: true
        }
    }
}

extension TraceOmission {
    /// What is left out, in words.
    fileprivate var text: String {
        let ofExchanges = numbers.map { "exchanges \($0.lowerBound) to \($0.upperBound)" }
        let ofCalls = calls > 0 ? CountText.of(calls, "command") + " without an exchange" : nil
        return [ofExchanges, ofCalls].compactMap(\.self).joined(separator: " and ") + " are not kept"
    }
}
