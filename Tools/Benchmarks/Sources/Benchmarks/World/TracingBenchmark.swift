import TapField

/// Measures what it costs a world to keep a trace.
enum TracingBenchmark {
    /// How long a contestant runs in a round, in nanoseconds.
    private static let sampleTime = 5e6
    private static let goal = Goal.atMost(10)
    /// The names of the workloads measured.
    private static let names: Set = ["W1", "W2"]

    static func measure(into report: Report) throws {
        report.begin("Exchange of a world that keeps a trace ÷ without, median of \(Stopwatch.roundCount) rounds")
        for workload in try Workload.all() where names.contains(workload.name) {
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            let runs: [TimedRun] = try [Trace.off, .off, Trace()].map { trace in
                var runner = try WorldRunner(workload)
                return { runner.time($0, trace: trace) }
            }
            guard let result = stopwatch.compare(runs) else {
                report.addVoid("\(workload.title), traced", Stopwatch.noise)
                continue
            }
            let nanoseconds = Table.number(result.nanoseconds / Double(workload.frames.count))
            report.add(
                Row(
                    name: "\(workload.title): traced ÷ untraced", goal: goal, value: result.ratios[2],
                    remark: "untraced \(nanoseconds) ns")
            ) {
                [("untraced", runs[1]), ("traced", runs[2])].map { who, run in
                    Usage.line("\(who), a thousand rounds") { _ = run(1_000 * $0) }
                }
            }
        }
    }
}
