import Foundation

/// What has been measured, told line by line as it comes.
final class Report {
    /// A measurement that is void.
    struct Void {
        let name: String
        let reason: String
    }

    private static let widths = [58, 10, 10]
    private let output: FileHandle
    private(set) var rows: [Row] = []
    private(set) var voids: [Void] = []
    /// Curves to be drawn.
    private(set) var charts: [Chart] = []

    /// Creates an empty report.
    ///
    /// - Parameter output: Where lines are told.
    init(output: FileHandle) {
        self.output = output
    }

    /// Begins a part of the report.
    func begin(_ title: String) {
        tell("")
        tell(Table.line([title, "goal", "value"], widths: Self.widths) + "  state")
    }

    /// Adds what was measured.
    ///
    /// - Parameters:
    ///   - row: The line.
    ///   - profile: Finds where a missed goal was lost, in lines; it is not called for a reached one.
    func add(_ row: Row, profile: () -> [String]) {
        rows.append(row)
        let remark = row.remark.isEmpty ? "" : "   \(row.remark)"
        let cells = [row.name, row.goal.description, Table.number(row.value)]
        tell(Table.line(cells, widths: Self.widths) + "  \(row.state.rawValue)\(remark)")
        guard row.state == .missed else { return }
        for line in profile() { tell("    \(line)") }
    }

    /// Tells that something could not be measured, which ends in an exit code of its own.
    func addVoid(_ name: String, _ reason: String) {
        voids.append(Void(name: name, reason: reason))
        tell("\(name): void, \(reason)")
    }

    func add(_ chart: Chart) {
        charts.append(chart)
    }

    /// Ends the report with how many goals are reached.
    func end() {
        let missed = rows.filter { $0.state == .missed }
        tell("")
        tell("\(rows.count - missed.count) reached, \(missed.count) missed, \(voids.count) void")
        for row in missed { tell("missed: \(row.name) is \(Table.number(row.value)), goal \(row.goal)") }
        for void in voids { tell("void: \(void.name), \(void.reason)") }
    }

    /// The rows as a list of objects; what could not be measured is missed and has no value.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(
                rows.map {
                    Entry(
                        name: $0.name, goal: $0.goal.description, value: Table.rounded($0.value),
                        state: $0.state.rawValue)
                }
                    + voids.map {
                        Entry(
                            name: $0.name, goal: "not measured: \($0.reason)", value: nil,
                            state: Row.State.missed.rawValue)
                    })
        }
    }

    private struct Entry: Encodable {
        let name, goal: String
        let value: Double?
        let state: String
    }

    private func tell(_ line: String) {
        output.write(Data("\(line)\n".utf8))
    }
}
