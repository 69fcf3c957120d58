#if os(Linux)
    import Floor
    import Foundation
    import TapDoors

    /// A card in plain C that gives one answer to everything; it lasts as long as this process.
    @safe
    struct FloorCard: @unchecked Sendable {
        private let card: UnsafeMutablePointer<door_floor_card>

        init(atr: [UInt8] = [], answer: [UInt8]) {
            unsafe card = .allocate(capacity: 1)
            unsafe card.initialize(
                to: door_floor_card(
                    atr: Self.copy(atr), atr_count: atr.count, answer: Self.copy(answer), answer_count: answer.count))
        }

        /// Serves clients of pcsc-lite's library on a socket.
        func serve(socket path: String) {
            let listener = unsafe unix_floor_listen(path)
            guard listener >= 0 else { fail("cannot listen on \(path)", code: 3) }
            Thread.detachNewThread { unsafe pcsc_floor_serve(listener, card) }
        }

        /// Serves clients that send lines.
        ///
        /// - Returns: The address, with the port that the system chose.
        func serve(lines address: LineAddress) -> LineAddress {
            let (listener, place) = Self.listen(address)
            guard listener >= 0 else { fail("cannot listen on \(address)", code: 3) }
            Thread.detachNewThread { unsafe line_floor_serve(listener, card) }
            return place
        }

        private static func listen(_ address: LineAddress) -> (listener: Int32, place: LineAddress) {
            switch address {
            case .unix(let path): return unsafe (unix_floor_listen(path), address)
            case .tcp:
                var port: UInt16 = 0
                let listener = unsafe tcp_floor_listen(&port)
                return (listener, .tcp(port))
            }
        }

        /// Serves a slot of pcscd.
        func serve(port: UInt16) {
            let connection = tcp_floor_connect(port)
            guard connection >= 0 else { fail("pcscd does not listen on port \(port)", code: 3) }
            Thread.detachNewThread { unsafe vpcd_floor_serve(connection, card) }
        }

        /// Serves a PN532 on a terminal.
        ///
        /// - Returns: The file of the terminal.
        func serveTerminal() -> String {
            var path = [CChar](repeating: 0, count: 128)
            let terminal = unsafe hsu_floor_open(&path, path.count)
            guard terminal >= 0 else { fail("the system gives no pseudo-terminal", code: 3) }
            Thread.detachNewThread { unsafe hsu_floor_serve(terminal, card) }
            return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// Serves a device of the USB, below a folder that it makes.
        func serveUSB(_ root: String, node: String) {
            var listener: Int32 = -1
            let file = unsafe usb_floor_open(root, node, &listener)
            guard file >= 0 else { fail("cannot make \(root)\(node)", code: 3) }
            Thread.detachNewThread { [listener] in unsafe usb_floor_serve(listener, file, card) }
        }

        private static func copy(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            unsafe memory.initialize(from: bytes, count: bytes.count)
            return unsafe UnsafePointer(memory)
        }
    }
#endif
