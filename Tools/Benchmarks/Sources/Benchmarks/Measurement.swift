import Meters
import TapCards

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

/// Measures workloads: all contestants again in each round, in drawn order, ratios taken inside the round, medians.
struct Stopwatch {
    /// Rounds of a measurement.
    static let roundCount = 21
    /// How long a contestant runs in a round, in nanoseconds.
    static let sampleTime = 5e6

    private var order = SeededGenerator(seed: 2)

    mutating func measure(_ workload: Workload) throws -> Measurement {
        let contestants: [Contestant] = [.floor, .floor, .spans, .arrays]
        let runners = try contestants.map { try workload.runner($0) }
        let rounds = runners.map(roundsOfSample)
        var ratios: [[Double]] = contestants.map { _ in [] }
        var floorTimes: [Double] = []
        for _ in 0..<Self.roundCount {
            var times = contestants.map { _ in 0.0 }
            for place in shuffled(contestants.count) {
                times[place] = time(runners[place], rounds[place]) / Double(rounds[place])
            }
            for place in times.indices { ratios[place].append(times[place] / times[0]) }
            floorTimes.append(times[0] / Double(workload.frames.count))
        }
        let allocations = runners.map { allocationsPerExchange($0, workload) }
        return Measurement(
            floorNanoseconds: median(floorTimes), spans: median(ratios[2]), arrays: median(ratios[3]),
            same: median(ratios[1]), spanAllocations: allocations[2], arrayAllocations: allocations[3])
    }

    /// As many rounds as fill a sample, found by doubling, which warms up as well.
    private func roundsOfSample(_ run: Runner) -> Int {
        var rounds = 1
        while time(run, rounds) < Self.sampleTime { rounds *= 2 }
        return rounds
    }

    private func time(_ run: Runner, _ rounds: Int) -> Double {
        let start = thread_nanoseconds()
        _ = run(rounds)
        return thread_nanoseconds() - start
    }

    private func allocationsPerExchange(_ run: Runner, _ workload: Workload) -> Double {
        let rounds = 100
        let before = allocation_count()
        _ = run(rounds)
        return Double(allocation_count() - before) / Double(rounds * workload.frames.count)
    }

    private mutating func shuffled(_ count: Int) -> [Int] {
        var places = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { places.swapAt(last, order.next(below: last + 1)) }
        return places
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
