#if os(Linux)
    import TapCards
    import TapDoors
    import TapHost
    import TapField
    import TapWire

    /// Our PN532 behind a pseudo-terminal against a server in C that knows one answer, on the same kind of terminal.
    struct PseudoTerminalContest {
        private static let read = ReadWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [BenchmarkCards.history], blocks: [BlockListElement(blockNumber: 0)])

        /// The search for the card, and the read of one block of its history, as packets for the chip: InListPassiveTarget
        /// for one card at 212 kbit/s with the payload of a Polling, and InDataExchange.
        private static var packets: [[UInt8]] {
            let polling = Polling.Request(systemCode: .transit, requestCode: .systemCode)
            return [[0xD4, 0x4A, 0x01, 0x01] + polling.bytes.dropFirst(), [0xD4, 0x40, 0x01] + read.bytes]
        }

        /// What has to come back to the read: an ACK and, in a frame of the chip without an error, what the card in C answers.
        private static var answer: [UInt8] {
            let card = FeliCaFloor(BenchmarkCards.transit).answer(read.bytes).bytes
            return PN532Frame.acknowledgement.bytes + PN532Frame.information([0xD5, 0x41, 0x00] + card).bytes
        }

        func measure(into report: Report) throws {
            var world = World(seed: 1, trace: Trace())
            world.add(try FeliCaCard(BenchmarkCards.transit), named: DoorWorkload.card)
            world.tap(DoorWorkload.card)
            let host = FieldHost(world, exchangeLimit: .max)
            let door = try LibnfcDoor(host: host)
            defer {
                host.close()
                door.close()
            }
            guard let terminal = door.environment.last?.value else { fail("the door has no terminal") }
            let client = try DoorClient(Self.packets, terminal: terminal)
            let floor = try DoorClient(
                Self.packets, terminal: FloorCard(answer: Self.answer).serveTerminal())
            DoorBenchmark.compare(
                "pseudo-terminal: read 1 block", floor: floor, door: client, report)
        }
    }
#endif
