import Meters

/// What a workload costs each contestant.
struct Measurement {
    /// Nanoseconds an exchange takes the floor; only good to see how quiet the machine is.
    let floorNanoseconds: Double
    /// Time of the engine called with spans as a multiple of the floor's.
    let spans: Double
    /// Time of the engine called with arrays as a multiple of the floor's.
    let arrays: Double
    /// Time of the floor as a multiple of its own: what noise does.
    let same: Double
    /// Allocations an exchange takes the engine called with spans.
    let spanAllocations: Double
    /// Allocations an exchange takes the engine called with arrays.
    let arrayAllocations: Double
}

extension Workload {
    /// Measures the engine against the floor.
    func measure(_ stopwatch: inout Stopwatch) throws -> Measurement {
        let contestants: [Contestant] = [.floor, .floor, .spans, .arrays]
        let runners = try contestants.map(runner)
        let comparison = stopwatch.compare(runners.map { run in { rounds in Self.time(run, rounds) } })
        let allocations = runners.map(allocationsPerExchange)
        return Measurement(
            floorNanoseconds: comparison.nanoseconds / Double(frames.count), spans: comparison.ratios[2],
            arrays: comparison.ratios[3], same: comparison.ratios[1], spanAllocations: allocations[2],
            arrayAllocations: allocations[3])
    }

    private static func time(_ run: Runner, _ rounds: Int) -> Double {
        let start = thread_nanoseconds()
        _ = run(rounds)
        return thread_nanoseconds() - start
    }

    private func allocationsPerExchange(_ run: Runner) -> Double {
        let rounds = 100
        let before = allocation_count()
        _ = run(rounds)
        return Double(allocation_count() - before) / Double(rounds * frames.count)
    }
}
