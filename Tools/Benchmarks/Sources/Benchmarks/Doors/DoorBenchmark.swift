#if os(Linux)
    import Meters
#endif

/// Measures doors; client and server share one processor.
enum DoorBenchmark {
    static func measure(into report: Report) throws {
        #if os(Linux)
            report.begin("Round trip through a door ÷ a C server, median of \(Stopwatch.roundCount) rounds")
            let workloads = try DoorWorkload.all()
            for contest in try LineContest.all() { try contest.measure(into: report) }
            for workload in workloads { try PrivateServiceContest(workload).measure(into: report) }
            try PseudoTerminalContest().measure(into: report)
            try USBContest().measure(into: report)
            for workload in workloads { try SystemServiceContest(workload).measure(into: report) }
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
        static let sampleTime = 5e7
        /// What a round trip may take, as a multiple of that through a server in C.
        private static let goal = Goal.atMost(1.15)
        /// Round trips in a profile of the server.
        private static let profileRounds = 20_000

        /// Compares two clients, one of the floor and one of the door.
        ///
        /// - Parameter profile: Says where the time goes if the goal is missed.
        static func compare(
            _ title: String, floor: DoorClient, door: DoorClient, _ report: Report,
            profile: () -> [String] = { [] }
        ) {
            guard floor.answer == door.answer else { fail("\(title): the floor answers otherwise than the door") }
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            guard let result = stopwatch.compare([floor.time, floor.time, door.time]) else {
                return report.addVoid(title, Stopwatch.noise)
            }
            let remark =
                "C \(Table.number(result.nanoseconds / 1_000)) µs, C ÷ C \(Table.number(result.ratios[1]))"
            report.add(Row(name: "\(title) ÷ C", goal: goal, value: result.ratios[2], remark: remark)) {
                let times = [door, floor].map { Table.number(work(for: $0)) }
                return ["our server works \(times[0]) µs of a round trip, that in C \(times[1]) µs"] + profile()
            }
        }

        /// Microseconds this process, in which the servers run, works for a round trip.
        static func work(for client: DoorClient) -> Double {
            let start = process_nanoseconds()
            _ = client.time(profileRounds)
            return (process_nanoseconds() - start) / Double(profileRounds) / 1_000
        }
    }
#endif
