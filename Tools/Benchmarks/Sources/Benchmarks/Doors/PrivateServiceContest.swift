#if os(Linux)
    import Foundation
    import TapDoors

    /// Our service in the place of pcscd against one in C that knows one answer, on the same kind of socket.
    struct PrivateServiceContest {
        private static let goal = Goal.atMost(1.15)
        let workload: DoorWorkload

        init(_ workload: DoorWorkload) {
            self.workload = workload
        }

        func measure(into report: Report) throws {
            let host = workload.host()
            let door = try PCSCDoor(host: host, readers: [workload.reader])
            let floorSocket = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
            defer {
                door.close()
                host.close()
                unsafe unlink(floorSocket)
            }
            let (reader, socket) = door.place
            let client = try DoorClient(workload.command, reader: reader, socket: socket)
            FloorCard(answer: workload.answer).serve(socket: floorSocket)
            let floor = try DoorClient(workload.command, reader: reader, socket: floorSocket)
            DoorBenchmark.compare(
                "private service: \(workload.title)", floor: floor, door: client, goal: Self.goal, report)
        }
    }
#endif
