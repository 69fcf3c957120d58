/// Text in columns, the first to the left, numbers to the right.
enum Table {
    static func line(_ cells: [String], widths: [Int]) -> String {
        zip(cells, widths).enumerated().map { index, column in
            let space = String(repeating: " ", count: max(0, column.1 - column.0.count))
            return index == 0 ? column.0 + space : space + column.0
        }.joined(separator: " ")
    }

    /// A number of at least 0 with at most two decimals, which are left out where they are zero.
    static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        let decimals = "\(hundredths % 100)"
        return "\(hundredths / 100)." + (decimals.count == 1 ? "0" : "") + decimals
    }
}
