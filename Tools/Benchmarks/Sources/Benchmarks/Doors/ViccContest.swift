#if os(Linux)
    import Foundation
    import TapDoors
    import TapReaders

    /// Our card in a slot of pcscd against Debian's emulator of cards, vicc, in another slot of the same pcscd.
    ///
    /// They are other cards, so each answers its own APDU: ours reads 16 bytes from a tag, vicc selects its root. In a
    /// third slot is a card in C that knows one answer: how much faster than vicc a card can be on this machine.
    struct ViccContest {
        private static let goal = Goal.atLeast(500)
        private static let program = "/usr/bin/vicc"
        /// Where Debian 12 puts the module of vicc, and no Python looks for it.
        private static let modules = "/usr/lib/python3/site-packages/virtualsmartcard"
        /// SELECT of the root without an answer but its status: Debian's vicc ends on one that describes the file.
        private static let selectRoot: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0x3F, 0x00]
        private static let title = "pcscd and vpcd: Debian's vicc ÷ ours"

        let workload: DoorWorkload

        func measure(into report: Report) throws {
            guard let python = PeerBenchmark.python, FileManager.default.fileExists(atPath: Self.program) else {
                return report.addVoid(Self.title, "there is no vicc, or no Python with its modules; see Tools/bench")
            }
            let pcscd = try Pcscd(readers: ["Ours", "Vicc", "Floor"])
            let host = workload.host()
            let slot = ReaderSlot(workload.reader, on: host)
            let door = try VpcdDoor(slot, on: host, port: pcscd.readers[0].port)
            let vicc = try Child(
                [python, Self.program, "--type", "iso7816", "--port", "\(pcscd.readers[1].port)"],
                environment: ["PYTHONPATH": Self.modules])
            defer {
                vicc.terminate()
                door.close()
                host.close()
            }
            let ours = try DoorClient(workload.command, reader: pcscd.readers[0].name, socket: pcscd.socket)
            let peer = try DoorClient(Self.selectRoot, reader: pcscd.readers[1].name, socket: pcscd.socket)
            guard case .card(let card) = slot.current.content else { fail("no card in the slot") }
            FloorCard(atr: card.atr, answer: workload.answer).serve(port: pcscd.readers[2].port)
            let floor = try DoorClient(workload.command, reader: pcscd.readers[2].name, socket: pcscd.socket)
            for client in [ours, peer, floor] where client.answer.suffix(2) != [0x90, 0x00] { fail("a card refuses") }
            var stopwatch = Stopwatch(sampleTime: DoorBenchmark.sampleTime)
            guard let result = stopwatch.compare([ours.time, ours.time, floor.time, peer.time]) else {
                return report.addVoid(Self.title, Stopwatch.noise)
            }
            let remark =
                "ours \(Table.number(result.nanoseconds / 1_000)) µs, ours ÷ ours \(Table.number(result.ratios[1]))"
            report.add(Row(name: Self.title, goal: Self.goal, value: result.ratios[3], remark: remark)) {
                let atMost = Table.number(result.ratios[3] / result.ratios[2])
                let work = Table.number(DoorBenchmark.work(for: ours))
                return [
                    "our card works \(work) µs of a round trip; the rest are pcscd, its driver and the client",
                    "a card in C that knows one answer is \(atMost) times as fast as vicc",
                ]
            }
        }
    }
#endif
