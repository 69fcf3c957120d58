#if os(Linux)
    import TapCards
    import TapHost
    import TapField
    import TapReaders
    import TapWire

    /// What is measured at a door: an APDU to a card before a reader.
    struct DoorWorkload {
        /// The name of the card.
        static let card = "card"

        let title: String
        let reader: any PCSCReader
        let engine: any CardEngine
        let command: [UInt8]
        /// What the card has to answer.
        let answer: [UInt8]

        static func all() throws -> [DoorWorkload] {
            let definition = try BenchmarkCards.tag()
            let tag = NTAGCard(definition)
            let done: [UInt8] = [0x90, 0x00]
            let reader = ReaderModel.storageCard.makeReader()
            return [
                DoorWorkload(
                    title: "GET DATA", reader: reader, engine: tag, command: [0xFF, 0xCA, 0, 0, 0],
                    answer: definition.uid.bytes + done),
                DoorWorkload(
                    title: "READ BINARY", reader: reader, engine: tag, command: [0xFF, 0xB0, 0, 4, 16],
                    answer: Array(definition.userMemory.prefix(16)) + done),
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
