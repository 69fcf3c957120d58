import Foundation
import Meters
import TapCards
import TapField
import TapWire

/// Measures the engines against cards in plain C.
enum EngineBenchmark {
    /// The most that an exchange may take, in time and in instructions, as a multiple of C.
    private static let goal = 2.5
    private static let sampleTime = 2e7

    static func measureTime(_ report: Report) throws {
        report.begin("Time of an exchange, median of \(Stopwatch.roundCount) rounds")
        for workload in try Workload.all() {
            workload.checkAnswers()
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            let (floor, ours) = (workload.runner(.floor), workload.runner(.spans))
            let row = stopwatch.row(workload.title, goal: goal, floor: timed(floor), ours: timed(ours)) {
                "C \(text($0 / Double(workload.frames.count))) ns"
            }
            report.add(row)
        }
    }

    /// Measures the values that do not vary with noise and so can be a gate.
    static func count(_ report: Report) throws {
        try countInstructions(report)
        try countAllocations(report)
        try countTrace(report)
    }

    private static func countInstructions(_ report: Report) throws {
        report.begin("Instructions of an exchange")
        let counts = try Callgrind()
        for workload in try Workload.all() {
            workload.checkAnswers()
            let (floor, ours) = (counts.instructions(workload, .floor), counts.instructions(workload, .spans))
            let row = Row(
                name: "\(workload.title) ÷ C", goal: goal, value: ours / floor,
                remark: "C \(text(floor)), ours \(text(ours))")
            report.add(row) {
                ["callgrind_annotate reads where they are spent from the files in \(counts.folder.path)"]
            }
        }
    }

    private static func countAllocations(_ report: Report) throws {
        report.begin("Allocations of an exchange, all commands")
        let counts = try AllocationCounts()
        for (name, goal, count) in [("spans", 0.0, \AllocationCounts.Line.onSpans), ("arrays", 1, \.onArrays)] {
            let title = "most allocations of one of \(counts.lines.count) cases on \(name)"
            report.add(Row(name: title, goal: goal, value: counts.lines.map { $0[keyPath: count] }.max())) {
                counts.lines.filter { $0[keyPath: count] > goal }.map { "\($0.name): \($0[keyPath: count])" }
            }
        }
    }

    /// Measures the memory that a world needs for a trace of reads of one block.
    private static func countTrace(_ report: Report) throws {
        report.begin("Memory of a trace")
        var world = BenchmarkCards.world(try FeliCaCard(BenchmarkCards.transit), trace: Trace())
        let read = RFFrame(.felica212, BenchmarkCards.readOfOneBlock)
        let before = bytes_in_use()
        for _ in 0..<100_000 { _ = world.exchange(read, waiting: nil) }
        let bytes = withExtendedLifetime(world) { Double(bytes_in_use()) - Double(before) }
        report.add(Row(name: "a trace of 100,000 exchanges, MiB", goal: 32, value: bytes / 1_048_576))
    }

    private static func timed(_ run: @escaping Runner) -> TimedRun {
        { rounds in
            let start = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
            _ = run(rounds)
            return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start
        }
    }
}
