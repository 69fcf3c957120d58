#if os(Linux)
    import TapCards
    import TapDoors
    import TapField
    import TapReaders

    /// What is measured at a door: an APDU to a card before a reader.
    struct DoorWorkload {
        /// The name of the card.
        static let card = "card"

        let title: String
        let reader: any PCSCReader
        let engine: any CardEngine
        let command: [UInt8]

        static func all() throws -> [DoorWorkload] {
            let tag = NTAGCard(try BenchmarkCards.tag())
            let reader = StorageCardReader()
            return [
                DoorWorkload(title: "GET DATA", reader: reader, engine: tag, command: [0xFF, 0xCA, 0, 0, 0]),
                DoorWorkload(title: "READ BINARY", reader: reader, engine: tag, command: [0xFF, 0xB0, 0, 4, 16]),
            ]
        }

        /// A field that keeps a trace, as that of a run does.
        ///
        /// - Parameter isPresent: Whether the card lies in it.
        func host(isPresent: Bool = true) -> FieldHost {
            var world = World(seed: 1, trace: Trace())
            world.add(engine, named: Self.card)
            if isPresent { world.tap(Self.card) }
            return FieldHost(world, exchangeLimit: .max)
        }
    }
#endif
