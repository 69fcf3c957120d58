#if os(Linux)
    import Meters

    /// Measures the doors of PC/SC; client and server share one processor.
    enum DoorBenchmark {
        /// How long a contestant runs in a round, in nanoseconds.
        private static let sampleTime = 5e7
        private static let widths = [52, 10, 8, 8, 8]

        static func run() throws {
            guard stay_on_one_processor() else { fail("the system does not bind this process to a processor", code: 3) }
            printLine(["SCardTransmit ÷ C, median of \(Stopwatch.roundCount)", "C µs", "C", "ours", "goal"], "")
            for workload in try DoorWorkload.all() { try PrivateServiceContest(workload).measure() }
            for workload in try DoorWorkload.all() { try SystemServiceContest(workload).measure() }
            print()
            printLine(["Seen by a client that waits, median of \(PresenceDelay.count)", "", "", "ms", "goal"], "")
            try PresenceDelay().measure()
        }

        /// Compares two clients, one of the floor and one of the door, and prints what came out.
        static func compare(_ title: String, floor: DoorClient, door: DoorClient, goal: Double) {
            guard floor.answer == door.answer else { fail("\(title): the floor answers otherwise than the door") }
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            let result = stopwatch.compare([floor.time, floor.time, door.time])
            let numbers = [result.nanoseconds / 1_000, result.ratios[1], result.ratios[2], goal].map(Table.number)
            let state = result.ratios[2] <= goal ? "met" : "missed"
            printLine(
                [title] + numbers,
                Stopwatch.isQuiet(result.ratios[1]) ? state : "void: C against itself should be 1")
        }

        static func printLine(_ cells: [String], _ state: String) {
            print(Table.line(cells, widths: widths) + "  " + state)
        }
    }
#endif
