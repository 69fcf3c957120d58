/// A world whose trace becomes longer and longer: runs of more and more exchanges, each into a trace of its own.
enum TraceGrowth {
    private static let sizes = [1, 10, 100, 1_000, 10_000, 100_000]
    /// Exchanges of every run, so that the times are those of as many.
    private static let exchanges = 100_000

    static func growth() throws -> GrowthBenchmark.Growth {
        guard let workload = try Workload.all().first(where: { $0.name == "W2" }) else { fail("there is no W2") }
        let runs: [TimedRun] = try sizes.map { size in
            var runner = try WorldRunner(workload)
            return { runner.time(size, times: $0 * (exchanges / size)) }
        }
        return GrowthBenchmark.Growth(name: "exchanges in a trace", sizes: sizes, runs: runs, sampleTime: 1)
    }
}
