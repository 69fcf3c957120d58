import TapCards
import TapField
import TapScenario

/// The second phase of fuzzing: pairs of faults, then any, guided by what the client did; among these, one by one in random
/// order, the edits that put bytes at their bounds where headers have them.
///
/// A run in which the client took a step that it had never taken is kept, and changed in turn. Runs come in batches, and what
/// a batch has taught counts for the next one, so that the runs are the same however many are under way at a time.
public struct GuidedPhase: Sendable {
    /// Runs of the first batches.
    private static let smallestBatch = 32
    /// How many runs are made of two faults that each had led somewhere new.
    private static let mostPairs = 256
    /// How many runs are kept to be changed.
    private static let mostKept = 4_096
    /// How often a run that was made before is drawn until nothing new is left.
    private static let mostDraws = 10_000

    private let space: FuzzSpace
    private let largestBatch: Int
    private var random: SeededGenerator
    private var kept: [[UInt8]] = []
    private var steps: Set<Transition> = []
    private var names: Set<String> = []
    private var pairs: [[UInt8]]?
    /// Edits that are not made yet.
    private var edits: [[UInt8]] = []
    private var isTurnOfEdit = false
    /// The choices of the runs of the last batch, by their names.
    private var batch: [String: [UInt8]] = [:]

    /// - Parameters:
    ///   - label: The part of the work, so that machines draw different runs of one seed.
    ///   - largestBatch: How many runs a batch grows to, as many as there are kept. Where several are made at a time, a large
    ///     batch waits less for the slowest of its runs; where one is, each should teach the next.
    public init(_ space: FuzzSpace, seed: UInt64, _ label: String, largestBatch: Int = 32) {
        self.space = space
        self.largestBatch = largestBatch
        random = SeededGenerator(seed: seed).fork("guided \(label)")
        edits = space.tellingEdits
    }

    /// How many different steps the client took.
    public var stepCount: Int { steps.count }

    /// Takes a run of the systematic phase, or of the last batch, as known.
    ///
    /// - Parameter taken: What the client did; `nil` for a run of an earlier campaign, which may have led anywhere.
    public mutating func learn(_ run: FuzzRun, _ taken: Set<Transition>?) {
        names.insert(run.name)
        guard let bytes = batch[run.name] ?? space.bytes(of: run) else { return }
        if let taken { keep(bytes, taken) } else if kept.count < Self.mostKept { kept.append(bytes) }
    }

    /// Goes on from a guided phase of an earlier campaign, with other runs than it began with.
    public mutating func resume(_ earlier: GuidedResult) {
        names.formUnion(earlier.findings.map(\.run.name))
        random = random.fork("after \(earlier.runCount)")
        let rows = earlier.kept.filter(FuzzSpace.isRow)
        if !rows.isEmpty { kept = Array(rows.prefix(Self.mostKept)) }
    }

    private mutating func keep(_ bytes: [UInt8], _ taken: Set<Transition>) {
        let isNew = !taken.isSubset(of: steps)
        steps.formUnion(taken)
        if isNew, kept.count < Self.mostKept { kept.append(bytes) }
    }

    /// The runs to make next; empty where nothing new is found any more.
    public mutating func next() -> [FuzzRun] {
        var runs: [FuzzRun] = []
        batch = [:]
        let size = min(max(kept.count, Self.smallestBatch), largestBatch)
        var draws = 0
        while runs.count < size, draws < Self.mostDraws, !space.isEmpty {
            draws += 1
            // More of them would be drawn and changed, and never read.
            let bytes = Array(draw().prefix(FuzzSpace.longestRow))
            guard let run = space.run(from: bytes), names.insert(run.name).inserted else { continue }
            batch[run.name] = bytes
            runs.append(run)
        }
        return runs
    }

    private mutating func draw() -> [UInt8] {
        if pairs == nil { pairs = drawPairs() }
        if let pair = pairs?.popLast() { return pair }
        isTurnOfEdit.toggle()
        if isTurnOfEdit, !edits.isEmpty {
            edits.swapAt(random.next(below: edits.count), edits.count - 1)
            return edits.removeLast()
        }
        guard !kept.isEmpty, random.next(below: 8) > 0 else { return fault() }
        var bytes = kept[random.next(below: kept.count)]
        for _ in 0...random.next(below: 3) { change(&bytes) }
        return bytes
    }

