import TapCards
import TapScenario

/// The second phase of fuzzing: pairs of faults, then arbitrary combinations, guided by what the client did.
///
/// In between come the edits that set bytes in headers to their bounds, one at a time in random order.
///
/// A run in which the client takes a new step is kept and mutated in turn. Runs come in batches, and only the next batch uses
/// what a batch has learned, so the runs are the same however many execute in parallel.
public struct GuidedPhase: Sendable {
    private static let smallestBatch = 32
    /// The maximum number of runs that combine two faults, each of which had led to a new step.
    private static let mostPairs = 256
    /// The maximum number of runs kept for mutation.
    private static let mostKept = 4_096
    /// The maximum number of draws for one batch, including runs that were performed before.
    private static let mostDraws = 10_000

    private let space: FuzzSpace
    private let largestBatch: Int
    private var random: SeededGenerator
    private var kept: [[UInt8]] = []
    private var steps: Set<Transition> = []
    private var names: Set<String> = []
    private var pairs: [[UInt8]]?
    private var edits: [[UInt8]] = []
    private var isTurnOfEdit = false
    /// The choices of the runs in the last batch, by run name.
    private var batch: [String: [UInt8]] = [:]

    /// - Parameters:
    ///   - label: The part of the work, so that machines draw different runs from one seed.
    ///   - largestBatch: The maximum size of a batch, which grows with the number of kept runs. For parallel runs, a large
    ///     batch waits less for its slowest run; for sequential runs, each run should guide the next.
    public init(_ space: FuzzSpace, seed: UInt64, _ label: String, largestBatch: Int = 32) {
        self.space = space
        self.largestBatch = largestBatch
        random = SeededGenerator(seed: seed).fork("guided \(label)")
        edits = space.preferredEdits
    }

    public var stepCount: Int { steps.count }

    /// Records a run of the systematic phase or of the last batch.
    ///
    /// - Parameter taken: The steps of the client; `nil` for a run of an earlier campaign, which may have led anywhere.
    public mutating func learn(_ run: FuzzRun, _ taken: Set<Transition>?) {
        names.insert(run.name)
        guard let bytes = batch[run.name] ?? space.bytes(of: run) else { return }
        if let taken { keep(bytes, taken) } else if kept.count < Self.mostKept { kept.append(bytes) }
    }

    /// Continues a guided phase of an earlier campaign, with other runs than it began with.
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

    /// Returns the next runs to perform; empty if nothing new is left.
    public mutating func next() -> [FuzzRun] {
        var runs: [FuzzRun] = []
        batch = [:]
        let size = min(max(kept.count, Self.smallestBatch), largestBatch)
        var draws = 0
        while runs.count < size, draws < Self.mostDraws, !space.isEmpty {
            draws += 1
            // Longer rows would be drawn and mutated, but never used.
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

    private mutating func drawPairs() -> [[UInt8]] {
        guard kept.count > 1 else { return [] }
        return (0..<min(Self.mostPairs, kept.count * (kept.count - 1))).map { _ in
            let first = random.next(below: kept.count)
            let distance = 1 + random.next(below: kept.count - 1)
            return kept[first] + kept[(first + distance) % kept.count]
        }
    }

    private mutating func fault() -> [UInt8] {
        (0..<FuzzSpace.bytesPerFault).map { _ in byte() }
    }

    private mutating func byte() -> UInt8 { UInt8(random.next(below: 256)) }

    /// Mutates a row: changes a choice, adds or removes a fault, or appends the faults of another run.
    private mutating func change(_ bytes: inout [UInt8]) {
        let count = bytes.count / FuzzSpace.bytesPerFault
        switch random.next(below: 6) {
        case 0 where count < FuzzSpace.maximumFaults: bytes += fault()
        case 1 where count > 1:
            let start = random.next(below: count) * FuzzSpace.bytesPerFault
            bytes.removeSubrange(start..<start + FuzzSpace.bytesPerFault)
        case 2: bytes += kept[random.next(below: kept.count)]
        case 3:
            // A nearby choice: an adjacent place, fault or value.
            let index = random.next(below: bytes.count)
            bytes[index] = bytes[index] &+ (random.next(below: 2) == 0 ? 1 : 0xFF)
        default: bytes[random.next(below: bytes.count)] = byte()
        }
    }
}

extension GuidedPhase {
    /// Performs runs, a batch at a time, until the campaign is over or nothing new is left to try.
    ///
    /// - Parameters:
    ///   - known: Causes that were found earlier; their findings need no confirmation.
    ///   - result: The result of other runs.
    ///   - count: The maximum number of runs.
    ///   - make: Performs runs and returns their results in order; it receives the causes known so far.
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

public struct GuidedResult: Hashable, Sendable {
    static let mostOfCause = 100

    public private(set) var runCount = 0
    /// The number of runs per outcome.
    public private(set) var outcomes: [Outcome: Int] = [:]
    /// The number of runs in which not every fault was injected.
    public var notReached: Int { runCount - outcomes.values.reduce(0, +) }
    public var stepCount = 0
    /// The choices of the runs that led to a new step, one row each, for a campaign that resumes.
    public fileprivate(set) var kept: [[UInt8]] = []
    public private(set) var findings: [VerdictGrid.Entry] = []
    private var counts: [String: Int] = [:]

    public init() {}

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

    /// Adds a simpler run of a known cause, which does not count as another run.
    public mutating func add(simpler entry: VerdictGrid.Entry) { findings.append(entry) }

    func changingFindings(_ change: ([VerdictGrid.Entry]) -> [VerdictGrid.Entry]) -> GuidedResult {
        var result = self
        result.findings = change(findings)
        return result
    }
}
