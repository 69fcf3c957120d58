import Foundation
import Meters

/// The first scenario of the README, run by a tapsim that has to be read from disk.
enum ColdRun {
    private static let scenario = "Scenarios/felica/suica-history.yaml"
    /// Milliseconds.
    private static let goal = Goal.atMost(100)

    static func measure(into report: Report) {
        let title = "tapsim run \(scenario), cold, ms"
        guard let tapsim = TapsimProgram.path else { return report.addVoid(title, TapsimProgram.absence) }
        let file = "\(TapsimProgram.root)/\(scenario)"
        let program = Program([tapsim, "run", file])
        var times: [Double] = []
        for _ in 0..<Stopwatch.roundCount {
            guard unsafe forget_file(tapsim), unsafe forget_file(file) else {
                return report.addVoid(title, "the system does not forget files")
            }
            times.append(program.time(1) / 1e6)
        }
        report.add(Row(name: title, goal: goal, value: Stopwatch.median(times))) { [program.profile("warm")] }
    }
}

/// The tapsim that is one file, as it is given away.
enum TapsimProgram {
    static let absence = "there is no one-file tapsim; make it by Tools/package"

    /// The checkout this was built in.
    static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(6).joined(separator: "/")
        .replacingOccurrences(of: "//", with: "/")

    /// Its path, or nil if it was not built.
    static var path: String? {
        let path = "\(root)/.build/package/tapsim"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
