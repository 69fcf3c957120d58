import TapCards
import TapField
import TapWire

/// What a client makes of a case when nothing goes wrong, taken from three clean runs.
///
/// ```swift
/// let baseline = try Baseline(cleanRecords, of: scenarioCase)
/// let finding = baseline.finding(of: record)      // silent loss at exchange 7: `/trips` has 12 of 20 items
/// ```
public struct Baseline: Sendable {
    /// How many clean runs it is taken from.
    public static let runCount = 3

    /// The exit code.
    public let exit: Int32
    /// Whether the client stays by design, so that it was ended here.
    let stays: Bool
    /// The result without what may differ.
    public let result: Node
    /// How many frames readers sent.
    public let exchangeCount: Int
    /// The world after the first clean run, with the trace of its exchanges.
    public let world: World
    /// What the clean runs do that a sound client does not, most serious first; faults are not to blame for it.
    public let findings: [OutcomeFinding]

    /// What is to be told of the clean runs although it fails nothing: a client that reads nothing cannot be disturbed.
    public let warnings: [Warning]

    let judge: OutcomeJudge
    /// The misdeeds of the clean runs, by key the largest amount.
    let habits: [String: Int]
    /// What the clean runs wrote and what it then held, card by card, where all agree.
    let written: [WrittenPlace]
    /// The message each card then holds, where the clean runs wrote one.
    let messages: [String: StoredMessage]

    /// Takes the measure of clean runs: runs of a case without its faults, all of the same seed.
    ///
    /// - Parameters:
    ///   - records: The runs, at least ``runCount``, whose traces have kept their events.
    ///   - test: The case, which says how its client leaves a result and tells of an error.
    /// - Throws: ``BaselineError`` if the client fails in one or the runs differ.
    public init(_ records: [RunRecord], of test: ScenarioCase) throws(BaselineError) {
        guard records.count >= Self.runCount, let first = records.first else {
            throw BaselineError(
                .tooFew, "\(CountText.of(records.count, "clean run"))", "Make \(Self.runCount) clean runs.")
        }
        let judge = OutcomeJudge(test)
        if let numbers = records.lazy.compactMap({ $0.world.trace.omission?.numbers }).first { throw .tooLong(numbers) }
        var exits: [Int32] = []
        for (index, record) in records.enumerated() {
            let (exit, finding) = judge.cleanEnd(of: record)
            if let finding { throw .fails(index + 1, finding) }
            exits.append(exit)
        }
        let results = records.map(judge.result(of:))
        for index in records.indices.dropFirst() {
            guard exits[index] == exits[0] else { throw .exits(index + 1, exits[0], exits[index]) }
            if let difference = ResultDifference.all(between: results[0], and: results[index]).first {
                throw .varies(index + 1, difference, isLine: judge.hasLines(first))
            }
        }
        self.judge = judge
        warnings = [ReadingJudge(test, first).readNothing].compactMap(\.self)
        exit = exits[0]
        stays = first.client.wasEndedHere
        result = results[0]
        exchangeCount = first.world.exchangeCount
        world = first.world
        let misdeeds = records.map(Misdeed.all(in:))
        habits = Dictionary(misdeeds.joined().map { ($0.key, $0.amount) }, uniquingKeysWith: max)
        written = WrittenPlace.common(to: records)
        let facts = RunFacts(first.world)
        let after = first.world.cards.compactMap { slot in
            AcknowledgedMemory.messages(of: slot, facts).map { (slot.name, $0.after) }
        }
        messages = Dictionary(after) { first, _ in first }
        // Whoever sets up tags writes to all of their pages.
        findings = judge.findings(from: misdeeds[0].filter { !($0.rule?.isOfPlaces ?? false) })
    }

    /// What was found of a run of the same case under faults: the most serious of ``findings(of:)``.
    public func finding(of record: RunRecord) -> OutcomeFinding { findings(of: record)[0] }

    /// All that was found of a run of the same case under faults, the most serious first; at least one.
    public func findings(of record: RunRecord) -> [OutcomeFinding] { judge.findings(of: record, against: self) }
}
