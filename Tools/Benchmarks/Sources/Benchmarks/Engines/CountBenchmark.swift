import Meters
import TapCards
import TapWire

/// Counts what does not move with noise, and so can be a gate: instructions and allocations.
enum CountBenchmark {
    /// Goal of instructions on spans, as a multiple of those of C.
    private static let instructionGoal = 2.2

    static func measure(into report: Report) throws {
        try countInstructions(report)
        try countAllocations(report)
    }

    private static func countInstructions(_ report: Report) throws {
        report.begin("Instructions of an exchange on spans ÷ C")
        for workload in try Workload.all() {
            try workload.checkAnswers()
            count(workload, .spans, with: .floor, "", report)
        }
    }

    /// Counts the same with CRC; what a checksum takes is the processor's affair, so no build fails by it.
    static func measureOnAir(into report: Report) throws {
        report.begin("Instructions of an exchange with CRC ÷ C")
        for workload in try Workload.all() { count(workload, .spansOnAir, with: .floorOnAir, " with CRC", report) }
    }

    private static func count(
        _ workload: Workload, _ contestant: Contestant, with floor: Contestant, _ addition: String,
        _ report: Report
    ) {
        let title = "\(workload.title)\(addition)"
        guard let counts = Callgrind.shared else { return report.addVoid(title, Callgrind.absence) }
        guard let expected = counts.instructions(workload, floor), let ours = counts.instructions(workload, contestant)
        else { return report.addVoid(title, "Callgrind has not counted its instructions") }
        let row = Row(
            name: "\(title), instructions ÷ C", goal: .atMost(instructionGoal), value: ours / expected,
            remark: "C \(Table.number(expected)), ours \(Table.number(ours))")
        report.add(row) { counts.profile(workload, contestant) }
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
}
