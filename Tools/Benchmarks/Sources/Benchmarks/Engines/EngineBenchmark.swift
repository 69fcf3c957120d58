import Meters

/// Times the engines against cards in plain C.
enum EngineBenchmark {
    /// How long a contestant runs in a round, in nanoseconds.
    private static let sampleTime = 2e7
    /// What an exchange may take, in time and in instructions, as a multiple of C.
    static let goal = Goal.atMost(2.5)

    static func measure(into report: Report) throws {
        report.begin("Time of an exchange on spans ÷ C, median of \(Stopwatch.roundCount) rounds")
        for workload in try Workload.all() {
            try workload.checkAnswers()
            try compare(workload, report)
        }
    }

    private static func compare(_ workload: Workload, _ report: Report) throws {
        var stopwatch = Stopwatch(sampleTime: sampleTime)
        // One floor twice, not two: the place of their memory can differ by more than noise.
        let floor = timed(try workload.runner(.floor))
        let runs = [floor, floor, timed(try workload.runner(.spans))]
        guard let result = stopwatch.compare(runs) else {
            return report.addVoid(workload.title, Stopwatch.noise)
        }
        let nanoseconds = Table.number(result.nanoseconds / Double(workload.frames.count))
        let row = Row(
            name: "\(workload.title) ÷ C", goal: goal, value: result.ratios[2],
            remark: "C \(nanoseconds) ns, C ÷ C \(Table.number(result.ratios[1]))")
        report.add(row) { Callgrind.shared?.profile(workload, .spans) ?? [Callgrind.absence] }
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
