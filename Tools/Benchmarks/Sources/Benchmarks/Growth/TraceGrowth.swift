/// A world whose trace becomes longer and longer: runs of more and more exchanges, each into a trace of its own.
enum TraceGrowth {
    private static let sizes = [1, 10, 100, 1_000, 10_000, 100_000]
    /// Exchanges of every run, so that the times are those of as many.
    private static let exchanges = 100_000

    /// The sizes of which instructions are counted: a trace of its own for each exchange, and one for many.
    static let countedSizes = [1, 100]

    static func growth() throws -> GrowthBenchmark.Growth {
        let runs: [TimedRun] = try sizes.map { size in
            let run = try self.run(size)
            return { run($0 * exchanges) }
        }
        return GrowthBenchmark.Growth(
            name: "exchanges in a trace", sizes: sizes, runs: runs, sampleTime: 1,
            reason: { Callgrind.shared?.growthOfTrace() ?? [Callgrind.absence] })
    }

    /// Runs a number of exchanges into traces of one size, and tells how many nanoseconds that took.
    static func run(_ size: Int) throws -> (_ exchanges: Int) -> Double {
        guard let workload = try Workload.all().first(where: { $0.name == "W2" }) else { fail("there is no W2") }
        var runner = try WorldRunner(workload)
        return { runner.time(size, times: $0 / size) }
    }
}
