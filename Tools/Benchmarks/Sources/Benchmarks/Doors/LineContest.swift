#if os(Linux)
    import Foundation
    import Meters
    import TapCards
    import TapDoors
    import TapSystem
    import TapField
    import TapWire

    /// Our server of lines against one in C that knows one answer, on the same kind of socket.
    struct LineContest {
        /// Exchanges of a measurement without sockets.
        private static let profileRounds = 100_000

        let title: String
        let address: LineAddress
        private let floorAddress: LineAddress
        private let exchange: LineExchange
        private let command: [UInt8]
        /// What the card in C answers, in hex.
        private let answer: String

        /// Both kinds of socket.
        static func all() throws -> [LineContest] {
            let folder = FileManager.default.temporaryDirectory.path
            let path = { LineAddress.unix("\(folder)/benchmarks-\(UUID().uuidString)") }
            return [
                try LineContest("Unix socket", path(), path()), try LineContest("TCP", .tcp(0), .tcp(0)),
            ]
        }

        private init(_ title: String, _ address: LineAddress, _ floorAddress: LineAddress) throws {
            (self.title, self.address, self.floorAddress) = ("\(title): read 1 block", address, floorAddress)
            guard let workload = try Workload.all().first(where: { $0.name == "W2" }),
                case .feliCa(let definition) = workload.card
            else { fail("there is no workload W2 of a FeliCa card") }
            command = workload.frames[0]
            answer = Hex.text(FeliCaFloor(definition).answer(command).bytes)
            var world = World(seed: 1)
            world.add(try FeliCaCard(definition), named: "card")
            world.tap("card")
            exchange = LineExchange(world, technology: .felica212)
        }

        func measure(into report: Report) throws {
            let server = try LineServer(exchange, at: address) { fail("\($0)") }
            defer { server.close() }
            let line = Hex.text(command)
            let client = try DoorClient(line, at: server.address, token: server.token)
            let place = FloorCard(answer: Array("\(answer)\n".utf8)).serve(lines: floorAddress)
            defer { if case .unix(let path) = place { unsafe unlink(path) } }
            let floor = try DoorClient(line, at: place)
            DoorBenchmark.compare(title, floor: floor, door: client, report, profile: profile)
        }

        /// What a line costs without the socket, and the exchange alone.
        private func profile() -> [String] {
            let line = LineBuffer.Line.whole(Array(Hex.text(command).utf8)[...])
            let frame = AirFrame(.felica212, command)
            var (lines, world) = (exchange, exchange.world)
            var output: [UInt8] = []
            let lineTime = Self.time {
                output.removeAll(keepingCapacity: true)
                _ = lines.answer(line, into: &output)
            }
            let exchangeTime = Self.time { _ = world.exchangeWithOneCard(frame, waiting: nil) }
            return [
                "without a socket a line takes \(Table.number(lineTime)) µs, of which the field and the card take "
                    + "\(Table.number(exchangeTime)) µs"
            ]
        }

        /// Microseconds of one call.
        private static func time(_ call: () -> Void) -> Double {
            let start = thread_nanoseconds()
            for _ in 0..<profileRounds { call() }
            return (thread_nanoseconds() - start) / Double(profileRounds) / 1_000
        }
    }
#endif
