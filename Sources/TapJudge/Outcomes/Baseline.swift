import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// What a client does when nothing goes wrong, taken from three baseline runs.
///
/// ```swift
/// let baseline = try Baseline(cleanRecords, of: scenarioCase)
/// let finding = baseline.finding(of: record)      // silent loss at exchange 7: `/trips` has 12 of 20 items
/// ```
public struct Baseline: Sendable {
    public static let runCount = 3
    /// How many times more frames than in its baseline run a client may send before it counts as a livelock.
    private static let exchangeFactor = 20
    /// For a client with many frames so many times more, and some, since many runs are held in memory at a time.
    private static let (longFactor, longRest) = (4, 2_000)
    /// The least number of frames that counts as one.
    private static let leastExchanges = 200
    /// The frames in which a client reads a whole tag twice, page by page: a wrong length may make a correct one do that.
    private static let wholeReadings = 2 * 256

    public let exit: Int32
    /// The result without what may differ.
    public let result: Node
    public var exchangeCount: Int { world.exchangeCount }
    /// How many frames a run under faults may have; a client that wants more is in a livelock.
    public var mostExchanges: Int {
        // More than the bound of a run would not be kept, and could not be judged.
        let most = min(exchangeCount * Self.exchangeFactor, exchangeCount * Self.longFactor + Self.longRest)
        return min(max(Self.leastExchanges, most) + Self.wholeReadings, TraceBound.run.exchanges)
    }
    /// The world after the first baseline run, with its trace.
    public var world: World { record.world }
    /// The first baseline run.
    public var record: RunRecord { facts.record }
    /// Findings of the baseline runs, most serious first; faults are not to blame for them.
    public let findings: [OutcomeFinding]

    /// Warnings about the baseline runs.
    public let warnings: [Warning]

    /// Keys of causes that need no fault, on this card or on other sound ones.
    public var cleanCauses: Set<String> = []

    /// Where the client prints what is on the card; `nil` if the case states that or nothing on the card is known.
    public var resultStream: ResultStream? { judge.stream }

    /// The time that the longest baseline run took; `nil` for a client in this process.
    public let runTime: Duration?

    let judge: OutcomeJudge
    /// The misdeeds of the baseline runs, by key the largest amount.
    let habits: [String: Int]
    /// What faults may put in the place of its card, as far as the client was tried on it.
    private(set) var otherFields: Set<OtherField> = []
    /// What the client makes of those that it does not refuse.
    private(set) var otherReadings: [OtherField: OtherReading] = [:]
    /// What the first baseline run printed, card by card.
    let outputs: [CardOutput]
    /// What the baseline runs wrote and then held, by card, where all agree.
    let written: [WrittenPlace]
    let facts: RunFacts

    /// - Parameters:
    ///   - records: At least ``runCount`` runs without faults, of one seed, with all events.
    ///   - test: The case, which says how its client leaves a result and reports an error.
    ///   - reference: What readers known to be right find on its cards, to see where the client prints it.
    /// - Throws: ``BaselineError`` if the client fails in one or the runs differ.
    public init(
        _ records: [RunRecord], of test: ScenarioCase, reference: Node = .null
    ) throws(BaselineError) {
        for (index, record) in records.enumerated() {
            if let error = Self.error(in: record, index + 1, of: test) { throw error }
        }
        guard records.count >= Self.runCount else {
            throw BaselineError(
                .tooFew, "\(CountText.of(records.count, "baseline run"))", "Make \(Self.runCount) baseline runs.")
        }
        var judge = OutcomeJudge(test)
        let facts = records.map { RunFacts($0) }
        let exits = facts.map { judge.cleanEnd(of: $0).exit }
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
        // What should not be written need not be there in other runs.
        written =
            Oracle.oversizedContainers(facts[0]).isEmpty
            ? WrittenPlace.common(to: facts)
            : WrittenPlace.common(to: facts).filter { !$0.target.isCapabilityContainer }
        // Clients that set up tags write to all of their pages, so that they are told of it and no more.
        warnings = judge.warnings(of: misdeeds[0])
        findings = judge.findings(from: misdeeds[0].filter { !($0.rule?.isOfPlaces ?? false) })
    }

