import TapField
import TapScenario
import TapWire

/// Judges whether a client stayed for its cards and read any.
///
/// A program may exit successfully even though it ended before a card arrived, only opened a reader, or received no answer to
/// any command. That is a failure unless the case has an expectation that shows whether this was intended.
struct ReadingJudge {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    func verdict(alongside failures: [Failure]) -> Verdict {
        var (failures, warnings) = (failures, [Warning]())
        if let failure = missingResult {
            failures.insert(failure, at: 0)
        } else if failures.isEmpty {
            failures = [unfinished ?? readNothing].compactMap(\.self)
        } else if record.transportUsed != nil, let advice = ModelAdvice(test).sentence(for: record) {
            warnings.append(Warning(advice))
        }
        if let text = record.world.trace.omission?.text {
            warnings.append(Warning(text, hint: TraceBound.run.text))
        }
        return Verdict(failures, warnings: warnings)
    }

    /// The failure of a client that ended before everything that its case plans and everything that it started.
    var unfinished: Failure? { leftProcess ?? missedTap ?? unreadVisit }

    /// The failure of a client whose exit code does not cover the process that uses the reader.
    private var leftProcess: Failure? {
        guard record.client.hasLeftReaderInUse else { return nil }
        return Failure(
            path: "client", expected: "the client to end after all processes that it starts",
            got: "a client that ended while a process it had started was still using the reader; "
                + "TapSim ended that process",
            hint:
                "Let the client wait for that process, so that its exit code counts. If the process stays by design, say so "
                + "with `taps` or `client.kill_after`, or expect the output of the client and no exit code.")
    }

    /// The failure of a client that ended before a planned card arrived.
    ///
    /// Under the faults of a case, the client may have good reason to end.
    private var missedTap: Failure? {
        guard test.plan.isEmpty, !record.end.isUnseen, !hasReportedError,
            !test.expectations.items.contains(where: \.isOnFailure)
        else { return nil }
        let missed = record.world.cardsToCome.filter { !test.expectations.items.exclude($0.name) }
        guard let first = missed.first else { return nil }
        let others = missed.count > 1 ? " and \(CountText.of(missed.count - 1, "card")) after it" : ""
        return Failure(
            path: "client", source: first.source,
            expected: "the client to stay for every card of the timeline",
            got: "a client that ended before the card `\(first.name)` was tapped (\(first.moment))\(others)",
            hint:
                "Let the client wait for the card, or tap it sooner. If the client is to end first, state an exchange with "
                + "`card: \(first.name)` in `expect.never`.")
    }

    /// The failure of a client that reported the end of a visit and had not used the card.
    private var unreadVisit: Failure? {
        guard test.plan.isEmpty, !test.expectations.items.contains(where: \.isInParticular),
            let visits = record.client.visits, let number = visits.unread.first
        else { return nil }
        return Failure(
            path: "client", expected: "the client to read the card of each visit",
            got: "nothing sent to the card of visit \(number) of \(visits.planned) before the client reported that it "
                + "was done",
            hint: "`tapsim run -v` shows what it did. If that is intended, state the expected output under `expect`.")
    }

    /// The failure of a client that read nothing although its case has no specific expectation.
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
        guard record.transportUsed != nil, record.world.plan.isEmpty,
            let item = test.expectations.items.first(where: \.isOnResult), hasReadNothing
        else { return nil }
        return Failure(
            path: "client", source: item.source, expected: "a client that reads its result from a card",
            got: "a client that read nothing", hint: hint)
    }

    /// A Boolean value that indicates whether a client exited successfully without reading anything although a card was
    /// present.
    private var hasReadNothing: Bool {
        guard !record.hasMissedEveryTransport, !record.end.isUnseen, record.end.complaint == nil,
            record.world.cards.contains(where: { $0.visit > 0 })
        else { return false }
        return record.reading.isNothing
    }

    /// A Boolean value that indicates whether the client reported, in the way its case states, that it could not read the
    /// card.
    private var hasReportedError: Bool {
        guard let finding = try? record.outcome?.get() else { return false }
        return finding.outcome != .correct
    }

    /// The cause, a sentence without its full stop.
    private var hint: String {
        if let advice = ModelAdvice(test).sentence(for: record) { return advice }
        let refusals = record.reading.refusals
        guard !record.end.isOfFunction else { return "All of its commands were refused or not answered" }
        guard refusals > 0 else { return "It sent no command for a card; `tapsim run -v` shows what it did" }
        return "\(refusals == 1 ? "Its only command was" : "All of its \(refusals) commands were") "
            + "refused or not answered; `tapsim run -v` shows them"
    }

    /// The way to allow a run without a read, appended to the cause; a function in this process has none.
    private var permission: String {
        guard !record.end.isOfFunction else { return "" }
        let way = test.isFromArguments ? "add `--allow-no-read`" : "state `counts` or `never` under `expect`"
        return ". If that is intended, \(way)."
    }
}

extension CardToCome {
    /// The moment for which the scenario plans the card.
    fileprivate var moment: String {
        switch trigger {
        case .at(let instant)?: "at \(DurationText.of(instant))"
        case .after(let time)?: "\(DurationText.of(time)) after the previous step"
        case .event(let trigger)?: "after \(trigger.event.words)" + (trigger.nth > 1 ? " number \(trigger.nth)" : "")
        case .immediately?: "after the previous step"
        case nil: "in place of another card"
        }
    }
}

extension EventPattern {
    fileprivate var words: String {
        switch self {
        case .exchange: "exchange"
        case .command(let pattern): pattern.description
        case .card(let event, let name): "card.\(event.rawValue)" + (name.map { " of \($0)" } ?? "")
        case .reader(let event, let name): "reader.\(event.rawValue)" + (name.map { " of \($0)" } ?? "")
        case .client(.line(let text)): "a line of the client that contains \(ClientJudge.quote(text))"
        case .client(let event): "client.\(event)"
        case .call(let call): call.function
        case .phone(let event): "phone.\(event.rawValue)"
        }
    }
}

extension [Expectation] {
    /// Returns whether an expectation states that the card never answers something, so that it need not come.
    fileprivate func exclude(_ card: String) -> Bool {
        contains { if case .never(let pattern) = $0.demand { pattern.card == card } else { false } }
    }
}

extension RunRecord {
    fileprivate var reading: HostReading {
        var reading = world.hostReading
        // The resource manager and the phone report these without asking a card.
        if service?.hasGivenATR == true { reading.identities += 1 }
        reading.identities += phone?.sessions.reduce(0) { $0 + $1.tags.count } ?? 0
        return reading
    }
}

extension Expectation {
    fileprivate var isOnResult: Bool {
        if case .result = demand { true } else { false }
    }

    fileprivate var isOnFailure: Bool { if case .exit(let range) = demand { !range.contains(0) } else { false } }

    /// A Boolean value that indicates whether the expectation requires more than a successful exit in time.
    fileprivate var isInParticular: Bool {
        switch demand {
        case .exit: isOnFailure
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
