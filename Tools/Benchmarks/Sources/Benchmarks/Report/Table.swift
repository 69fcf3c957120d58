import Foundation

/// Lines of a table in columns.
enum Table {
    /// Fills cells up to the widths of their columns, text to the left, numbers to the right.
    static func line(_ cells: [String], widths: [Int]) -> String {
        zip(cells, widths).enumerated().map { index, column in
            let space = String(repeating: " ", count: max(0, column.1 - column.0.count))
            return index == 0 ? column.0 + space : space + column.0
        }.joined(separator: " ")
    }

    /// A number with at most two decimals, which are left out where they are zero.
    static func number(_ value: Double) -> String {
        let rounded = rounded(value)
        return rounded == rounded.rounded()
            ? String(format: "%.0f", rounded) : String(format: "%.2f", rounded)
    }

    /// A number as it is told.
    static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
