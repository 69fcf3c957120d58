import TapDocument
import TapField
import TapScenario
import TapWire

/// The behaviour of a client when nothing goes wrong, taken from three baseline runs.
///
/// ```swift
/// let baseline = try Baseline(cleanRecords, of: scenarioCase)
/// let finding = baseline.finding(of: record)      // silent loss at exchange 7: `/trips` has 12 of 20 items
/// ```
public struct Baseline: Sendable {
    public static let runCount = 3
    /// The factor by which a client may exceed the frames of its baseline run before it counts as a livelock.
    private static let exchangeFactor = 20
    /// The lower factor and the additional frames for a client with many frames, because many runs are in memory at a time.
    private static let (longFactor, longRest) = (4, 2_000)
    private static let leastExchanges = 200
    /// The number of frames for reading a whole tag twice, page by page: a wrong length may cause a correct client to do that.
    private static let wholeReadings = 2 * 256

    public let exit: Int32
    /// The result without the parts that may differ.
    public let result: Node
    public var exchangeCount: Int { world.exchangeCount }
    /// The maximum number of frames in a run under faults; a client that sends more is in a livelock.
    public var mostExchanges: Int {
        // Frames beyond the bound of a run are not kept and could not be judged.
        let most = min(exchangeCount * Self.exchangeFactor, exchangeCount * Self.longFactor + Self.longRest)
        return min(max(Self.leastExchanges, most) + Self.wholeReadings, TraceBound.run.exchanges)
    }
    public var world: World { record.world }
    public var record: RunRecord { facts.record }
    /// Findings of the baseline runs, most serious first; faults did not cause them.
    public let findings: [OutcomeFinding]

    public let warnings: [Warning]

    /// Keys of causes that need no fault, on this card or on control cards.
    public var faultlessCauses: Set<String> = []

    /// The stream on which the client prints the card's contents; `nil` if the case states it or nothing on the card is known.
    public var resultStream: ResultStream? { judge.stream }

    /// The duration of the longest baseline run; `nil` for a client in this process.
    public let runTime: Duration?

    let judge: OutcomeJudge
    /// The misdeeds of the baseline runs, with the largest amount per key.
    let habits: [String: Int]
    /// The replacements for the client's card on which the client was tried.
    private(set) var otherFields: Set<OtherField> = []
    /// The client's readings of the replacements that it does not reject.
    private(set) var otherReadings: [OtherField: OtherReading] = [:]
    let outputs: [CardOutput]
    /// The contents that the baseline runs wrote, by card, if all runs agree.
    let written: [WriteLocation]
    let facts: RunFacts

    /// - Parameters:
    ///   - records: At least ``runCount`` runs without faults, from one seed, with all events.
    ///   - test: The case, which states how the client delivers a result and reports an error.
    ///   - reference: The contents that known-good readers find on the cards, to locate them in the client's output.
    /// - Throws: ``BaselineError`` if the client fails in a run or the runs differ.
    public init(
        _ records: [RunRecord], of test: ScenarioCase, reference: Node = .null
    ) throws(BaselineError) {
        for (index, record) in records.enumerated() {
            if let error = Self.error(in: record, index + 1, of: test) { throw error }
        }
        guard records.count >= Self.runCount else {
            throw BaselineError(
                .tooFew, "\(CountText.of(records.count, "baseline run"))", "Perform \(Self.runCount) baseline runs.")
        }
        var judge = OutcomeJudge(test)
        let facts = records.map { RunFacts($0) }
        let exits = facts.map { judge.baselineEnd(of: $0).exit }
        judge.findStream(in: facts, CardMentions(reference))
        let results = facts.map(judge.result(of:))
        for index in records.indices.dropFirst() {
            guard exits[index] == exits[0] else { throw .exits(index + 1, exits[0], exits[index]) }
            if let difference = ResultDifference.all(between: results[0], and: results[index]).first {
                throw .varies(index + 1, difference, isLine: judge.hasLines(facts[0]))
            }
        }
        self.judge = judge
        self.facts = facts[0]
        runTime = records.compactMap(\.client.wall).max()
        exit = exits[0]
        result = results[0]
        outputs = judge.outputs(of: facts[0])
        let misdeeds = facts.map(\.misdeeds)
        habits = Dictionary(misdeeds.joined().map { ($0.key, $0.amount) }, uniquingKeysWith: max)
        // Contents that should not be written need not be there in other runs.
        written =
            Oracle.oversizedContainers(facts[0]).isEmpty
            ? WriteLocation.common(to: facts)
            : WriteLocation.common(to: facts).filter { !$0.target.isCapabilityContainer }
        // Clients that set up tags write to all pages, so writes to special places only lead to a warning.
        warnings = judge.warnings(of: misdeeds[0])
        findings = judge.findings(from: misdeeds[0].filter { !($0.rule?.isOfPlaces ?? false) })
    }

