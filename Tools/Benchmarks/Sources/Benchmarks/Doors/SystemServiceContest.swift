#if os(Linux)
    import TapDoors
    import TapReaders

    /// Our card in a slot of pcscd against one in C that knows one answer, in another slot of the same pcscd.
    struct SystemServiceContest {
        let workload: DoorWorkload

        init(_ workload: DoorWorkload) {
            self.workload = workload
        }

        func measure(into report: Report) throws {
            let pcscd = try Pcscd(readers: ["Ours", "Floor"])
            let host = workload.host()
            let slot = ReaderSlot(workload.reader, on: host)
            let (ours, floors) = (pcscd.readers[0], pcscd.readers[1])
            let door = try VpcdDoor(slot, on: host, port: ours.port)
            defer {
                door.close()
                host.close()
            }
            let client = try DoorClient(workload.command, reader: ours.name, socket: pcscd.socket)
            guard case .card(let card) = slot.current.content else { fail("no card in the slot") }
            FloorCard(atr: card.atr, answer: workload.answer).serve(port: floors.port)
            let floor = try DoorClient(workload.command, reader: floors.name, socket: pcscd.socket)
            DoorBenchmark.compare(
                "pcscd and vpcd: \(workload.title)", floor: floor, door: client, report)
        }
    }
#endif
