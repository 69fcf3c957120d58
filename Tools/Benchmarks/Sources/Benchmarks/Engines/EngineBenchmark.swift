import Meters

/// Times the engines against cards in plain C.
enum EngineBenchmark {
    /// How long a contestant runs in a round, in nanoseconds.
    private static let sampleTime = 2e7
    /// What frames with CRC shall take; the C has the fastest checksums of the processor.
    private static let goalOnAir = Goal.atMost(1.8)

    static func measure(into report: Report) throws {
        report.begin("Time of an exchange on spans ÷ C, median of \(Stopwatch.roundCount) rounds")
        for workload in try Workload.all() {
            try workload.checkAnswers()
            try compare(workload, .spans, with: .floor, workload.timeGoal, "", report)
        }
    }

    static func measureOnAir(into report: Report) throws {
        report.begin("The same with CRC checked and added, median of \(Stopwatch.roundCount) rounds")
        for workload in try Workload.all() {
            try workload.checkAnswers()
            try compare(workload, .spansOnAir, with: .floorOnAir, goalOnAir, " with CRC", report)
        }
        try CountBenchmark.measureOnAir(into: report)
    }

    private static func compare(
        _ workload: Workload, _ contestant: Contestant, with floor: Contestant, _ goal: Goal, _ addition: String,
        _ report: Report
    ) throws {
        var stopwatch = Stopwatch(sampleTime: sampleTime)
        // One floor twice, not two: where their memory lies can make a difference of more than what is noise.
        let floor = timed(try workload.runner(floor))
        let runs = [floor, floor, timed(try workload.runner(contestant))]
        guard let result = stopwatch.compare(runs) else {
            return report.addVoid(workload.title + addition, Stopwatch.noise)
        }
        let nanoseconds = Table.number(result.nanoseconds / Double(workload.frames.count))
        let row = Row(
            name: "\(workload.title)\(addition) ÷ C", goal: goal, value: result.ratios[2],
            remark: "C \(nanoseconds) ns, C ÷ C \(Table.number(result.ratios[1]))")
        report.add(row) { Callgrind.shared?.profile(workload, contestant) ?? [Callgrind.absence] }
    }

    /// Runs a workload by the clock of this thread.
    static func timed(_ run: @escaping Runner) -> TimedRun {
        { rounds in
            let start = thread_nanoseconds()
            _ = run(rounds)
            return thread_nanoseconds() - start
        }
    }
}
