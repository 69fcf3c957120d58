import Foundation
import Meters

/// The instructions of all workloads, as Valgrind's Callgrind counts them: the same number on every run.
struct Callgrind {
    /// Exchanges of the shorter of two counted runs; the longer one has three times as many.
    private static let exchanges = 128

    /// The files of Callgrind, which `callgrind_annotate` reads.
    let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../.build/callgrind").standardized
    private var totals: [String: Double] = [:]

    /// Counts all workloads in one run of this program.
    init() throws {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = ["--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder.path)/run"]
        let child = try Child(["valgrind"] + options + [Child.ownPath, "--count"], of: "/usr/bin/env")
        guard child.nextLine() == "counted" else { fail("Valgrind does not run this program", code: 3) }
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            // Source: Valgrind manual, "Callgrind format specification".
            let dump = try String(contentsOf: file, encoding: .utf8)
            guard let name = dump.firstMatch(of: /\ndesc: Trigger: Client Request: (.*)\n/)?.1,
                let total = dump.firstMatch(of: /\ntotals: (\d+)/).flatMap({ Double($0.1) })
            else { continue }
            totals[String(name)] = total
        }
    }

    /// The instructions of one exchange: the difference of the two runs.
    func instructions(_ workload: Workload, _ contestant: Contestant) -> Double {
        let (short, long) = (totals["\(workload.title) \(contestant) 1"], totals["\(workload.title) \(contestant) 3"])
        guard let short, let long else { fail("Callgrind has not counted \(workload.title)", code: 3) }
        return (long - short) / Double(2 * Self.rounds(of: workload) * workload.frames.count)
    }

    /// The counted program.
    static func runCounted() throws {
        for workload in try Workload.all() {
            for contestant in Contestant.allCases {
                let run = workload.runner(contestant)
                _ = run(1)
                for factor in [1, 3] {
                    let (name, rounds) = ("\(workload.title) \(contestant) \(factor)", factor * rounds(of: workload))
                    begin_counting()
                    _ = run(rounds)
                    unsafe end_counting(name)
                }
            }
        }
        tell("counted")
    }

    private static func rounds(of workload: Workload) -> Int { max(1, exchanges / workload.frames.count) }
}
