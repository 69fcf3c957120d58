#if os(Linux)
    import Floor
    import Foundation
    import Meters
    import TapDoors

    /// The client of a server of lines, in plain C but for its clock: what it takes itself is the same for all servers.
    enum LineClientProgram {
        private static let room = 1 << 14

        /// Prints the answer to a line; then, for every number it is told, sends the line as often and prints how many
        /// nanoseconds that took.
        static func ask(_ line: String, at address: LineAddress, token: String?) {
            let connection =
                switch address {
                case .unix(let path): unsafe unix_floor_connect(path)
                case .tcp(let port): tcp_floor_connect(port)
                }
            guard connection >= 0 else { fail("no server listens on \(address)", code: 3) }
            let line = Array("\(line)\n".utf8)
            var answer = [UInt8](repeating: 0, count: room)
            if let token {
                let first = Array("@token \(token)\n".utf8)
                _ = unsafe line_floor_ask(connection, first, first.count, &answer, room)
            }
            let count = unsafe line_floor_ask(connection, line, line.count, &answer, room)
            tell(String(decoding: answer[..<max(count - 1, 0)], as: UTF8.self))
            while let rounds = readLine().flatMap({ Int($0) }) {
                let start = monotonic_nanoseconds()
                for _ in 0..<rounds {
                    guard unsafe line_floor_ask(connection, line, line.count, &answer, room) == count else {
                        fail("\(address) does not answer any more", code: 3)
                    }
                }
                tell("\(monotonic_nanoseconds() - start)")
            }
        }

        private static func tell(_ line: String) {
            print(line)
            fflush(nil)
        }
    }
#endif