    /// Why a baseline run says nothing about a client, so that no other one is needed; `nil` if it ends as it should.
    ///
    /// - Parameter number: The number of the run, from 1.
    public static func error(in record: RunRecord, _ number: Int, of test: ScenarioCase) -> BaselineError? {
        if let numbers = record.world.trace.omission?.numbers { return .tooLong(numbers) }
        if let finding = OutcomeJudge(test).cleanEnd(of: RunFacts(record)).finding {
            let hint = record.client.isWaitingForCards ? record.end.complaint?.got : nil
            return .fails(number, finding, got: hint, ModelAdvice(test).sentence(for: record))
        }
        // A function that sends nothing at all gets a better word from its campaign.
        guard !record.end.isOfFunction || record.world.exchangeCount > 0 else { return nil }
        let reading = ReadingJudge(test, record)
        return reading.unfinished.map(BaselineError.endsEarly) ?? reading.readNothing.map(BaselineError.readsNothing)
    }

    /// Makes the baseline runs of a case, up to one that says nothing about the client.
    ///
    /// They come one after the other, so that state shared between runs, such as a file, shows itself.
    package static func records<Failure>(
        of test: ScenarioCase, _ run: () async throws(Failure) -> RunRecord
    ) async throws(Failure) -> [RunRecord] {
        var records: [RunRecord] = []
        while records.count < runCount {
            let record = try await run()
            records.append(record)
            if error(in: record, records.count, of: test) != nil { break }
        }
        return records
    }

    /// Lets the client try, without a fault, what faults may put before it in place of its card.
    ///
    /// - Parameters:
    ///   - faults: What the campaign or the case injects.
    ///   - clean: The case without them.
    package mutating func tryOtherFields<Failure>(
        of faults: some Sequence<Fault>, in clean: ScenarioCase,
        _ run: (ScenarioCase) async throws(Failure) -> RunRecord
    ) async throws(Failure) {
        for field in OtherField.all(of: faults, in: clean) {
            add(try await run(field.scenarioCase(clean, after: world)), before: field)
        }
    }

    /// Takes a baseline run before another field.
    private mutating func add(_ record: RunRecord, before field: OtherField) {
        let facts = RunFacts(record)
        let (code, finding) = judge.cleanEnd(of: facts)
        // Changed while it is read, a card says two things.
        if case .changedCard = field, !facts.hasReadChangedMemoryAlone { return }
        otherFields.insert(field)
        guard finding == nil, code == exit else { return }
        var outputs = judge.outputs(of: facts)
        if field == .anotherCard {
            for index in outputs.indices { outputs[index].card = outputs[index].card.map(World.nameOfAnother) }
        }
        otherReadings[field] = OtherReading(result: judge.result(of: facts), outputs: outputs)
    }

    /// Holds a baseline run that was made some time later against the first ones.
    ///
    /// - Throws: ``BaselineError`` if it differs: a client that prints the time does so only after a second, and one
    ///   that keeps something in a file may fail after other runs.
    public func check(later record: RunRecord) throws(BaselineError) {
        let facts = RunFacts(record)
        let number = Self.runCount + 1
        let (code, finding) = judge.cleanEnd(of: facts)
        if let finding {
            // The machine may do much else now.
            guard ![.hang, .livelock].contains(finding.outcome) else { return }
            throw .fails(number, finding, nil)
        }
        guard code == exit else { throw .exits(number, exit, code) }
        guard let difference = ResultDifference.all(between: result, and: judge.result(of: facts)).first else { return }
        throw .varies(number, difference, isLine: judge.hasLines(facts))
    }

    /// What a client makes of another control card in a run without faults.
    ///
    /// - Parameters:
    ///   - card: What is special about the card.
    ///   - reference: What a reader known to be right finds on it.
    /// - Returns: The reading, or why there is none; a refusal is a clear error.
    public func reading(of record: RunRecord, on card: VariedCard, reference: Node) -> Result<
        ControlReading, CleanFailure
    > {
        let facts = RunFacts(record)
        let (code, finding) = judge.cleanEnd(of: facts)
        let otherExit = code != exit ? OutcomeFinding(.clearError, "exit \(code)\(facts.client.lastWords)") : nil
        let misdeeds = facts.misdeeds.filter { $0.amount > habits[$0.key] ?? 0 && !($0.rule?.isOfPlaces ?? false) }
        let found = [finding, otherExit].compactMap(\.self) + judge.findings(from: misdeeds)
        if let failure = judge.worst(of: found) { return .failure(CleanFailure(failure)) }
        return .success(Self.reading(judge.printed(of: facts), of: facts, on: card, reference))
    }