    /// Returns the reason why a baseline run says nothing about a client, so that no further run is needed; `nil` if the run
    /// ends as it should.
    ///
    /// - Parameter number: The number of the run, from 1.
    public static func error(in record: RunRecord, _ number: Int, of test: ScenarioCase) -> BaselineError? {
        if let numbers = record.world.trace.omission?.numbers { return .tooLong(numbers) }
        if let finding = OutcomeJudge(test).baselineEnd(of: RunFacts(record)).finding {
            let hint = record.client.isWaitingForCards ? record.end.complaint?.got : nil
            return .fails(number, finding, got: hint, ModelAdvice(test).sentence(for: record))
        }
        // The campaign reports a function that sends nothing at all more precisely.
        guard !record.end.isOfFunction || record.world.exchangeCount > 0 else { return nil }
        let reading = ReadingJudge(test, record)
        return reading.unfinished.map(BaselineError.endsEarly) ?? reading.readNothing.map(BaselineError.readsNothing)
    }

    /// Performs the baseline runs of a case, stopping after a run that says nothing about the client.
    ///
    /// The runs are sequential, so that state shared between runs, such as a file, shows up. The last one of a client that
    /// prints the time is in another second.
    package static func records<Failure>(
        of test: ScenarioCase, _ run: () async throws(Failure) -> RunRecord
    ) async throws(Failure) -> [RunRecord] {
        var records: [RunRecord] = []
        while records.count < runCount {
            if records.count == runCount - 1, records.allSatisfy(\.client.printsTime) {
                try? await Task.sleep(for: .seconds(1))
            }
            let record = try await run()
            records.append(record)
            if error(in: record, records.count, of: test) != nil { break }
        }
        return records
    }

    /// Runs the client, without a fault, on each replacement that faults may present instead of its card.
    ///
    /// - Parameters:
    ///   - faults: The faults of the campaign or the case.
    ///   - clean: The case without faults.
    package mutating func tryOtherFields<Failure>(
        of faults: some Sequence<Fault>, in clean: ScenarioCase,
        _ run: (ScenarioCase) async throws(Failure) -> RunRecord
    ) async throws(Failure) {
        for field in OtherField.all(of: faults, in: clean) {
            add(try await run(field.scenarioCase(clean, after: world)), before: field)
        }
    }

    private mutating func add(_ record: RunRecord, before field: OtherField) {
        let facts = RunFacts(record)
        let (code, finding) = judge.baselineEnd(of: facts)
        // A card that changes while it is read gives two different readings.
        if case .changedCard = field, !facts.hasReadChangedMemoryAlone { return }
        otherFields.insert(field)
        guard finding == nil, code == exit else { return }
        var outputs = judge.outputs(of: facts)
        if field == .anotherCard {
            for index in outputs.indices { outputs[index].card = outputs[index].card.map(World.nameOfAnother) }
        }
        otherReadings[field] = OtherReading(result: judge.result(of: facts), outputs: outputs)
    }

    /// Compares a later baseline run with the first ones.
    ///
    /// - Throws: ``BaselineError`` if it differs: a client that prints the time differs only after a second, and a client that
    ///   stores state in a file may fail after other runs.
    public func check(later record: RunRecord) throws(BaselineError) {
        let facts = RunFacts(record)
        let number = Self.runCount + 1
        let (code, finding) = judge.baselineEnd(of: facts)
        if let finding {
            // The machine may be busier now.
            guard ![.hang, .livelock].contains(finding.outcome) else { return }
            throw .fails(number, finding, nil)
        }
        guard code == exit else { throw .exits(number, exit, code) }
        guard let difference = ResultDifference.all(between: result, and: judge.result(of: facts)).first else { return }
        throw .varies(number, difference, isLine: judge.hasLines(facts))
    }

    /// Returns the reading of another control card in a run without faults.
    ///
    /// - Parameters:
    ///   - card: The special property of the card.
    ///   - reference: The contents that a known-good reader finds on it.
    /// - Returns: The reading, or the reason why there is none; a refusal is a clear error.
    public func reading(of record: RunRecord, on card: VariedCard, reference: Node) -> Result<
        ControlReading, ControlCardFailure
    > {
        let facts = RunFacts(record)
        let (code, finding) = judge.baselineEnd(of: facts)
        let otherExit = code != exit ? OutcomeFinding(.clearError, "exit \(code)\(facts.client.lastError)") : nil
        let misdeeds = facts.misdeeds.filter { $0.amount > habits[$0.key] ?? 0 && !($0.rule?.isOfPlaces ?? false) }
        let found = [finding, otherExit].compactMap(\.self) + judge.findings(from: misdeeds)
        if let failure = judge.worst(of: found) { return .failure(ControlCardFailure(failure)) }
        return .success(Self.reading(judge.printed(of: facts), of: facts, on: card, reference))
    }

    public func reading(reference: Node) -> ControlReading {
        Self.reading(judge.printed(of: facts), of: facts, on: nil, reference)
    }

