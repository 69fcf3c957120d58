/// Measures doors; client and server share one processor.
enum DoorBenchmark {
    static func measure(into report: Report) throws {
        #if os(Linux)
            report.begin("Round trip through a door ÷ a C server, median of \(Stopwatch.roundCount) rounds")
            for workload in try DoorWorkload.all() { try PrivateServiceContest(workload).measure(into: report) }
            for workload in try DoorWorkload.all() { try SystemServiceContest(workload).measure(into: report) }
            report.begin("Seen by a client that waits, median of \(PresenceDelay.count)")
            try PresenceDelay().measure(into: report)
        #else
            report.addVoid("doors", "they can only be measured on Linux")
        #endif
    }
}

#if os(Linux)
    extension DoorBenchmark {
        /// How long a contestant runs in a round, in nanoseconds.
        private static let sampleTime = 5e7

        /// Compares two clients, one of the floor and one of the door.
        static func compare(_ title: String, floor: DoorClient, door: DoorClient, goal: Goal, _ report: Report) {
            guard floor.answer == door.answer else { fail("\(title): the floor answers otherwise than the door") }
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            guard let result = stopwatch.compare([floor.time, floor.time, door.time]) else {
                return report.addVoid(title, Stopwatch.noise)
            }
            let remark =
                "C \(Table.number(result.nanoseconds / 1_000)) µs, C ÷ C \(Table.number(result.ratios[1]))"
            report.add(Row(name: "\(title) ÷ C", goal: goal, value: result.ratios[2], remark: remark))
        }
    }
#endif
