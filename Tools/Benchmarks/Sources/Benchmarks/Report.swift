import Foundation

/// A measurement.
struct Row {
    /// The quantity and its unit, such as `W1 ÷ C`.
    let name: String
    /// The highest value that meets the goal.
    let goal: Double
    /// The result; nil if nothing could be measured, for the reason in the remark.
    var value: Double?
    var remark = ""

    var state: String { value.map { $0 <= goal ? "reached" : "missed" } ?? "void" }
}

/// The measurements, printed as they arrive.
final class Report {
    private(set) var rows: [Row] = []

    /// Starts a part of the report.
    func begin(_ title: String) { tell("\n\(title)") }

    /// Adds a measurement.
    ///
    /// - Parameter profile: Lines that show where the cost is, computed if the goal is missed.
    func add(_ row: Row, profile: () -> [String] = { [] }) {
        rows.append(row)
        let name = row.name.padding(toLength: max(58, row.name.count), withPad: " ", startingAt: 0)
        tell("\(name) ≤ \(text(row.goal))  \(row.value.map(text) ?? "–")  \(row.state)  \(row.remark)")
        if row.state == "missed" { profile().forEach { tell("    \($0)") } }
    }

    /// Ends the report with the number of goals that are met.
    func end() {
        let counts = ["reached", "missed", "void"].map { state in "\(rows.count { $0.state == state }) \(state)" }
        tell("\n\(counts.joined(separator: ", "))")
    }
}

/// A number with at most two decimals.
func text(_ value: Double) -> String {
    value.formatted(.number.precision(.fractionLength(0...2)).locale(Locale(identifier: "en_US_POSIX")))
}
