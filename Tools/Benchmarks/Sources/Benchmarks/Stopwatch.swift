import Foundation
import TapCards

/// Runs a contestant for a number of rounds and returns the nanoseconds that they took.
typealias TimedRun = (_ rounds: Int) -> Double

func nanoseconds(_ clock: clockid_t) -> Double {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return 1e9 * Double(now.tv_sec) + Double(now.tv_nsec)
}

/// Compares the time of contestants: each runs in each round, in random order, and each ratio is taken within a round.
struct Stopwatch {
    static let roundCount = 21

    /// The minimum time that a contestant runs in a round, in nanoseconds.
    let sampleTime: Double
    var order = SeededGenerator(seed: 2)

    /// Measures a contestant against plain C, which runs twice: if C ÷ C is not within 5 % of 1, the machine is too busy.
    mutating func row(
        _ name: String, goal: Double, floor: @escaping TimedRun, ours: @escaping TimedRun,
        remark: (_ nanosecondsOfFloor: Double) -> String
    ) -> Row {
        var row = Row(name: "\(name) ÷ C", goal: goal, value: nil, remark: "the machine is too busy to measure")
        let contestants = [floor, floor, ours]
        let rounds = contestants.map(roundsOfSample)
        for _ in 0..<5 {
            let (nanoseconds, ratios) = compare(contestants, rounds)
            guard (0.95...1.05).contains(ratios[1]) else { continue }
            row.value = ratios[2]
            row.remark = "\(remark(nanoseconds)), C ÷ C \(text(ratios[1]))"
            break
        }
        return row
    }

    /// Returns the median time of the first contestant, and the median ratio of each contestant to the first.
    private mutating func compare(_ contestants: [TimedRun], _ rounds: [Int]) -> (Double, [Double]) {
        var ratios: [[Double]] = contestants.map { _ in [] }
        var firstTimes: [Double] = []
        for _ in 0..<Self.roundCount {
            var times = contestants.map { _ in 0.0 }
            for place in contestants.indices.shuffled(using: &order) {
                times[place] = contestants[place](rounds[place]) / Double(rounds[place])
            }
            for place in times.indices { ratios[place].append(times[place] / times[0]) }
            firstTimes.append(times[0])
        }
        return (Self.median(firstTimes), ratios.map(Self.median))
    }

    /// The number of rounds that fill a sample, found by doubling, which also warms up.
    private func roundsOfSample(_ run: TimedRun) -> Int {
        var rounds = 1
        while run(rounds) < sampleTime { rounds *= 2 }
        return rounds
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
