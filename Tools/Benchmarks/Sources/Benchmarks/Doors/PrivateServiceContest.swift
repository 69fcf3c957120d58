#if os(Linux)
    /// Our service in the place of pcscd against one in C that knows one answer, on the same kind of socket.
    struct PrivateServiceContest {
        let workload: DoorWorkload

        init(_ workload: DoorWorkload) {
            self.workload = workload
        }

        func measure(into report: Report) throws {
            let services = try ServicePair(workload)
            let client = try DoorClient(workload.command, reader: services.reader, socket: services.socket)
            let floor = try DoorClient(workload.command, reader: services.reader, socket: services.floorSocket)
            withExtendedLifetime(services) {
                DoorBenchmark.compare(
                    "private service: \(workload.title)", floor: floor, door: client, report)
            }
        }
    }
#endif
