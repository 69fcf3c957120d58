import TapCards
import TapDocument
import TapDoors
import TapField
import TapJudge
import TapReaders
import TapScenario
import TapWire

/// The systematic phase of fuzzing one case: three clean runs, then every fault once at every exchange.
public struct SystematicFuzz: Sendable {
    /// The shortest time a client gets before it counts as hanging.
    private static let shortestWall = Duration.seconds(2)
    /// How many times longer than its clean run a client may run before it counts as hanging.
    private static let wallFactor = 10
    /// How many times more frames than in its clean run a client may send before it counts as going round in circles.
    private static let exchangeFactor = 20
    /// The least number of frames that counts as that.
    private static let leastExchanges = 200

    /// How many runs are under way at a time.
    public var jobs: Int
    /// Told of each run that is done, in no certain order.
    public var progress: (@Sendable (VerdictGrid.Entry) -> Void)?

    public init(jobs: Int) {
        self.jobs = jobs
    }

    /// A case that has shown what it does without disturbance, ready to be disturbed.
    public struct Prepared: Sendable {
        /// What its client does without disturbance.
        public let baseline: Baseline
        /// The runs that can be made of it.
        public let phase: SystematicPhase
        fileprivate let clean: ScenarioCase
        fileprivate let wall: Duration
        /// How the cards read before and after a clean run.
        fileprivate let before: CardReading
        fileprivate let after: CardReading
    }

    /// Makes the clean runs of a case and lays out its phase.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; faults of its own are left out.
    ///   - kinds: The faults to try.
    /// - Throws: ``RunError`` if a run could not be made, or if the clean runs say nothing about the client.
    public func prepare(_ scenarioCase: ScenarioCase, _ kinds: [FaultKind]) async throws(RunError) -> Prepared {
        let clean = scenarioCase.disturbed(by: FaultPlan(keepsCalls: true))
        var records: [RunRecord] = []
        // One after the other: what runs of a client have in common outside, such as a file, shows itself here.
        for _ in 0..<Baseline.runCount { records.append(try await CaseRun().run(clean)) }
        let baseline: Baseline
        do {
            baseline = try Baseline(records, of: scenarioCase)
        } catch {
            throw RunError(.baseline, "\(error)")
        }
        try Self.checkDoor(of: records[0], clean)
        let fitting = kinds.filter { Self.fits($0, records[0], clean) }
        return Prepared(
            baseline: baseline, phase: SystematicPhase(of: baseline.world, fitting), clean: clean,
            wall: records.compactMap(\.client.wall).max() ?? .zero,
            before: await CardReading(clean.makeWorld(), of: clean),
            after: await CardReading(baseline.world, of: clean))
    }

    /// Refuses a client that has opened no reader: nothing can disturb it.
    private static func checkDoor(of record: RunRecord, _ clean: ScenarioCase) throws(RunError) {
        guard !record.doorsOpened.isEmpty, record.doorUsed == nil else { return }
        let failure = Judge.judge(clean, record).failures.first
        throw RunError(.baseline, "the client opened no reader. \(failure?.hint ?? "")")
    }

    /// Whether a fault fits a client as its clean run has shown it.
    private static func fits(_ kind: FaultKind, _ record: RunRecord, _ scenarioCase: ScenarioCase) -> Bool {
        guard case .reader(let make) = kind.effect else { return true }
        let fault = make(Fault(kind).arguments)
        let reader = scenarioCase.reader ?? .default
        switch record.doorUsed {
        case "pcsc", "vpcd": return reader.canCarry(fault)
        // A bare chip, without a reader around it.
        case "libnfc": return fault.isOfChip && reader.canCarry(fault)
        case nil where record.doorsOpened.isEmpty: return scenarioCase.reader?.canCarry(fault) ?? false
        default: return false
        }
    }

    /// Makes runs of a prepared case.
    ///
    /// - Parameters:
    ///   - runs: Those to make, of the phase of the case.
    ///   - prepared: The case.
    /// - Returns: What became of each.
    public func grid(
        of runs: [SystematicPhase.Run], _ prepared: Prepared
    ) async throws(RunError) -> VerdictGrid {
        let progress = progress
        let entries = try await Workers.results(of: runs.count, jobs: jobs, done: { progress?($0) }) {
            index throws(RunError) in
            try await Self.entry(of: runs[index], prepared)
        }
        return VerdictGrid(places: prepared.phase.places, entries: entries)
    }

