#if os(Linux)
    import Foundation
    import TapSystem

    /// One `tapsim serve`: whether it grows from test to test, each of which lets cards come, be read once and go, and
    /// then resets it, so that nothing of its trace is kept.
    enum LongService {
        private static let goal = Goal.atMost(1.05)
        private static let rounds = 10
        private static let taps = 1_000
        /// Reads a page.
        private static let command: [UInt8] = [0xFF, 0xB0, 0, 4, 16]

        static func measure(into report: Report) throws {
            let title = "resident memory of tapsim serve"
            guard let tapsim = TapsimProgram.path else { return report.addVoid(title, TapsimProgram.absence) }
            let service = try Child([tapsim, "serve", "--json", "--card", "ntag215"])
            guard let told = try JSONSerialization.jsonObject(with: Data(service.nextLine().utf8)) as? [String: Any],
                let environment = told["env"] as? [String: String], let control = told["control"] as? String,
                let socket = environment["PCSCLITE_CSOCK_NAME"], let number = told["pid"] as? Int
            else { fail("tapsim serve does not say where it is", code: 3) }
            let ctl = try ControlClient(to: control)
            defer { _ = ctl.ask(#"{"stop": {}}"#) }
            let client = try DoorClient.visitor(command, socket: socket)
            tap(client, ctl)
            let once = try Resident(process: number)
            for _ in 1..<rounds { tap(client, ctl) }
            let often = try Resident(process: number)
            report.add(
                Row(
                    name: "\(title), \(rounds) times \(Table.count(taps)) taps and a reset ÷ once", goal: goal,
                    value: often.bytes / once.bytes, remark: "\(Table.number(often.bytes / 1_048_576)) MiB")
            ) {
                let own = Table.number((often.ownBytes - once.ownBytes) / 1_024)
                return ["\(own) KiB more are memory of its own, the rest are parts of files read since"]
            }
        }

        /// Lets the card come, be read and leave, again and again, and resets the service.
        private static func tap(_ client: Child, _ ctl: borrowing ControlClient) {
            for _ in 0..<taps {
                guard ctl.ask(#"{"tap": "ntag215"}"#) != nil else { fail("tapsim serve takes no card", code: 3) }
                client.tell("again")
                guard client.nextLine().hasSuffix("9000") else { fail("tapsim serve does not read", code: 3) }
                guard ctl.ask(#"{"remove": {}}"#) != nil else { fail("tapsim serve keeps its card", code: 3) }
            }
            guard ctl.ask(#"{"reset": {}}"#) != nil else { fail("tapsim serve is not reset", code: 3) }
        }
    }

    /// What of a process is in memory.
    private struct Resident {
        /// All of it.
        let bytes: Double
        /// What is no part of a file.
        let ownBytes: Double

        /// Source: proc(5), `/proc/pid/statm`: the second number are all pages, the third those of files.
        init(process: Int) throws {
            let text = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
            let pages = text.split(separator: " ").compactMap { Double($0) }
            guard pages.count > 2 else { fail("/proc/\(process)/statm reads otherwise", code: 3) }
            let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))
            bytes = pages[1] * pageBytes
            ownBytes = (pages[1] - pages[2]) * pageBytes
        }
    }
#endif