    /// The reading of the card of the scenario.
    public func reading(reference: Node) -> ControlReading {
        Self.reading(judge.printed(of: facts), of: facts, on: nil, reference)
    }

    private static func reading(
        _ result: Node, of facts: RunFacts, on card: VariedCard?, _ reference: Node
    ) -> ControlReading {
        ControlReading(card, reference: reference, result: result, isReturned: facts.end.isOfFunction)
    }

    /// The most serious of ``findings(of:)``.
    public func finding(of record: RunRecord) -> OutcomeFinding { findings(of: record)[0] }

    /// The findings of a run under faults, most serious first; at least one.
    public func findings(of record: RunRecord) -> [OutcomeFinding] { judge.findings(of: record, against: self) }
}

/// How a client ended on a control card instead of reading it.
public struct CleanFailure: Error, Hashable, Sendable {
    public let finding: OutcomeFinding

    init(_ finding: OutcomeFinding) {
        self.finding = finding
    }
}

/// Why baseline runs say nothing about a client under faults.
public struct BaselineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case fails
        /// The client does not do the same each time.
        case varies
        case tooFew
        case tooLong
    }

    /// What a campaign begins with.
    public static let needed = "three baseline runs with the same result"

    public let code: Code
    /// Follows the word `got`.
    public let found: String
    /// A sentence.
    public let advice: String

    init(_ code: Code, _ found: String, _ advice: String) {
        self.code = code
        self.found = found
        self.advice = advice
    }

    public var description: String { "\(found). \(advice)" }

    /// The failure of a case that cannot be judged.
    var failure: Failure {
        Failure(
            path: "client",
            expected: Self.needed, got: found, hint: advice)
    }

    /// - Parameters:
    ///   - end: The way it ended, if that says more than the finding.
    ///   - model: Another reader model to try.
    static func fails(
        _ run: Int, _ finding: OutcomeFinding, got end: String? = nil, _ model: String?
    ) -> BaselineError {
        BaselineError(
            .fails,
            "a client that fails without any fault, in baseline run \(run): \(finding)\(end.map { ": \($0)" } ?? "")",
            model.map { "\($0)." }
                ?? (end == nil
                    ? "Fix that first; or, if it has to end so here, state its exit code under `expect.client.exit`."
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
            "a baseline run of which exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept",
            "\(TraceBound.run.text) Let the client do less, so that all it does can be judged.")
    }

    static func varies(_ run: Int, _ difference: ResultDifference, isLine: Bool) -> BaselineError {
        BaselineError(
            .varies,
            "another result in baseline run \(run) than in baseline run 1 of the same seed: \(difference.text(ofLines: isLine))",
            proposal(for: difference, isLine: isLine))
    }

    static func exits(_ run: Int, _ first: Int32, _ other: Int32) -> BaselineError {
        BaselineError(
            .varies, "exit \(other) in baseline run \(run) and exit \(first) in baseline run 1 of the same seed",
            "A client that behaves differently in the same run cannot be judged; find out what it depends on.")
    }

    /// The line that ignores a value that may differ.
    private static func proposal(for difference: ResultDifference, isLine: Bool) -> String {
        var ignored = difference.path
        if isLine, case .changed(_, let expected, let got) = difference, let first = expected.text,
            let second = got.text
        {
            ignored = pattern(first, second)
        }
        guard !ignored.isEmpty else {
            return "The whole result differs: print it as JSON, and name what may differ below `client.result.ignore` "
                + "in the scenario; without one, begin with tapsim init."
        }
        let line = "client: {result: {ignore: [\(JSONWriter.text(.text(ignored)))]}}"
        return "If it may differ, write `\(line)` in the scenario; without one, begin with tapsim init."
    }

    /// A pattern with the beginning or end that two lines share.
    private static func pattern(_ first: String, _ second: String) -> String {
        let prefix = String(zip(first, second).prefix { $0 == $1 }.map(\.0))
        let words = prefix.lastIndex(of: " ").map { String(prefix[...$0]) } ?? ""
        let suffix = String(zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.map(\.0).reversed())
        let trimmed = words.isEmpty ? suffix.drop { $0 != " " } : words[...]
        return String(trimmed.split(separator: " ").joined(separator: " "))
    }
}