    private static func entry(
        of run: SystematicPhase.Run, _ prepared: Prepared
    ) async throws(RunError) -> VerdictGrid.Entry {
        let disturbed = prepared.clean.disturbed(by: run.plan).bounded(
            wall: max(shortestWall, prepared.wall * wallFactor),
            // More would not be kept, and so could not be judged.
            exchanges: min(
                max(leastExchanges, prepared.baseline.exchangeCount * exchangeFactor), TraceBound.run.exchanges))
        let record = try await CaseRun().run(disturbed)
        guard record.world.plan.unmet.isEmpty else { return VerdictGrid.Entry(run, .notReached) }
        var finding = prepared.baseline.finding(of: record)
        if !finding.outcome.isOK { finding = try await CaseRun().steadied(finding, of: disturbed, prepared.baseline) }
        guard run.fault.kind.family == "mem" else { return VerdictGrid.Entry(run, .judged(finding)) }
        let reading = await CardReading(record.world, of: disturbed)
        let readBack = reading.compared(before: prepared.before, after: prepared.after)
        if readBack == .unreadable, finding.outcome == .correct {
            finding = OutcomeFinding(.safety, "it ends well, and a sound client cannot read what it left on the card")
        }
        return VerdictGrid.Entry(run, .judged(finding), readBack: readBack)
    }
}

/// What the built-in clients read of the cards of a world, each by the one that suits it.
struct CardReading: Hashable, Sendable {
    /// Of each card the result, or nothing where its client reported an error.
    private let results: [Node?]

    /// Reads cards as a run has left them, each alone before a reader.
    init(_ world: World, of scenarioCase: ScenarioCase) async {
        var results: [Node?] = []
        for card in scenarioCase.cards {
            guard let slot = world.card(named: card.name) else { continue }
            var alone = World(seed: scenarioCase.seed)
            alone.add(slot.engine, named: slot.name)
            alone.tap(slot.name)
            let record = await CaseRun().run(Self.client(for: card), over: VirtualLink(alone))
            results.append(record.client.end == .exit(0) ? record.client.result : nil)
        }
        self.results = results
    }

    /// The built-in client that suits a card; of a tag it knows the PWD.
    private static func client(for card: ScenarioCase.NamedCard) -> BuiltinClient {
        guard case .ntag(let template) = card.definition else { return .suiting([card]) }
        let password = template.definition.password.bytes
        return switch BuiltinClient.suiting([card]) {
        case .ndef: .ndef(password: password)
        default: .dump(password: password)
        }
    }

    /// How cards read now compare with how they read before and after a clean run.
    func compared(before: CardReading, after: CardReading) -> ReadBack {
        if self == after { return .new }
        if self == before { return .old }
        let isWorse = zip(results, zip(before.results, after.results)).contains { now, known in
            now == nil && known.0 != nil && known.1 != nil
        }
        return isWorse ? .unreadable : .other
    }
}

/// Independent pieces of work, several at a time.
enum Workers {
    /// Carries out `count` pieces of work and gives their results in order.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - jobs: How many are under way at a time.
    ///   - done: Told of each piece that is done, in no certain order.
    ///   - work: One piece, by its number from 0.
    /// - Throws: The error of the piece that failed first; pieces that had not begun are left out then.
    static func results<Value: Sendable>(
        of count: Int, jobs: Int, done: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable (Int) async throws(RunError) -> Value
    ) async throws(RunError) -> [Value] {
        var results: [Value?] = Array(repeating: nil, count: count)
        let next = Lock(0)
        let found = await withTaskGroup(of: [(Int, Result<Value, RunError>)].self) { group in
            for _ in 0..<min(max(1, jobs), count) {
                group.addTask { await perform(count, next, done, work) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for (index, result) in found.sorted(by: { $0.0 < $1.0 }) { results[index] = try result.get() }
        return results.compactMap(\.self)
    }

    /// Takes one piece after another until none is left or one fails.
    private static func perform<Value: Sendable>(
        _ count: Int, _ next: Lock<Int>, _ done: @Sendable (Value) -> Void,
        _ work: @Sendable (Int) async throws(RunError) -> Value
    ) async -> [(Int, Result<Value, RunError>)] {
        var results: [(Int, Result<Value, RunError>)] = []
        while true {
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard index < count else { return results }
            do {
                let value = try await work(index)
                done(value)
                results.append((index, .success(value)))
            } catch {
                next.withLock { $0 = count }
                return results + [(index, .failure(error))]
            }
        }
    }
}
