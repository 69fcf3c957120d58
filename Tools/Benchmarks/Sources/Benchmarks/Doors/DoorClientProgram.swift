#if os(Linux)
    import Glibc
    import Meters
    import TapPCSC
    import TapWire

    /// The client of a measurement, in a separate process: pcsc-lite's library finds one service per process.
    enum DoorClientProgram {
        /// How long a reader or a card may take to appear.
        private static let patience = Duration.seconds(10)
        private static let retryMicroseconds: UInt32 = 50_000

        /// Prints the answer to an APDU; then, for every number it is told, sends the APDU as often and prints how many
        /// nanoseconds that took.
        static func transmit(_ command: [UInt8], to reader: String) throws {
            let card = try connect(reader, in: PCSCContext(PCSCLibrary()))
            tell(Hex.text(try card.transmit(command)))
            while let rounds = readLine().flatMap({ Int($0) }) {
                let start = monotonic_nanoseconds()
                for _ in 0..<rounds { _ = try card.transmit(command) }
                tell("\(monotonic_nanoseconds() - start)")
            }
        }

        /// For every line it is told, connects to the card in the first reader, sends an APDU and disconnects, and prints
        /// the answer.
        static func visit(_ command: [UInt8]) throws {
            let context = try PCSCContext(PCSCLibrary())
            guard let reader = try context.readers().first else { fail("there is no reader", code: 3) }
            while readLine() != nil {
                tell(Hex.text(try answer(to: command, reader, in: context)))
            }
        }

        /// The answer of a card, asked for once more where it came and went in between.
        private static func answer(to command: [UInt8], _ reader: String, in context: PCSCContext) throws -> [UInt8] {
            let deadline = ContinuousClock.now + patience
            while true {
                let card = try connect(reader, in: context)
                defer { card.disconnect(.leave) }
                do {
                    return try card.transmit(command)
                } catch {
                    guard ContinuousClock.now < deadline else { throw error }
                }
            }
        }

        /// Prints when it saw how a reader is, then, for every line it is told, when it saw it change.
        static func watch(_ reader: String) throws {
            let context = try PCSCContext(PCSCLibrary())
            var readers = [ReaderStatus(name: reader)]
            repeat {
                guard try context.awaitChange(of: &readers, timeout: patience) else { fail("nothing changed", code: 3) }
                tell("\(monotonic_nanoseconds())")
            } while readLine() != nil
        }

        /// Connects; pcscd looks for cards only now and then.
        private static func connect(_ reader: String, in context: PCSCContext) throws -> PCSCCard {
            let deadline = ContinuousClock.now + patience
            while true {
                do {
                    return try context.connect(reader)
                } catch {
                    guard ContinuousClock.now < deadline else { throw error }
                    usleep(retryMicroseconds)
                }
            }
        }

        private static func tell(_ line: String) {
            print(line)
            fflush(nil)
        }
    }
#endif
