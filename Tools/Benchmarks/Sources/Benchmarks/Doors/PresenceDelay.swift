#if os(Linux)
    import Glibc
    import Meters
    import TapDoors
    import TapField

    /// How long it takes a client in SCardGetStatusChange to hear that a card has come or gone.
    struct PresenceDelay {
        /// Cards that come and go.
        static let count = 101
        /// Milliseconds.
        private static let goal = Goal.atMost(2)
        /// Time in which the client begins to wait again.
        private static let restMicroseconds: UInt32 = 5_000

        func measure(into report: Report) throws {
            let workload = try DoorWorkload.all()[0]
            let host = workload.host(isPresent: false)
            let door = try PCSCDoor(host: host, readers: [workload.reader])
            defer {
                door.close()
                host.close()
            }
            let (reader, socket) = door.place
            let watcher = try DoorClient.watcher(of: reader, socket: socket)
            _ = watcher.nextLine()
            var delays: (insertions: [Double], removals: [Double]) = ([], [])
            for _ in 0..<Self.count {
                delays.insertions.append(delay(watcher) { host.perform { $0.tap(DoorWorkload.card) } })
                delays.removals.append(delay(watcher) { host.perform { $0.remove(DoorWorkload.card) } })
            }
            for (event, delays) in [("insertion", delays.insertions), ("removal", delays.removals)] {
                report.add(
                    Row(
                        name: "private service: \(event), ms", goal: Self.goal, value: Stopwatch.median(delays))
                ) {
                    let sorted = delays.sorted()
                    let (short, long) = (Table.number(sorted[0]), Table.number(sorted[sorted.count - 1]))
                    return ["the shortest took \(short) ms, the longest \(long) ms"]
                }
            }
        }

        /// Milliseconds from a change until the watcher has seen it.
        private func delay(_ watcher: Child, of change: () -> Void) -> Double {
            watcher.tell("again")
            usleep(Self.restMicroseconds)
            let start = monotonic_nanoseconds()
            change()
            guard let end = Double(watcher.nextLine()) else { fail("the watcher tells no time", code: 3) }
            guard end >= start else { fail("the watcher tells of a change before it was made") }
            return (end - start) / 1e6
        }
    }
#endif
