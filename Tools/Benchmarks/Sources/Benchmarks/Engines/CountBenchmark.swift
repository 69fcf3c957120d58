import Meters
import TapCards
import TapWire

/// Counts what does not move with noise, and so can be a gate: instructions, allocations and the memory of a trace.
enum CountBenchmark {
    /// Exchanges in the trace whose memory is told.
    private static let tracedExchanges = 100_000
    /// MiB of that trace.
    private static let traceGoal = Goal.atMost(32)

    static func measure(into report: Report) throws {
        try countInstructions(report)
        try countAllocations(report)
        try countTrace(report)
    }

    private static func countInstructions(_ report: Report) throws {
        report.begin("Instructions of an exchange on spans ÷ C")
        for workload in try Workload.all() {
            try workload.checkAnswers()
            count(workload, report)
        }
    }

    private static func count(_ workload: Workload, _ report: Report) {
        guard let counts = Callgrind.shared else { return report.addVoid(workload.title, Callgrind.absence) }
        guard let floor = counts.instructions(workload, .floor), let ours = counts.instructions(workload, .spans) else {
            return report.addVoid(workload.title, "Callgrind has not counted its instructions")
        }
        let row = Row(
            name: "\(workload.title), instructions ÷ C", goal: EngineBenchmark.goal, value: ours / floor,
            remark: "C \(Table.number(floor)), ours \(Table.number(ours))")
        report.add(row) { counts.profile(workload, .spans) }
    }

    private static func countAllocations(_ report: Report) throws {
        report.begin("Allocations of an exchange, all commands")
        guard allocation_counter_works() else {
            return report.addVoid("allocations", "they can only be counted on Linux with glibc")
        }
        let commands = try AllocationReport.run()
        for problem in commands.problems { report.addVoid("allocations", problem) }
        for (api, goal) in [(AllocationScript.API.spans, 0.0), (.arrays, 1)] {
            let worst = commands.lines.max { $0.allocations(api) < $1.allocations(api) }
            report.add(
                Row(
                    name: "most allocations of one of \(commands.lines.count) cases on \(api)", goal: .atMost(goal),
                    value: worst?.allocations(api) ?? .infinity)
            ) {
                commands.lines.filter { $0.allocations(api) > goal }.map { "\($0.name): \($0.allocations(api))" }
            }
        }
    }

    /// Tells how much memory a world holds more once it has kept a trace of reads of one block.
    private static func countTrace(_ report: Report) throws {
        let title = "a trace of \(Table.count(tracedExchanges)) exchanges, MiB"
        report.begin("Memory of a trace")
        guard bytes_in_use() > 0 else { return report.addVoid(title, "it can only be counted on Linux with glibc") }
        guard let workload = try Workload.all().first(where: { $0.name == "W2" }) else { fail("there is no W2") }
        var runner = try WorldRunner(workload)
        let before = bytes_in_use()
        runner.send(tracedExchanges)
        let bytes = withExtendedLifetime(runner) { Double(bytes_in_use()) - Double(before) }
        report.add(Row(name: title, goal: traceGoal, value: bytes / 1_048_576)) {
            ["\(Table.number(bytes / Double(tracedExchanges))) bytes for each exchange"]
        }
    }
}
