#if os(Linux)
    import TapWire

    /// A client in a process of its own that sends an APDU as often as it is told.
    struct DoorClient {
        private static let socketVariable = "PCSCLITE_CSOCK_NAME"
        private let program: Child
        /// What the card answered.
        let answer: [UInt8]

        /// Starts the client of a service, which connects to the card in a reader.
        init(_ command: [UInt8], reader: String, socket: String) throws {
            program = try Child(
                [Child.ownPath, "--door-client", reader, Hex.text(command)], environment: [Self.socketVariable: socket])
            answer = try Hex.bytes(program.nextLine())
        }

        /// Sends the APDU and waits for its answer, again and again.
        ///
        /// - Returns: Nanoseconds it took.
        func time(_ rounds: Int) -> Double {
            program.time(rounds)
        }

        /// Starts a client that tells when it sees how the reader is, and changes of it.
        static func watcher(of reader: String, socket: String) throws -> Child {
            try Child([Child.ownPath, "--door-watcher", reader], environment: [socketVariable: socket])
        }
    }
#endif
