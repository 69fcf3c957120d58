#if os(Linux)
    import Meters

    /// One private PC/SC service with more and more clients at once: what an exchange costs it of the processor.
    ///
    /// Beside it stands a service in C on the same kind of socket, with a thread for each client: what grows there is the
    /// system's.
    enum ClientGrowth {
        private static let sizes = [1, 2, 4, 8, 16, 32, 64]
        /// Exchanges of one round for all clients together; each client has its share of them.
        private static let exchangesPerRound = 64

        static func measure(into report: Report) throws {
            guard let workload = try DoorWorkload.all().last else { fail("there is no workload for doors") }
            let services = try ServicePair(workload)
            let growth = GrowthBenchmark.Growth(
                name: "clients at once, processor time", sizes: sizes,
                runs: try runs(workload, services.reader, services.socket),
                floorRuns: try runs(workload, services.reader, services.floorSocket), sampleTime: 5e7)
            withExtendedLifetime(services) { growth.measure(into: report) }
        }

        /// Starts clients of a service; each run lets some of them have exchanges.
        private static func runs(_ workload: DoorWorkload, _ reader: String, _ socket: String) throws -> [TimedRun] {
            let clients = try (0..<sizes[sizes.count - 1]).map { _ in
                try DoorClient(workload.command, reader: reader, socket: socket)
            }
            return sizes.map { size in
                { rounds in processorTime(of: clients.prefix(size), exchangesPerRound * rounds) }
            }
        }

        /// Lets clients have a number of exchanges together, all at once.
        ///
        /// - Returns: Nanoseconds of the processor that this process took, in which the service is, without this thread,
        ///   which tells the clients to begin.
        private static func processorTime(of clients: ArraySlice<DoorClient>, _ exchanges: Int) -> Double {
            let start = process_nanoseconds() - thread_nanoseconds()
            for client in clients { client.begin(exchanges / clients.count) }
            for client in clients { client.awaitEnd() }
            return process_nanoseconds() - thread_nanoseconds() - start
        }
    }
#endif
