#if os(Linux)
    import Glibc
    import Meters
    import TapWire

    /// The client of a measurement on a serial line, in a separate process.
    struct SerialClientProgram {
        private static let room = 4096
        private let port: Int32
        private var buffer = [UInt8](repeating: 0, count: room)

        private init(_ path: String) {
            port = unsafe open(path, O_RDWR | O_NOCTTY)
            guard port >= 0 else { fail("cannot open \(path)", code: 3) }
        }

        /// Sends packets for a chip in frames, one after another, and prints what answers the last; then, for every number
        /// it is told, sends the last one as often and prints how many nanoseconds that took.
        static func exchange(_ packets: [[UInt8]], over path: String) {
            var program = SerialClientProgram(path)
            var answer: [UInt8] = []
            for packet in packets { answer = program.answer(to: PN532Frame.information(packet).bytes) }
            tell(Hex.text(answer))
            let command = PN532Frame.information(packets.last ?? []).bytes
            while let rounds = readLine().flatMap({ Int($0) }) {
                let start = monotonic_nanoseconds()
                for _ in 0..<rounds { program.send(command, awaiting: answer.count) }
                tell("\(monotonic_nanoseconds() - start)")
            }
        }

        /// Sends a frame and waits for two, the acknowledgement and the answer.
        private mutating func answer(to frame: [UInt8]) -> [UInt8] {
            var reader = PN532FrameReader()
            var frames: [PN532Frame] = []
            var bytes: [UInt8] = []
            send(frame)
            while frames.count < 2 || bytes.count < frames.reduce(0, { $0 + $1.bytes.count }) {
                let count = receive()
                bytes += buffer[..<count]
                reader.append(buffer[..<count])
                while let frame = reader.next() { frames.append(frame) }
            }
            return bytes
        }

        private mutating func send(_ frame: [UInt8], awaiting count: Int) {
            send(frame)
            var received = 0
            while received < count { received += receive() }
        }

        private func send(_ frame: [UInt8]) {
            guard unsafe write(port, frame, frame.count) == frame.count else {
                fail("the line takes no frame", code: 3)
            }
        }

        private mutating func receive() -> Int {
            let count = unsafe read(port, &buffer, buffer.count)
            guard count > 0 else { fail("the line has hung up", code: 3) }
            return count
        }

        private static func tell(_ line: String) {
            print(line)
            fflush(nil)
        }
    }
#endif
