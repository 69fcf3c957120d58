import TapCards

/// Runs a contestant some rounds and says how many nanoseconds they took.
typealias TimedRun = (_ rounds: Int) -> Double

/// Times contestants: all of them again in each round, in drawn order, ratios taken inside the round, medians.
struct Stopwatch {
    /// Rounds of a measurement.
    static let roundCount = 21
    /// Why a measurement is void.
    static let noise = "C against itself should be 1; the machine is too busy to measure"

    /// What came out, in the order of the contestants.
    struct Comparison {
        /// Nanoseconds of one round of the first.
        let nanoseconds: Double
        /// Time of each as a multiple of the first's.
        let ratios: [Double]
    }

    /// How often contestants are compared until the machine was quiet.
    private static let tries = 5

    /// How long a contestant runs in a round, in nanoseconds.
    let sampleTime: Double
    private var order = SeededGenerator(seed: 2)

    init(sampleTime: Double) {
        self.sampleTime = sampleTime
    }

    /// Compares contestants of which the first two are the same.
    ///
    /// - Returns: What came out when these two took the same time; nil if they never did, which voids it.
    mutating func compare(_ contestants: [TimedRun]) -> Comparison? {
        let rounds = contestants.map(roundsOfSample)
        for _ in 0..<Self.tries {
            let comparison = compareOnce(contestants, rounds)
            if Self.isQuiet(comparison.ratios[1]) { return comparison }
        }
        return nil
    }

    private mutating func compareOnce(_ contestants: [TimedRun], _ rounds: [Int]) -> Comparison {
        var ratios: [[Double]] = contestants.map { _ in [] }
        var firstTimes: [Double] = []
        for _ in 0..<Self.roundCount {
            var times = contestants.map { _ in 0.0 }
            for place in shuffled(contestants.count) {
                times[place] = contestants[place](rounds[place]) / Double(rounds[place])
            }
            for place in times.indices { ratios[place].append(times[place] / times[0]) }
            firstTimes.append(times[0])
        }
        return Comparison(nanoseconds: Self.median(firstTimes), ratios: ratios.map(Self.median))
    }

    /// As many rounds as fill a sample, found by doubling, which warms up as well.
    private func roundsOfSample(_ run: TimedRun) -> Int {
        var rounds = 1
        while run(rounds) < sampleTime { rounds *= 2 }
        return rounds
    }

    private mutating func shuffled(_ count: Int) -> [Int] {
        var places = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { places.swapAt(last, order.next(below: last + 1)) }
        return places
    }

    static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// Whether a floor that is timed twice is as fast as itself.
    private static func isQuiet(_ same: Double) -> Bool { (0.95...1.05).contains(same) }
}
