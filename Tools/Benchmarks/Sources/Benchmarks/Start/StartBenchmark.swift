import Foundation
import Meters

/// Measures how long programs take from their start to their end.
enum StartBenchmark {
    /// What the least program that uses a card may take, beside a C program that prints the same.
    private static let goal = Goal.atMost(4)
    /// How long a contestant runs in a round, in nanoseconds.
    private static let sampleTime = 2e7

    static func measure(into report: Report) throws {
        report.begin("Start to end of a program, median of \(Stopwatch.roundCount) rounds")
        let work = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let source = "\(TapsimProgram.root)/Tools/Benchmarks/Programs/start_floor.c"
        _ = Program(["/usr/bin/env", "cc", "-O2", "-o", "\(work)/floor", source]).time(1)
        let (floor, card) = (Program(["\(work)/floor"]), Program(["\(folder)/Start"]))
        guard try floor.firstLine() == card.firstLine() else { fail("Start prints something else than the C program") }
        let title = "start, one exchange, end"
        var stopwatch = Stopwatch(sampleTime: sampleTime)
        if let result = stopwatch.compare([floor.time, floor.time, card.time]) {
            let remark = "C \(Table.number(result.nanoseconds / 1e6)) ms, C ÷ C \(Table.number(result.ratios[1]))"
            report.add(Row(name: "\(title) ÷ C", goal: goal, value: result.ratios[2], remark: remark)) {
                [card.profile("ours"), floor.profile("C")]
            }
        } else {
            report.addVoid(title, Stopwatch.noise)
        }
        ColdRun.measure(into: report)
    }

    /// Where this program lies, and Start beside it.
    private static var folder: String { URL(fileURLWithPath: Child.ownPath).deletingLastPathComponent().path }
}

/// A program that ends by itself.
struct Program {
    private let words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// What a run of it takes, which is nearly all start and end.
    func profile(_ who: String) -> String {
        Usage.line(who, of: resources_of_children) { _ = time($0) }
    }

    /// What it prints first.
    func firstLine() throws -> String { try Child(words).nextLine() }

    /// Runs it, again and again.
    ///
    /// - Returns: Nanoseconds it took.
    func time(_ rounds: Int) -> Double {
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var sum = 0.0
        for _ in 0..<rounds {
            let time = unsafe start_nanoseconds(&pointers)
            guard time >= 0 else { fail("\(words[0]) fails", code: 3) }
            sum += time
        }
        return sum
    }
}
