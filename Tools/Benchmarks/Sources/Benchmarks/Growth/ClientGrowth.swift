#if os(Linux)
    import Meters
    import TapDoors

    /// One private PC/SC service with more and more clients at once: what an exchange costs it of the processor.
    enum ClientGrowth {
        private static let sizes = [1, 2, 4, 8, 16, 32, 64]
        /// Exchanges of one round for all clients together; each client has its share of them.
        private static let exchangesPerRound = 64

        static func measure(into report: Report) throws {
            guard let workload = try DoorWorkload.all().last else { fail("there is no workload for doors") }
            let host = workload.host()
            let door = try PCSCDoor(host: host, readers: [workload.reader])
            defer {
                door.close()
                host.close()
            }
            let (reader, socket) = door.place
            let clients = try (0..<sizes[sizes.count - 1]).map { _ in
                try DoorClient(workload.command, reader: reader, socket: socket)
            }
            let runs: [TimedRun] = sizes.map { size in
                { rounds in processorTime(of: clients.prefix(size), exchangesPerRound * rounds) }
            }
            GrowthBenchmark.Growth(name: "clients at once", sizes: sizes, runs: runs, sampleTime: 2e7)
                .measure(into: report)
        }

        /// Lets clients have a number of exchanges together, all at once.
        ///
        /// - Returns: Nanoseconds of the processor that this process took, in which the service is.
        private static func processorTime(of clients: ArraySlice<DoorClient>, _ exchanges: Int) -> Double {
            let start = process_nanoseconds()
            for client in clients { client.begin(exchanges / clients.count) }
            for client in clients { client.awaitEnd() }
            return process_nanoseconds() - start
        }
    }
#endif