    /// Runs of two faults that are kept, in random order.
    private mutating func drawPairs() -> [[UInt8]] {
        guard kept.count > 1 else { return [] }
        return (0..<min(Self.mostPairs, kept.count * (kept.count - 1))).map { _ in
            let first = random.next(below: kept.count)
            let distance = 1 + random.next(below: kept.count - 1)
            return kept[first] + kept[(first + distance) % kept.count]
        }
    }

    /// The choices of one fault.
    private mutating func fault() -> [UInt8] {
        (0..<FuzzSpace.bytesPerFault).map { _ in byte() }
    }

    private mutating func byte() -> UInt8 { UInt8(random.next(below: 256)) }

    /// Another choice, one more fault or one less, or the faults of another run.
    private mutating func change(_ bytes: inout [UInt8]) {
        let count = bytes.count / FuzzSpace.bytesPerFault
        switch random.next(below: 6) {
        case 0 where count < FuzzSpace.maximumFaults: bytes += fault()
        case 1 where count > 1:
            let start = random.next(below: count) * FuzzSpace.bytesPerFault
            bytes.removeSubrange(start..<start + FuzzSpace.bytesPerFault)
        case 2: bytes += kept[random.next(below: kept.count)]
        case 3:
            // Nearby: a place or a fault beside it, a neighbouring value.
            let index = random.next(below: bytes.count)
            bytes[index] = bytes[index] &+ (random.next(below: 2) == 0 ? 1 : 0xFF)
        default: bytes[random.next(below: bytes.count)] = byte()
        }
    }
}

extension GuidedPhase {
    /// Makes runs, a batch at a time, until the campaign is over, or nothing new is left to try.
    ///
    /// - Parameters:
    ///   - known: Causes that were found before, whose findings are believed at once.
    ///   - result: What came of other runs.
    ///   - count: How many runs are made at most.
    ///   - make: Makes runs and returns what came of them in their order; it is given the causes known by then.
    public mutating func results<Failure: Error>(
        knowing known: Set<String>, adding result: GuidedResult, atMost count: Int = .max, until isOver: () -> Bool,
        _ make: ([FuzzRun], Set<String>) async throws(Failure) -> [(entry: VerdictGrid.Entry, steps: Set<Transition>)]
    ) async throws(Failure) -> GuidedResult {
        var (result, known, left) = (result, known, count)
        while left > 0, !isOver() {
            let runs = next().prefix(left)
            guard !runs.isEmpty else { break }
            left -= runs.count
            let results = try await make(Array(runs), known)
            for made in results {
                learn(made.entry.run, made.steps)
                result.add(made.entry)
                if let cause = made.entry.cause { known.insert(cause) }
            }
        }
        result.stepCount = max(result.stepCount, stepCount)
        result.kept = kept
        return result
    }
}

/// What came of the runs of a guided phase.
public struct GuidedResult: Hashable, Sendable {
    /// How many runs of a cause are kept.
    static let mostOfCause = 100

    public private(set) var runCount = 0
    /// How often each outcome came out.
    public private(set) var outcomes: [Outcome: Int] = [:]
    /// Runs of which not every fault was injected.
    public var notReached: Int { runCount - outcomes.values.reduce(0, +) }
    /// How many different steps the client took in all runs of the campaign.
    public var stepCount = 0
    /// The choices of the runs that led somewhere new, a row each, for a campaign that goes on.
    public fileprivate(set) var kept: [[UInt8]] = []
    /// The runs with findings, in their order.
    public private(set) var findings: [VerdictGrid.Entry] = []
    private var counts: [String: Int] = [:]

    public init() {}

    /// The result of an earlier campaign.
    public init(
        runCount: Int, outcomes: [Outcome: Int], stepCount: Int, kept: [[UInt8]], findings: [VerdictGrid.Entry]
    ) {
        self.init()
        for entry in findings { add(entry) }
        (self.runCount, self.outcomes, self.stepCount, self.kept) = (runCount, outcomes, stepCount, kept)
    }

    public mutating func add(_ entry: VerdictGrid.Entry) {
        runCount += 1
        if let outcome = entry.outcome { outcomes[outcome, default: 0] += 1 }
        guard let cause = entry.cause else { return }
        counts[cause, default: 0] += 1
        if counts[cause, default: 0] <= Self.mostOfCause { findings.append(entry) }
    }

    /// Adds a simpler run of a cause, which is no further one.
    public mutating func add(simpler entry: VerdictGrid.Entry) { findings.append(entry) }
}
