#if os(Linux)
    import Foundation
    import TapDoors
    import TapWire

    /// A client in a separate process that repeats a question on request.
    struct DoorClient {
        private static let socketVariable = "PCSCLITE_CSOCK_NAME"
        private static let tools = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
        private static let page = tools.appendingPathComponent("Benchmarks/Peers/webusb_client.py").path
        private static let tapsim = tools.appendingPathComponent("tapsim").path
        private let program: Child
        /// What was answered.
        let answer: [UInt8]

        /// Starts the client of a service, which connects to the card in a reader.
        init(_ command: [UInt8], reader: String, socket: String) throws {
            program = try Child(
                [Child.ownPath, "--door-client", reader, Hex.text(command)], environment: [Self.socketVariable: socket])
            answer = try Hex.bytes(program.nextLine())
        }

        /// Starts the client of a server of lines, which sends a line, after a token where there is one.
        init(_ line: String, at address: LineAddress, token: String? = nil) throws {
            let words = ["\(address)", line] + (token.map { [$0] } ?? [])
            program = try Child([Child.ownPath, ChildRole.lineClient.rawValue] + words)
            answer = Array(program.nextLine().utf8)
        }

        /// Starts the client of a PN532 on a terminal, which sends packets one after another, then the last one again.
        init(_ packets: [[UInt8]], terminal: String) throws {
            program = try Child(
                [Child.ownPath, ChildRole.serialClient.rawValue, terminal] + packets.map { Hex.text($0) })
            answer = try Hex.bytes(program.nextLine())
        }

        /// Starts the client of a reader on the USB.
        init(usb command: [UInt8], node: String, _ environment: [String: String]) throws {
            program = try Child(
                [Child.ownPath, ChildRole.usbClient.rawValue, node, Hex.text(command)], environment: environment)
            answer = try Hex.bytes(program.nextLine())
        }

        /// Starts a page in Chromium that uses a reader on the USB.
        init(page command: [UInt8], python: String, _ environment: [String: String]) throws {
            program = try Child([python, Self.page, Self.tapsim, Hex.text(command)], environment: environment)
            answer = try Hex.bytes(program.nextLine())
        }

        /// Asks and waits for the answer, again and again.
        ///
        /// - Returns: Nanoseconds it took.
        func time(_ rounds: Int) -> Double {
            program.time(rounds)
        }

        /// Starts a client that connects to a card, sends it an APDU and leaves it whenever it is told.
        static func visitor(_ command: [UInt8], socket: String) throws -> Child {
            try Child([Child.ownPath, "--door-visitor", Hex.text(command)], environment: [socketVariable: socket])
        }

        /// Starts a client that tells when it sees how the reader is, and changes of it.
        static func watcher(of reader: String, socket: String) throws -> Child {
            try Child([Child.ownPath, "--door-watcher", reader], environment: [socketVariable: socket])
        }
    }
#endif
