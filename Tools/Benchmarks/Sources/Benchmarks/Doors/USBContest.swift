#if os(Linux)
    import Floor
    import Foundation
    import Meters
    import TapCards
    import TapDoors
    import TapHost
    import TapField
    import TapReaders
    import TapWire

    /// A reader on the USB against a server in C that knows one answer: a command is three transfers.
    struct USBContest {
        private static let node = "/dev/bus/usb/001/002"
        /// GetFirmwareVersion of a Port-100, which needs no card, and what answers it.
        private static let command: [UInt8] = [0, 0, 0xFF, 0xFF, 0xFF, 2, 0, 0xFE, 0xD6, 0x20, 0x0A, 0]
        private static let answer: [UInt8] = [0, 0, 0xFF, 0xFF, 0xFF, 4, 0, 0xFC, 0xD7, 0x21, 0x11, 0x01, 0xF6, 0]
        private static let acknowledgement: [UInt8] = [0, 0, 0xFF, 0, 0xFF, 0]
        /// How long the client waits whose work is measured.
        private static let wait = 1_000
        /// Commands of a page in a round.
        private static let pageRounds = 50

        func measure(into report: Report) throws {
            let host = FieldHost(World(seed: 1), exchangeLimit: .max)
            let door: USBDoor
            do {
                door = try USBDoor(host: host, readers: [(0, .rcs380)])
            } catch {
                return report.addVoid("USB: a command", "\(error)")
            }
            defer {
                door.close()
                host.close()
            }
            let environment = Dictionary(door.environment.map { ($0.name, $0.value) }) { first, _ in first }
            try measureProgram(environment, into: report)
            try measureBrowser(environment, into: report)
        }

        private func measureProgram(_ environment: [String: String], into report: Report) throws {
            let client = try DoorClient(usb: Self.command, node: Self.node, environment)
            let root = NSTemporaryDirectory() + "tapsim-bench-usb-\(ProcessInfo.processInfo.processIdentifier)"
            defer { try? FileManager.default.removeItem(atPath: root) }
            FloorCard(answer: Self.acknowledgement + Self.answer).serveUSB(root, node: Self.node)
            var floorEnvironment = environment
            floorEnvironment["UMOCKDEV_DIR"] = root
            let floor = try DoorClient(usb: Self.command, node: Self.node, floorEnvironment)
            DoorBenchmark.compare("USB: a command of three transfers", floor: floor, door: client, report)
            let work = client.time(-Self.wait) / 1e6
            report.add(
                Row(
                    name: "USB: work of a client that waits 1 s, ms", goal: .atMost(5), value: work,
                    remark: "it sleeps until the reader answers")
            ) { [] }
        }

        /// The same command from a page in Chromium.
        private func measureBrowser(_ environment: [String: String], into report: Report) throws {
            let name = "USB: a command from a page in Chromium, ms"
            guard let python = PeerBenchmark.python else {
                return report.addVoid(name, "no Python with Selenium is named; see Tools/bench")
            }
            let browser = try DoorClient(page: Self.command, python: python, environment)
            guard browser.answer == Self.acknowledgement + Self.answer else {
                fail("\(name): the page is answered \(Hex.text(browser.answer))", code: 1)
            }
            let times = (0..<Stopwatch.roundCount).map { _ in
                browser.time(Self.pageRounds) / Double(Self.pageRounds) / 1e6
            }
            report.add(
                Row(
                    name: name, goal: .atMost(5), value: times.sorted()[times.count / 2],
                    remark: "three transfers, each of which goes through another process of the browser")
            ) { [] }
        }
    }

    /// The client of a measurement on the USB, in a separate process.
    enum USBClientProgram {
        private static let limit: Int32 = 10_000

        /// Sends a command and prints the answer; then, for every number it is told, sends it as often and prints how many
        /// nanoseconds that took, or for a number below 0 waits so many milliseconds for nothing and prints how long it worked.
        static func exchange(_ command: [UInt8], over node: String) {
            let device = unsafe usb_open(node)
            guard device >= 0 else { fail("cannot open \(node)", code: 3) }
            print(Hex.text(ask(device, command)))
            fflush(nil)
            while let rounds = readLine().flatMap({ Int($0) }) {
                let start = monotonic_nanoseconds()
                for _ in 0..<max(0, rounds) { _ = ask(device, command) }
                print(rounds < 0 ? usb_wait(device, Int32(-rounds)) : monotonic_nanoseconds() - start)
                fflush(nil)
            }
        }

        private static func ask(_ device: Int32, _ command: [UInt8]) -> [UInt8] {
            var answer = [UInt8](repeating: 0, count: 64)
            let count = unsafe usb_exchange(device, command, command.count, &answer, answer.count, limit)
            guard count >= 0 else { fail("the reader does not answer", code: 3) }
            return Array(answer.prefix(count))
        }
    }
#endif