    private static func reading(
        _ result: Node, of facts: RunFacts, on card: VariedCard?, _ reference: Node
    ) -> ControlReading {
        ControlReading(card, reference: reference, result: result, isReturned: facts.end.isOfFunction)
    }

    public func finding(of record: RunRecord) -> OutcomeFinding { findings(of: record)[0] }

    /// Returns the findings of a run under faults, most serious first; at least one.
    public func findings(of record: RunRecord) -> [OutcomeFinding] { judge.findings(of: record, against: self) }
}

/// The way a client failed on a control card instead of reading it.
public struct ControlCardFailure: Error, Hashable, Sendable {
    public let finding: OutcomeFinding

    init(_ finding: OutcomeFinding) {
        self.finding = finding
    }
}

/// The reason why baseline runs say nothing about a client under faults.
public struct BaselineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case fails
        /// The client does not behave the same each time.
        case varies
        case tooFew
        case tooLong
    }

    /// The requirement for a campaign.
    public static let needed = "three baseline runs with the same result"

    public let code: Code
    /// The text that follows the word `got`.
    public let found: String
    /// A sentence.
    public let advice: String

    init(_ code: Code, _ found: String, _ advice: String) {
        self.code = code
        self.found = found
        self.advice = advice
    }

    public var description: String { "\(found). \(advice)" }

    var failure: Failure {
        Failure(
            path: "client",
            expected: Self.needed, got: found, hint: advice)
    }

    /// - Parameters:
    ///   - end: The way the client ended, if it is more informative than the finding.
    ///   - model: Another reader model to try.
    static func fails(
        _ run: Int, _ finding: OutcomeFinding, got end: String? = nil, _ model: String?
    ) -> BaselineError {
        BaselineError(
            .fails,
            "a client that fails without any fault, in baseline run \(run): \(finding)\(end.map { ": \($0)" } ?? "")",
            model.map { "\($0)." }
                ?? (end == nil
                    ? "Fix that first; or, if this exit is expected, state its code under `expect.client.exit`."
                    : "In a scenario write `taps: 1`."))
    }

    static func endsEarly(_ failure: Failure) -> BaselineError {
        BaselineError(.fails, "\(failure.got), even without faults", failure.hint ?? "")
    }

    /// - Returns: `nil` for a client that opened a reader, or needs none.
    package static func missesEveryTransport(_ record: RunRecord, of test: ScenarioCase) -> BaselineError? {
        guard record.hasMissedEveryTransport else { return nil }
        let hint = Judge.judge(test, record).failures.first?.hint
        return BaselineError(.fails, "the client opened no reader", hint ?? "")
    }

    static func readsNothing(_ failure: Failure) -> BaselineError {
        BaselineError(.fails, "a client that read nothing, even without faults", failure.hint ?? "")
    }

    static func tooLong(_ numbers: ClosedRange<Int>) -> BaselineError {
        BaselineError(
            .tooLong,
            "a baseline run whose exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept",
            "\(TraceBound.run.text) Let the client do less, so that TapSim can judge everything it does.")
    }

    static func varies(_ run: Int, _ difference: ResultDifference, isLine: Bool) -> BaselineError {
        BaselineError(
            .varies,
            "a different result in baseline run \(run) than in baseline run 1 with the same seed: \(difference.text(ofLines: isLine))",
            proposal(for: difference, isLine: isLine))
    }

    static func exits(_ run: Int, _ first: Int32, _ other: Int32) -> BaselineError {
        BaselineError(
            .varies, "exit \(other) in baseline run \(run) and exit \(first) in baseline run 1 with the same seed",
            "A client that behaves differently in identical runs cannot be judged; find out what its behaviour depends on."
        )
    }

    private static func proposal(for difference: ResultDifference, isLine: Bool) -> String {
        var ignored = difference.path
        if isLine, case .changed(_, let expected, let got) = difference, let first = expected.text,
            let second = got.text
        {
            ignored = pattern(first, second)
        }
        guard !ignored.isEmpty else {
            return "The whole result differs: print it as JSON, and list the parts that may differ under "
                + "`client.result.ignore` in a scenario; `tapsim init` creates one."
        }
        let line = "client: {result: {ignore: [\(JSONWriter.text(.text(ignored)))]}}"
        return "If it may differ, write `\(line)` in a scenario; `tapsim init` creates one."
    }

    /// Returns a pattern with the beginning or end that two lines share.
    private static func pattern(_ first: String, _ second: String) -> String {
        let prefix = String(zip(first, second).prefix { $0 == $1 }.map(\.0))
        let words = prefix.lastIndex(of: " ").map { String(prefix[...$0]) } ?? ""
        let suffix = String(zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.map(\.0).reversed())
        let trimmed = words.isEmpty ? suffix.drop { $0 != " " } : words[...]
        return String(trimmed.split(separator: " ").joined(separator: " "))
    }
}
