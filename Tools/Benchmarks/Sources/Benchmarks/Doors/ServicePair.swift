#if os(Linux)
    import Foundation
    import TapDoors
    import TapHost

    /// Our service in the place of pcscd, and one in C that knows one answer, on the same kind of socket.
    final class ServicePair {
        /// The reader in which the card of our service lies; that in C has every reader.
        let reader: String
        /// The socket of our service.
        let socket: String
        /// The socket of the service in C, which lasts as long as this process.
        let floorSocket = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
        private let host: FieldHost
        private let door: PCSCDoor

        /// Opens both, with the card and the answer of a workload.
        init(_ workload: DoorWorkload) throws {
            host = workload.host()
            door = try PCSCDoor(host: host, readers: [workload.reader])
            (reader, socket) = door.place
            FloorCard(answer: workload.answer).serve(socket: floorSocket)
        }

        deinit {
            door.close()
            host.close()
            unsafe unlink(floorSocket)
        }
    }
#endif
